import type { ModuleDefinition } from '../definition.ts';
import { linksModule } from './server.ts';

export const links: ModuleDefinition = { servers: () => [linksModule] };
