import type { ModuleDefinition } from '../definition.ts';
import { verificationModule } from './server.ts';

export const verification: ModuleDefinition = {
  servers: () => [verificationModule],
};
