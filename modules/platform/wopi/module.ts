import type { ModuleDefinition } from '#kernel/server/product.ts';
import { wopiModule } from './server.ts';

export const wopi: ModuleDefinition = { servers: () => [wopiModule] };
