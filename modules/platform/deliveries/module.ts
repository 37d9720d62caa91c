import type { ModuleDefinition } from '#kernel/server/product.ts';
import { isStillNews } from '#modules/platform/messages/service.ts';
import { isQuiet } from '#modules/platform/settings/contract/quiet.ts';
import { textOf, textTest } from '#modules/platform/sms/service.ts';
import { deliverTask, resume, resumeTask } from './deliver.ts';
import { jobsModule } from './jobs.ts';
import { menus } from './seed.ts';
import { deliveriesModule } from './server.ts';

/** Deliveries out of the organisation, and background jobs. */
export const deliveries: ModuleDefinition = {
  logNames: { deliveries: '投递日志' },
  menus,
  grants: {
    office_admin: 'system/delivery:Retrieve',
    sms_admin: 'system/delivery:*',
  },
  servers: (services) => [deliveriesModule({ textTest: (tx, mobile) => textTest(tx, mobile, services) }), jobsModule],
  tasks: ({ databases, adapters, settings }) => [
    deliverTask({
      databases,
      adapters,
      quiet: () => isQuiet(settings),
      async wanted(payload) {
        const text = payload.module === 'sms' && payload.object_id !== null;
        return isStillNews(databases.fresh, text ? await textOf(databases.fresh, payload.object_id!) : payload);
      },
    }),
    resumeTask({ databases }),
  ],
  schedules: [{ task: resume, cron: '*/5 * * * *' }],
};
