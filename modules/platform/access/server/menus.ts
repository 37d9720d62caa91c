import { asc, eq } from 'drizzle-orm';
import type { BodyOf, PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { checkPlace, lockTree, moveNode, refuseUnlessEmpty, type Tree } from '#kernel/server/tree/tree.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { builtIn, menuCalls, pathTaken, superOnly } from '../contract/menus.ts';
import { menusFor, rightsChanged } from '../service.ts';
import { buttonTable, menuButtonTable, menuTable } from '../tables.ts';

type Menu = typeof menuTable.$inferSelect;
const tree: Tree = { table: menuTable, parent: menuTable.parent_id, order: menuTable.order_id, noun: '菜单' };

export const menuModule = implement('access', menuCalls, {
  webRouter: async ({ query }, { tx, user }) => {
    const rows = (await menusInOrder(tx)).filter(
      (row) => query.is_mobile === undefined || row.is_mobile === query.is_mobile,
    );
    const offered = await codesByMenu(tx);
    const seen = await menusFor(tx, user);
    const shown = seen === 'all' ? rows : withHeadings(rows, seen);
    return shown.map((row) => ({ ...itemOf(row), menuPermission: codesFor(user, row, offered) }));
  },

  menus: async (_input, { tx, user }) => {
    const rows = await menusInOrder(tx);
    const offered = await codesByMenu(tx);
    return rows.map((row) => ({
      ...itemOf(row),
      menuPermission: offered.get(row.id) ?? [],
      order_id: row.order_id,
      is_mobile: row.is_mobile,
      gmt_modified: row.gmt_modified,
      version: row.version,
      actions: actionsOn(row, user),
    }));
  },

  addMenu: async ({ body }, { tx, user, audit }) => {
    if (body.component && !user.superAdmin) throw superOnly('页面组件');
    await lockTree(tx, tree);
    await checkPlace(tx, tree, null, body.parent || null);
    const [row] = await tx
      .insert(menuTable)
      .values({ ...columnsOf(body), name: body.name, web_path: body.web_path })
      .returning()
      .catch(refuseOn('menu_path_unique', () => pathTaken(body.web_path)));
    audit({ type: '菜单', id: row!.id, title: body.name, after: audited(row!) });
    await rightsChanged(tx, 'all');
    return { id: row!.id };
  },

  changeMenu: async ({ params, body }, { tx, user, audit }) => {
    await lockTree(tx, tree);
    const before = await menuById(tx, params.id);
    checkVersion('菜单', before, body.version, itemOf(before));
    if (body.component !== undefined && body.component !== before.component && !user.superAdmin)
      throw superOnly('页面组件');
    await checkPlace(tx, tree, params.id, body.parent || null);
    const [after] = await tx
      .update(menuTable)
      .set({ ...columnsOf(body), ...touched(menuTable) })
      .where(eq(menuTable.id, params.id))
      .returning()
      .catch(refuseOn('menu_path_unique', () => pathTaken(body.web_path ?? before.web_path)));
    audit({ type: '菜单', id: params.id, title: after!.name, before: audited(before), after: audited(after!) });
    await rightsChanged(tx, 'all');
    return { id: params.id };
  },

  moveMenu: async ({ params: { id }, body }, { tx, audit }) => {
    await lockTree(tx, tree);
    const before = await menuById(tx, id);
    await moveNode(tx, tree, id, body).catch(refuseOn('menu_path_unique', () => pathTaken(before.web_path)));
    const after = await menuById(tx, id);
    audit({ type: '菜单', id, title: after.name, before: audited(before), after: audited(after) });
    await rightsChanged(tx, 'all');
    return { id };
  },

  removeMenu: async ({ params }, { tx, user, audit }) => {
    await lockTree(tx, tree);
    const before = await menuById(tx, params.id);
    if (before.component && !user.superAdmin) throw superOnly('带页面组件的菜单');
    if (before.built_in !== null) throw builtIn(before.name);
    await refuseUnlessEmpty(tx, tree, before);
    await tx.delete(menuTable).where(eq(menuTable.id, params.id));
    audit({ type: '菜单', id: params.id, title: before.name, before: audited(before) });
    await rightsChanged(tx, 'all');
    return { id: params.id };
  },
});

function menusInOrder(tx: Db): Promise<Menu[]> {
  return tx.select().from(menuTable).orderBy(asc(menuTable.order_id), asc(menuTable.id));
}

async function menuById(tx: Db, id: number): Promise<Menu> {
  const [row] = await tx.select().from(menuTable).where(eq(menuTable.id, id)).for('update');
  if (!row) throw absent('该菜单');
  return row;
}

/** Visible rows and their ancestors. */
function withHeadings(rows: readonly Menu[], seen: ReadonlySet<number>): Menu[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const shown = new Set<number>();
  for (const id of seen)
    for (let at = byId.get(id); at && !shown.has(at.id); at = byId.get(at.parent_id ?? 0)) shown.add(at.id);
  return rows.filter((row) => shown.has(row.id));
}

async function codesByMenu(tx: Db): Promise<Map<number, PermissionCode[]>> {
  const rows = await tx
    .select({ menu_id: menuButtonTable.menu_id, code: buttonTable.code })
    .from(menuButtonTable)
    .innerJoin(buttonTable, eq(buttonTable.id, menuButtonTable.button_id))
    .orderBy(asc(menuButtonTable.order_id), asc(menuButtonTable.id));
  const codes = new Map<number, PermissionCode[]>();
  for (const { menu_id: menuId, code } of rows)
    codes.set(menuId, [...(codes.get(menuId) ?? []), code as PermissionCode]);
  return codes;
}

function codesFor(user: Viewer, row: Menu, offered: ReadonlyMap<number, PermissionCode[]>): PermissionCode[] {
  return (offered.get(row.id) ?? []).filter((code) => holds(user, code, row.component));
}

function itemOf(row: Menu) {
  const { id, name, component, icon, visible, affix, meta } = row;
  return {
    id,
    parent: row.parent_id,
    name,
    web_path: row.web_path,
    component,
    icon,
    visible,
    is_link: row.is_link,
    affix,
    meta,
  };
}

function columnsOf(body: Partial<BodyOf<typeof menuCalls.changeMenu>>): Partial<typeof menuTable.$inferInsert> {
  const { parent, version: _version, ...same } = body;
  return { ...same, parent_id: parent === undefined ? undefined : parent || null };
}

function actionsOn(row: Menu, user: Viewer): string[] {
  const may = (code: PermissionCode) => holds(user, code, 'system/menu');
  const removable = may('Delete') && row.built_in === null && (row.component === '' || user.superAdmin);
  return [...(may('Update') ? ['update'] : []), ...(removable ? ['delete'] : [])];
}

function audited(row: Menu): Record<string, unknown> {
  return {
    名称: row.name,
    上级: row.parent_id,
    路径: row.web_path,
    页面组件: row.component,
    图标: row.icon,
    显示: row.visible,
    排序: row.order_id,
    移动端: row.is_mobile,
    外部链接: row.is_link,
    固定标签: row.affix,
  };
}
