import { imageKinds } from '#kernel/contract/upload.ts';
import { menus } from '#modules/settings/seed.ts';
import { settingsModule } from '#modules/settings/server.ts';
import type { Part } from '../part.ts';

export const settingsPart: Part = {
  menus,
  servers: (services) => [settingsModule(services)],
  owners: { settings: { kinds: imageKinds, imageSize: 1024, may: async () => true } },
};
