import { menus } from '#modules/access/seed.ts';
import { buttonModule } from '#modules/access/server/buttons.ts';
import { menuModule } from '#modules/access/server/menus.ts';
import { roleModule } from '#modules/access/server/roles.ts';
import type { Part } from '../part.ts';

export const accessPart: Part = { menus, servers: () => [menuModule, buttonModule, roleModule] };
