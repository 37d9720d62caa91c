import { imageKinds } from '#kernel/contract/upload.ts';
import { awayNow } from '#modules/delegations/service.ts';
import { boundAmong, unbind } from '#modules/signon/service.ts';
import { openTicketsOf } from '#modules/tickets/service.ts';
import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { peopleModule } from './server.ts';

export const people: ModuleDefinition = {
  menus,
  servers: (services) => [
    peopleModule({ ...services, openTickets: openTicketsOf, awayNow, wechat: { boundAmong, unbind } }),
  ],
  owners: { people: { kinds: imageKinds, imageSize: 512, may: async () => true } },
};
