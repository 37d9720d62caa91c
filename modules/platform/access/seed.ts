import { isNotNull } from 'drizzle-orm';
import { permissionCodes, type PermissionCode } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import type { SeededRole } from './roles.ts';
import { buttonTable, menuButtonTable, menuTable, roleButtonTable, roleMenuTable, roleTable } from './tables.ts';

/** A menu row of a module, identified by its `key`: the page component, or for a heading (`heading: true`) a name of its own. */
export interface MenuSeed {
  key: string;
  parent?: string;
  title: string;
  path: string;
  icon: string;
  order: number;
  codes?: readonly PermissionCode[];
  heading?: boolean;
  visible?: boolean;
  affix?: boolean;
}

export const menus: MenuSeed[] = [
  { key: 'index', title: '首页', path: '/index', icon: 'HomeOutlined', order: 10, affix: true },
  { key: 'todo', title: '待办', path: '/todo', icon: 'InboxOutlined', order: 11 },
  { key: 'calendar', title: '我的日程', path: '/calendar', icon: 'CalendarOutlined', order: 12 },
  { key: 'system', title: '系统管理', path: '/system', icon: 'SettingOutlined', order: 900, heading: true },
  ...(
    [
      ['system/role', '角色管理', 'role', 'TeamOutlined', 'Create,Retrieve,Update,Delete'],
      ['system/menu', '菜单管理', 'menu', 'MenuOutlined', 'Create,Retrieve,Update,Delete'],
      ['system/button', '按钮管理', 'button', 'AppstoreOutlined', 'Create,Retrieve,Update,Delete'],
      ['system/menu_button', '菜单按钮', 'menu_button', 'AppstoreAddOutlined', 'Create,Retrieve,Update,Delete'],
    ] as const
  ).map(([key, title, path, icon, codes], index) => ({
    key,
    parent: 'system',
    title,
    path,
    icon,
    order: 930 + index * 10,
    codes: codes.split(',') as PermissionCode[],
  })),
];

const buttons: Record<PermissionCode, string> = {
  Create: '新增',
  Retrieve: '查看',
  Update: '编辑',
  Delete: '删除',
  chuli: '处理',
  daochu: '导出',
};

/** Adds the six buttons and the roles if they are missing. Idempotent. */
export async function seedRoles(tx: Db, roles: readonly SeededRole[]): Promise<void> {
  await tx
    .insert(buttonTable)
    .values(permissionCodes.map((code, index) => ({ code, name: buttons[code], order_id: (index + 1) * 10 })))
    .onConflictDoNothing();
  await tx
    .insert(roleTable)
    .values(
      roles.map((role, index) => ({
        code: role.code,
        name: role.name,
        data_scope: role.dataScope,
        is_system: true,
        order_id: (index + 1) * 10,
        search: searchVector({ texts: [role.name], codes: [role.code] }),
      })),
    )
    .onConflictDoNothing();
}

/**
 * Adds missing menus with their codes, and grants each new one to the seeded roles. Existing rows stay as the administrator left them, whatever their
 * name and place.
 */
export async function seedMenus(tx: Db, wanted: readonly MenuSeed[], roles: readonly SeededRole[]): Promise<void> {
  const buttonRows = await tx.select().from(buttonTable);
  const roleRows = await tx.select().from(roleTable);
  const known = await tx
    .select({ key: menuTable.built_in, id: menuTable.id })
    .from(menuTable)
    .where(isNotNull(menuTable.built_in));
  const ids = new Map(known.map((row) => [row.key!, row.id]));
  for (const menu of wanted) {
    if (ids.has(menu.key)) continue;
    const [row] = await tx
      .insert(menuTable)
      .values({
        parent_id: menu.parent ? (ids.get(menu.parent) ?? null) : null,
        name: menu.title,
        web_path: menu.path,
        component: menu.heading ? '' : menu.key,
        icon: menu.icon,
        order_id: menu.order,
        visible: menu.visible ?? true,
        affix: menu.affix ?? false,
        built_in: menu.key,
      })
      // An administrator's own menu at that path stays.
      .onConflictDoNothing()
      .returning({ id: menuTable.id });
    if (!row) continue;
    ids.set(menu.key, row.id);
    for (const [index, code] of (menu.codes ?? []).entries()) {
      const button = buttonRows.find((candidate) => candidate.code === code);
      if (!button) continue;
      const [offered] = await tx
        .insert(menuButtonTable)
        .values({ menu_id: row.id, button_id: button.id, name: button.name, order_id: (index + 1) * 10 })
        .returning({ id: menuButtonTable.id });
      const holders = roles.filter((role) => role.grants(menu.key, code)).map((role) => role.code);
      const roleIds = roleRows.filter((role) => holders.includes(role.code)).map((role) => role.id);
      if (offered && roleIds.length > 0)
        await tx
          .insert(roleButtonTable)
          .values(roleIds.map((roleId) => ({ role_id: roleId, menu_button_id: offered.id })));
    }
    const seers = roles.filter((role) => role.sees(menu.key)).map((role) => role.code);
    const seerIds = roleRows.filter((role) => seers.includes(role.code)).map((role) => role.id);
    if (!menu.heading && seerIds.length > 0)
      await tx.insert(roleMenuTable).values(seerIds.map((roleId) => ({ role_id: roleId, menu_id: row.id })));
  }
}

declare module '#kernel/server/product.ts' {
  interface ModuleDefinition {
    /** Menu entries, parents before children. */
    menus?: readonly MenuSeed[];
  }
}
