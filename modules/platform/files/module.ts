import type { ModuleDefinition } from '#kernel/server/product.ts';
import { filesModule } from './server.ts';

export const files: ModuleDefinition = {
  servers: (services) => [filesModule({ ...services, owners: services.product.owners })],
};
