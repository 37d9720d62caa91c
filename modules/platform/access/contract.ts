import { menuButtonCalls } from './contract/buttons.ts';
import { menuCalls } from './contract/menus.ts';
import { roleCalls } from './contract/roles.ts';

export type { MenuItem, MenuRow } from './contract/menus.ts';
export { buttonCalls, type MenuButtonRow } from './contract/buttons.ts';
export type { Role, RoleRow } from './contract/roles.ts';

/** Menus, buttons and roles: visibility and permissions. */
export const access = { ...menuCalls, ...menuButtonCalls, ...roleCalls };
