import type { ModuleDefinition } from '../definition.ts';
import { superviseFeeds, superviseLeaves, superviseLinks, superviseWaits } from './jobs/brings.ts';
import { superviseSchedules, superviseTasks } from './jobs/jobs.ts';
import { module } from './record/visibility.ts';
import { menus } from './seed.ts';
import { supervisionModules } from './server.ts';
import { fileRule } from './subs/hung.ts';

export const supervision: ModuleDefinition = {
  menus,
  servers: supervisionModules,
  tasks: (services) => superviseTasks(services.databases),
  schedules: superviseSchedules,
  owners: { [module]: fileRule },
  linked: { [module]: superviseLinks },
  waits: superviseWaits,
  leaves: superviseLeaves,
  feeds: superviseFeeds,
};
