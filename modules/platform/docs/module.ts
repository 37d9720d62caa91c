import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { docsModule } from './server.ts';

export const docs: ModuleDefinition = {
  logNames: { docs: '接口文档' },
  menus,
  servers: ({ version, product }) => [docsModule(version, product.servers)],
};
