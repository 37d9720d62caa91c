import { imageKinds } from '#kernel/contract/upload.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { calendarsModule } from '#modules/calendars/server.ts';
import { menus } from '#modules/people/seed.ts';
import { peopleModule } from '#modules/people/server.ts';
import { boundAmong, unbind } from '#modules/signon/service.ts';
import { partLeaves } from '#modules/people/server/depts/part-leaves.ts';
import { delegationLeaves } from '#modules/delegations/leaves.ts';
import { overTask } from '#modules/delegations/ending.ts';
import { delegationsModule } from '#modules/delegations/server.ts';
import { awayNow } from '#modules/delegations/service.ts';
import { openTicketsOf, withdrawTodos } from '#modules/tickets/service.ts';
import type { Part } from '../part.ts';

/** People and departments, who stands in for whom, and on which days there is work. */
export const peoplePart: Part = {
  menus,
  servers: (services) => [
    peopleModule({ ...services, openTickets: openTicketsOf, awayNow, wechat: { boundAmong, unbind } }),
    delegationsModule(withdrawTodos),
    calendarsModule,
  ],
  tasks: ({ databases }) => [overTask(databases, withdrawTodos) as Task],
  leaves: [partLeaves, delegationLeaves(withdrawTodos)],
  owners: { people: { kinds: imageKinds, imageSize: 512, may: async () => true } },
};
