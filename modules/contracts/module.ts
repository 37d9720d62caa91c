import type { ModuleDefinition } from '../definition.ts';
import { contractLeaves } from './ledger/handover.ts';
import { contractFeeds, contractSchedules, contractTasks, contractWaits } from './jobs/jobs.ts';
import { contracts as records } from './record/record.ts';
import { menus, seedContracts } from './seed.ts';
import { contractModules } from './server.ts';
import { verifiedContracts } from './texts/verified.ts';

export const contracts: ModuleDefinition = {
  menus,
  seed: seedContracts,
  servers: contractModules,
  tasks: ({ databases }) => contractTasks(databases),
  schedules: contractSchedules,
  feeds: contractFeeds,
  waits: [contractWaits],
  leaves: [contractLeaves],
  verified: { contracts: verifiedContracts },
  ...records.brings,
};
