import type { ModuleDefinition } from '../definition.ts';
import { custodyWaits } from './custody/list.ts';
import { pictureModule } from './ledger/record.ts';
import { menus } from './seed.ts';
import { pictureOwner } from './seals/owner.ts';
import { sealModules } from './server.ts';

export const stamps: ModuleDefinition = {
  menus,
  servers: (services) => sealModules(services),
  owners: { [pictureModule]: pictureOwner },
  waits: [custodyWaits],
};
