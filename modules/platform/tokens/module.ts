import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { tokensModule } from './server.ts';

export const tokens: ModuleDefinition = {
  menus,
  servers: () => [tokensModule],
};
