import type { ModuleDefinition } from '../definition.ts';
import { feedsModule } from './server.ts';

export const feeds: ModuleDefinition = {
  servers: (services, product) => [feedsModule({ ...services, feeds: product.feeds })],
};
