import { deliverTask, resume, resumeTask } from '#modules/deliveries/deliver.ts';
import { menus } from '#modules/deliveries/seed.ts';
import { deliveriesModule } from '#modules/deliveries/server.ts';
import { isStillNews } from '#modules/messages/service.ts';
import { textOf, textTest } from '#modules/sms/service.ts';
import type { Part } from '../part.ts';

export const deliveriesPart: Part = {
  menus,
  servers: (services) => [deliveriesModule({ textTest: (tx, mobile) => textTest(tx, mobile, services) })],
  tasks: ({ databases, adapters }) => [
    deliverTask({
      databases,
      adapters,
      async wanted(payload) {
        const text = payload.module === 'sms' && payload.object_id !== null;
        return isStillNews(databases.fresh, text ? await textOf(databases.fresh, payload.object_id!) : payload);
      },
    }),
    resumeTask({ databases }),
  ],
  schedules: [{ task: resume, cron: '*/5 * * * *' }],
};
