import type { ModuleDefinition } from '#kernel/server/product.ts';
import { forgetAlumnus, optedOut } from '#modules/platform/sms/service.ts';
import { menus } from './seed.ts';
import { alumniModule } from './server.ts';

export const alumni: ModuleDefinition = {
  logNames: { alumni: '校友' },
  menus,
  grants: {
    alumni_admin: 'alumnus/list:*',
  },
  servers: (services) => [alumniModule({ ...services, optedOut, forgetAlumnus })],
};
