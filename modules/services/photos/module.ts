import type { ModuleDefinition } from '#kernel/server/product.ts';
import { albumLeaves } from './albums/leaves.ts';
import { albumLinks } from './linked.ts';
import { photoFiles } from './owner.ts';
import { photoNews, photoSchedules, photoTasks } from './review/news.ts';
import { menus, seedAlbums } from './seed.ts';
import { photoModules } from './server.ts';
import { openAlbum, photosOf } from './service.ts';
import { photoWaits } from './waits.ts';

export const photos: ModuleDefinition = {
  logNames: { photos: '相册' },
  menus,
  grants: {
    staff: 'photo/list:Retrieve photo/mine:*',
    photo_admin: 'photo/*:*',
  },
  news: [photoNews],
  seed: seedAlbums,
  servers: () => photoModules,
  albums: { open: openAlbum, photosOf },
  owners: { photos: photoFiles },
  linked: { photos: albumLinks },
  tasks: photoTasks,
  schedules: photoSchedules,
  waits: [photoWaits],
  leaves: [albumLeaves],
  demos: [{ order: 180, load: async () => (await import('./demo.ts')).addDemoPhotos }],
};
