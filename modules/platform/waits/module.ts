import type { ModuleDefinition } from '#kernel/server/product.ts';
import { waitsModule } from './server.ts';

/** What waits for somebody, of all modules. */
export const waits: ModuleDefinition = { servers: () => [waitsModule] };
