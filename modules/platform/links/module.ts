import type { ModuleDefinition } from '#kernel/server/product.ts';
import { linksModule } from './server.ts';

export const links: ModuleDefinition = { servers: () => [linksModule] };
