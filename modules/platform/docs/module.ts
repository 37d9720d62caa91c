import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { docsModule } from './server.ts';

export const docs: ModuleDefinition = {
  menus,
  servers: ({ version, product }) => [docsModule(version, product.servers)],
};
