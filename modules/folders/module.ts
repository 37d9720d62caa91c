import type { ModuleDefinition } from '../definition.ts';
import { categoryLeaves } from './leaves.ts';
import { paperSchedules, paperTask, paperWaits } from './reading/notify.ts';
import { menus, seedFolders } from './seed.ts';
import { foldersModules } from './server.ts';
import { papers } from './service.ts';

export const folders: ModuleDefinition = {
  menus,
  seed: seedFolders,
  servers: () => foldersModules,
  tasks: ({ databases }) => [paperTask(databases)],
  schedules: paperSchedules,
  waits: [paperWaits],
  leaves: [categoryLeaves],
  ...papers.brings,
};
