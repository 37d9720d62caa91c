import type { ModuleDefinition } from '#kernel/server/product.ts';
import { linksModule } from './server.ts';

export const links: ModuleDefinition = {
  logNames: { links: '关联' },
  servers: () => [linksModule],
};
