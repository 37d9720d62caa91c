import type { ModuleDefinition } from '#kernel/server/product.ts';
import { wopiModule } from './server.ts';

export const wopi: ModuleDefinition = {
  logNames: { wopi: '在线编辑' },
  servers: () => [wopiModule],
};
