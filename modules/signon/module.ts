import type { ModuleDefinition } from '../definition.ts';
import { signOnModule } from './server.ts';

export const signOn: ModuleDefinition = { servers: (services) => [signOnModule(services)] };
