import type { ModuleDefinition } from '../definition.ts';
import { custodySchedules, custodyTask } from './custody/jobs.ts';
import { sealLeaves } from './custody/leaves.ts';
import { custodyWaits } from './custody/list.ts';
import { pictureModule } from './ledger/record.ts';
import { applicationModule, verifiedSealing } from './ledger/verified.ts';
import { alertWaits } from './oversight/alerts.ts';
import { menus } from './seed.ts';
import { pictureOwner } from './seals/owner.ts';
import { sealModules } from './server.ts';

export const stamps: ModuleDefinition = {
  menus,
  servers: (services, { verified }) => sealModules({ ...services, verified }),
  tasks: (services) => [custodyTask(services)],
  schedules: custodySchedules,
  owners: { [pictureModule]: pictureOwner },
  waits: [custodyWaits, alertWaits],
  leaves: [sealLeaves],
  verified: { [applicationModule]: verifiedSealing },
};
