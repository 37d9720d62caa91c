import type { ModuleDefinition } from '#kernel/server/product.ts';
import { fileNews } from './quota.ts';
import { filesModule } from './server.ts';

export const files: ModuleDefinition = {
  logNames: { files: '文件' },
  news: [fileNews],
  servers: (services) => [filesModule({ ...services, owners: services.product.owners })],
};
