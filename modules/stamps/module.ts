import type { ModuleDefinition } from '../definition.ts';
import { sealingWaits, stampFeeds } from './application/brings.ts';
import { applications, owners } from './application/record.ts';
import { applicationModule } from './application/server.ts';
import { custodyWaits } from './custody/list.ts';
import { applicationSchedules, applicationTasks } from './desk/tasks.ts';
import { pictureModule } from './ledger/record.ts';
import { menus, seedStamps } from './seed.ts';
import { pictureOwner } from './seals/owner.ts';
import { sealModules } from './server.ts';

export const stamps: ModuleDefinition = {
  menus,
  seed: seedStamps,
  servers: (services) => [...sealModules(services), applicationModule(services)],
  tasks: ({ databases }) => applicationTasks(databases),
  schedules: applicationSchedules,
  records: applications.brings.records,
  linked: applications.brings.linked,
  owners: { ...owners, [pictureModule]: pictureOwner },
  waits: [sealingWaits, custodyWaits],
  feeds: stampFeeds,
};
