import { imageKinds } from '#kernel/contract/upload.ts';
import { awayNow } from '#modules/delegations/service.ts';
import { boundAmong, unbind } from '#modules/signon/service.ts';
import { openTicketsOf } from '#modules/tickets/service.ts';
import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { peopleModule } from './server.ts';
import { partLeaves } from './server/depts/part-leaves.ts';
import { leavesModule } from './server/leaves.ts';

export const people: ModuleDefinition = {
  menus,
  servers: (services) => [
    leavesModule,
    peopleModule({ ...services, openTickets: openTicketsOf, awayNow, wechat: { boundAmong, unbind } }),
  ],
  leaves: [partLeaves],
  owners: { people: { kinds: imageKinds, imageSize: 512, may: async () => true } },
};
