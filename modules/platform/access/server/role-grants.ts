import { asc, eq, inArray } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { dataScope, unknownDepts, unknownGrant } from '../contract/roles.ts';
import { menuButtonTable, menuTable, roleButtonTable, roleMenuTable, roleScopeDeptTable } from '../tables.ts';

/** Ids of the menus that roles see and of the menu buttons they hold. */
export async function grantsOf(tx: Db, roleIds: readonly number[]): Promise<{ menus: number[]; buttons: number[] }> {
  const ids = [...roleIds];
  const menus = await tx
    .selectDistinct({ id: roleMenuTable.menu_id })
    .from(roleMenuTable)
    .where(inArray(roleMenuTable.role_id, ids))
    .orderBy(asc(roleMenuTable.menu_id));
  const buttons = await tx
    .selectDistinct({ id: roleButtonTable.menu_button_id })
    .from(roleButtonTable)
    .where(inArray(roleButtonTable.role_id, ids))
    .orderBy(asc(roleButtonTable.menu_button_id));
  return { menus: menus.map((row) => row.id), buttons: buttons.map((row) => row.id) };
}

export async function scopeDeptsOf(tx: Db, roleId: number): Promise<number[]> {
  const rows = await tx.select().from(roleScopeDeptTable).where(eq(roleScopeDeptTable.role_id, roleId));
  return rows.map((row) => row.dept_id).toSorted((a, b) => a - b);
}

/** Replaces the menus and the buttons of a role, each only if given. */
export async function saveGrants(
  tx: Db,
  roleId: number,
  wanted: { menus?: readonly number[] | undefined; buttons?: readonly number[] | undefined },
): Promise<void> {
  const menus = wanted.menus && [...new Set(wanted.menus)];
  const buttons = wanted.buttons && [...new Set(wanted.buttons)];
  if (menus) {
    if ((await tx.$count(menuTable, inArray(menuTable.id, menus))) < menus.length) throw unknownGrant();
    await tx.delete(roleMenuTable).where(eq(roleMenuTable.role_id, roleId));
    if (menus.length > 0)
      await tx.insert(roleMenuTable).values(menus.map((menuId) => ({ role_id: roleId, menu_id: menuId })));
  }
  if (buttons) {
    if ((await tx.$count(menuButtonTable, inArray(menuButtonTable.id, buttons))) < buttons.length) throw unknownGrant();
    await tx.delete(roleButtonTable).where(eq(roleButtonTable.role_id, roleId));
    if (buttons.length > 0)
      await tx
        .insert(roleButtonTable)
        .values(buttons.map((menuButtonId) => ({ role_id: roleId, menu_button_id: menuButtonId })));
  }
}

/** Replaces the chosen departments if given; a role with another scope has none. */
export async function saveScope(
  tx: Db,
  role: { id: number; data_scope: number },
  depts: readonly number[] | undefined,
): Promise<void> {
  const wanted = role.data_scope === dataScope.depts ? depts : [];
  if (!wanted) return;
  await tx.delete(roleScopeDeptTable).where(eq(roleScopeDeptTable.role_id, role.id));
  const rows = [...new Set(wanted)].map((deptId) => ({ role_id: role.id, dept_id: deptId }));
  if (rows.length > 0)
    await tx
      .insert(roleScopeDeptTable)
      .values(rows)
      .catch(refuseOn('role_scope_dept_dept', () => unknownDepts()));
}

/** A role as the operation log shows it, by names. */
export async function auditedRole(
  tx: Db,
  role: { id: number; name: string; description: string; data_scope: number; order_id: number },
): Promise<Record<string, unknown>> {
  const menus = await tx
    .select({ name: menuTable.name })
    .from(roleMenuTable)
    .innerJoin(menuTable, eq(menuTable.id, roleMenuTable.menu_id))
    .where(eq(roleMenuTable.role_id, role.id))
    .orderBy(asc(menuTable.id));
  const buttons = await tx
    .select({ menu: menuTable.name, name: menuButtonTable.name })
    .from(roleButtonTable)
    .innerJoin(menuButtonTable, eq(menuButtonTable.id, roleButtonTable.menu_button_id))
    .innerJoin(menuTable, eq(menuTable.id, menuButtonTable.menu_id))
    .where(eq(roleButtonTable.role_id, role.id))
    .orderBy(asc(menuTable.id), asc(menuButtonTable.id));
  return {
    名称: role.name,
    说明: role.description,
    数据范围: dataScope.label(role.data_scope),
    指定部门: (await tx.services.product.holders.deptNames(tx, await scopeDeptsOf(tx, role.id))).join('、'),
    排序: role.order_id,
    菜单: menus.map((menu) => menu.name).join('、'),
    按钮: buttons.map((button) => `${button.menu} - ${button.name}`).join('、'),
  };
}
