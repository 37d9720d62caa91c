import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { docsModule } from './server.ts';

export const docs: ModuleDefinition = {
  menus,
  servers: ({ version, product }) => [docsModule(version, product.servers)],
};
