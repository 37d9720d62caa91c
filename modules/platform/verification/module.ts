import type { ModuleDefinition } from '#kernel/server/product.ts';
import { verificationModule } from './server.ts';

export const verification: ModuleDefinition = {
  logNames: { verification: '公文核验' },
  servers: () => [verificationModule],
};
