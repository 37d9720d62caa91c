import type { ModuleDefinition } from '../definition.ts';
import { wopiModule } from './server.ts';

export const wopi: ModuleDefinition = { servers: () => [wopiModule] };
