import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { tokensModule } from './server.ts';

export const tokens: ModuleDefinition = {
  menus,
  servers: () => [tokensModule],
};
