import { fileKinds } from '#kernel/contract/upload.ts';
import { menus, seedCategories, seedPublishing } from '#modules/folders/seed.ts';
import { foldersModule } from '#modules/folders/server.ts';
import { paperRecords, linkedPapers, seesPaper } from '#modules/folders/service.ts';
import { paperSchedules, paperTask } from '#modules/folders/reading/notify.ts';
import { categoryLeaves } from '#modules/folders/leaves.ts';
import { paperWaits } from '#modules/folders/waits.ts';
import type { Part } from '../part.ts';

export const foldersPart: Part = {
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
