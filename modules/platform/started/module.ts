import type { ModuleDefinition } from '#kernel/server/product.ts';
import { startedModule } from './server.ts';

/** Everything somebody started, of all modules. */
export const started: ModuleDefinition = {
  logNames: { started: '我发起的' },
  servers: () => [startedModule],
};
