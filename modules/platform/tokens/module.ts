import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { tokensModule } from './server.ts';

export const tokens: ModuleDefinition = {
  logNames: { tokens: '应用令牌' },
  menus,
  servers: () => [tokensModule],
};
