import type { ModuleDefinition } from '#kernel/server/product.ts';
import { menus } from './seed.ts';
import { buttonModule, menuButtonModule } from './server/buttons.ts';
import { menuModule } from './server/menus.ts';
import { roleModule } from './server/roles.ts';

export const access: ModuleDefinition = {
  menus,
  servers: () => [menuModule, buttonModule, menuButtonModule, roleModule],
};
