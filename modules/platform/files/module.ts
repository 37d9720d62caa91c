import type { ModuleDefinition } from '#kernel/server/product.ts';
import { fileNews } from './quota.ts';
import { filesModule } from './server.ts';

export const files: ModuleDefinition = {
  news: [fileNews],
  servers: (services) => [filesModule({ ...services, owners: services.product.owners })],
};
