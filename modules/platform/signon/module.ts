import type { ModuleDefinition } from '#kernel/server/product.ts';
import { signOnModule } from './server.ts';

export const signOn: ModuleDefinition = { servers: (services) => [signOnModule(services)] };
