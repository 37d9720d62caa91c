import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { buttonModule, menuButtonModule } from './server/buttons.ts';
import { menuModule } from './server/menus.ts';
import { roleModule } from './server/roles.ts';

export const access: ModuleDefinition = {
  logNames: { access: '角色与菜单' },
  menus,
  grants: {
    reception: 'index:* todo:* calendar:*',
    org_admin: 'system/role:Retrieve',
    auditor: 'system/role:Retrieve',
  },
  servers: () => [menuModule, buttonModule, menuButtonModule, roleModule],
};
