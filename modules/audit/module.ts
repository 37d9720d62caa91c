import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { auditModule } from './server.ts';

export const audit: ModuleDefinition = { menus, servers: () => [auditModule] };
