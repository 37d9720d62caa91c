import { forgetAlumnus, optedOut } from '#modules/sms/service.ts';
import type { ModuleDefinition } from '../definition.ts';
import { menus } from './seed.ts';
import { alumniModule } from './server.ts';

export const alumni: ModuleDefinition = {
  menus,
  servers: (services) => [alumniModule({ ...services, optedOut, forgetAlumnus })],
};
