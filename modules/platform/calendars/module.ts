import type { ModuleDefinition } from '#kernel/server/product.ts';
import { calendarsModule } from './server.ts';

/** On which days there is work. */
export const calendars: ModuleDefinition = { servers: () => [calendarsModule] };
