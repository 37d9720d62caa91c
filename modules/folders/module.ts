import { fileKinds } from '#kernel/contract/upload.ts';
import type { ModuleDefinition } from '../definition.ts';
import { paperSchedules, paperTask } from './reading/notify.ts';
import { menus, seedCategories, seedPublishing } from './seed.ts';
import { foldersModule } from './server.ts';
import { linkedPapers, paperRecords, seesPaper } from './service.ts';

export const folders: ModuleDefinition = {
  menus,
  async seed(tx) {
    await seedPublishing(tx);
    await seedCategories(tx);
  },
  servers: (services) => [foldersModule(services)],
  tasks: ({ databases }) => [paperTask(databases)],
  schedules: paperSchedules,
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
