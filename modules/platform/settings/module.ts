import { imageKinds } from '#kernel/contract/upload.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { settingsModule } from './server.ts';
import { ownSteps } from './setup/own.ts';
import { setupModule } from './setup/server.ts';

export const settings: ModuleDefinition = {
  logNames: { settings: '系统设置' },
  menus,
  servers: () => [settingsModule, setupModule],
  setup: ownSteps,
  owners: { settings: { kinds: imageKinds, imageSize: 1024, may: async () => true } },
};
