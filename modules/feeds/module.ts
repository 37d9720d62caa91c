import type { ModuleDefinition } from '../definition.ts';
import { feedsModule } from './server.ts';

export const feeds: ModuleDefinition = {
  servers: (services) => [feedsModule({ ...services, feeds: services.product.feeds })],
};
