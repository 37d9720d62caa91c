import { fileKinds } from '#kernel/contract/upload.ts';
import type { ModuleDefinition } from '../definition.ts';
import { categoryLeaves } from './leaves.ts';
import { paperSchedules, paperTask } from './reading/notify.ts';
import { menus, seedCategories, seedPublishing } from './seed.ts';
import { foldersModule } from './server.ts';
import { linkedPapers, paperRecords, seesPaper } from './service.ts';
import { paperWaits } from './waits.ts';

export const folders: ModuleDefinition = {
  menus,
  async seed(tx) {
    await seedPublishing(tx);
    await seedCategories(tx);
  },
  servers: (services) => [foldersModule(services)],
  tasks: ({ databases }) => [paperTask(databases)],
  schedules: paperSchedules,
  waits: [paperWaits],
  leaves: [categoryLeaves],
  owners: {
    folders: {
      kinds: fileKinds,
      imageSize: 2560,
      marked: true,
      may: (viewer, file, tx) => seesPaper(tx, viewer, Number(file.recordId)),
    },
  },
  records: { folders: paperRecords },
  linked: { folders: linkedPapers },
};
