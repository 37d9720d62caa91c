import type { ModuleDefinition } from '../definition.ts';
import { letterheadsModule } from './server.ts';

export const letterheads: ModuleDefinition = { servers: () => [letterheadsModule] };
