import type { ModuleDefinition } from '#kernel/server/product.ts';
import { categoryLeaves } from './leaves.ts';
import { paperNews, paperSchedules, paperTask, paperWaits } from './reading/notify.ts';
import { menus, seedFolders } from './seed.ts';
import { foldersModules } from './server.ts';
import { outdatedIn } from './papers/cited.ts';
import { paperFrom, paperOf } from './papers/from-document.ts';
import { papers, viewerOf } from './papers/record.ts';

export const folders: ModuleDefinition = {
  logNames: { folders: '制度文件' },
  news: [paperNews],
  menus,
  grants: {
    office_admin: 'folder/*:*',
    staff: 'folder/index:Retrieve folder/collect:Retrieve',
    folder_admin: 'folder/*:*',
    folder_keeper: 'folder/papers:* folder/statistics:*',
  },
  seed: seedFolders,
  servers: () => foldersModules,
  tasks: ({ databases }) => [paperTask(databases)],
  schedules: paperSchedules,
  waits: [paperWaits],
  leaves: [categoryLeaves],
  papers: {
    outdatedIn: async (tx, user, text) => outdatedIn(tx, await viewerOf(tx, user), text),
    paperOf,
    paperFrom,
  },
  ...papers.brings,
  demos: [{ order: 20, load: async () => (await import('./demo.ts')).addDemoPapers }],
};
