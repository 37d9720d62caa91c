import { categoryLeaves } from '#modules/folders/leaves.ts';
import { menus, seedFolders } from '#modules/folders/seed.ts';
import { foldersModules } from '#modules/folders/server.ts';
import { papers } from '#modules/folders/service.ts';
import { paperSchedules, paperTask, paperWaits } from '#modules/folders/reading/notify.ts';
import type { Part } from '../part.ts';

export const foldersPart: Part = {
  menus,
  seed: seedFolders,
  servers: foldersModules,
  tasks: ({ databases }) => [paperTask(databases)],
  schedules: paperSchedules,
  waits: [paperWaits],
  leaves: [categoryLeaves],
  ...papers.brings,
};
