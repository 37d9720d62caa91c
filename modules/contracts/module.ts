import type { ModuleDefinition } from '../definition.ts';
import { packingTask } from './archive/packing.ts';
import { contractLeaves } from './ledger/handover.ts';
import { contractFeeds, contractSchedules, contractTasks, contractWaits } from './jobs/jobs.ts';
import { sealedContracts } from './register/sealing.ts';
import { contracts as records } from './record/record.ts';
import { menus, seedContracts } from './seed.ts';
import { contractModules } from './server.ts';
import { finalTask } from './texts/final.ts';
import { verifiedContracts } from './texts/verified.ts';

export const contracts: ModuleDefinition = {
  menus,
  seed: seedContracts,
  servers: contractModules,
  tasks: (services) => [...contractTasks(services.databases), finalTask(services), packingTask(services)],
  schedules: contractSchedules,
  feeds: contractFeeds,
  waits: [contractWaits],
  leaves: [contractLeaves],
  stampable: { contracts: sealedContracts },
  verified: { contracts: verifiedContracts },
  ...records.brings,
};
