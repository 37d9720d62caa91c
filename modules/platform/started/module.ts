import type { ModuleDefinition } from '#kernel/server/product.ts';
import { startedModule } from './server.ts';

/** What somebody started, of all modules. */
export const started: ModuleDefinition = { servers: () => [startedModule] };
