import type { ModuleDefinition } from '#kernel/server/product.ts';
import { feedsModule } from './server.ts';

export const feeds: ModuleDefinition = {
  logNames: { feeds: '日历订阅' },
  servers: (services) => [feedsModule({ ...services, feeds: services.product.feeds })],
};
