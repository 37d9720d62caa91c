import { count, eq, sql } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import {
  alreadyOffered,
  buttonCalls,
  buttonInUse,
  codeTaken,
  grantedToRoles,
  menuButtonCalls,
} from '../contract/buttons.ts';
import { rightsChanged } from '../service.ts';
import { buttonTable, menuButtonTable, menuTable, roleButtonTable } from '../tables.ts';

const menuButtonRow = {
  id: menuButtonTable.id,
  menu: menuButtonTable.menu_id,
  menuName: menuTable.name,
  button: menuButtonTable.button_id,
  code: sql<PermissionCode>`${buttonTable.code}`,
  name: menuButtonTable.name,
  order_id: menuButtonTable.order_id,
  version: menuButtonTable.version,
};

// Written out: in a select from one table columns carry no table name, and `id` would refer to the inner table.
const offering = sql<number>`(select count(*)::int from menu_button offered where offered.button_id = "button"."id")`;

export const buttonModule = implement(
  'access',
  buttonCalls,
  nounHandlers(buttonCalls, {
    table: buttonTable,
    noun: '按钮',
    select: { menus: offering },
    search: [buttonTable.name, buttonTable.code],
    refuses: (row, _viewer, code) => (code === 'Delete' && row.menus > 0 ? buttonInUse(row.menus) : null),
    unique: { button_code_unique: (row) => codeTaken(row.code) },
  }),
);

export const menuButtonModule = implement('access', menuButtonCalls, {
  menuButtons: ({ query }, { tx }) =>
    selectMenuButtons(tx)
      .where(query.menu === undefined ? undefined : eq(menuButtonTable.menu_id, query.menu))
      .orderBy(menuButtonTable.menu_id, menuButtonTable.order_id, menuButtonTable.id),

  addMenuButton: async ({ body }, { tx, audit }) => {
    const [menu] = await tx.select().from(menuTable).where(eq(menuTable.id, body.menu)).for('share');
    if (!menu) throw absent('所选的菜单');
    const button = await buttonById(tx, body.button);
    const [row] = await tx
      .insert(menuButtonTable)
      .values({ menu_id: menu.id, button_id: button.id, name: body.name ?? button.name, order_id: body.order_id })
      .returning()
      .catch(refuseOn('menu_button_unique', () => alreadyOffered(button.name)));
    const after = { 菜单: menu.name, 代码: button.code, 名称: row!.name, 排序: row!.order_id };
    audit({ type: '菜单按钮', id: row!.id, title: `${menu.name} - ${row!.name}`, after });
    await rightsChanged(tx, 'all');
    return { id: row!.id };
  },

  changeMenuButton: async ({ params, body }, { tx, audit }) => {
    const before = await menuButtonById(tx, params.id);
    checkVersion('菜单按钮', before, body.version, before);
    const [after] = await tx
      .update(menuButtonTable)
      .set({ name: body.name, order_id: body.order_id, ...touched(menuButtonTable) })
      .where(eq(menuButtonTable.id, params.id))
      .returning();
    audit({
      type: '菜单按钮',
      id: params.id,
      title: `${before.menuName} - ${after!.name}`,
      before: { 名称: before.name, 排序: before.order_id },
      after: { 名称: after!.name, 排序: after!.order_id },
    });
    await rightsChanged(tx, 'all');
    return { id: params.id };
  },

  removeMenuButton: async ({ params }, { tx, audit }) => {
    const before = await menuButtonById(tx, params.id);
    const [roles] = await tx
      .select({ count: count() })
      .from(roleButtonTable)
      .where(eq(roleButtonTable.menu_button_id, params.id));
    if (roles!.count > 0) throw grantedToRoles(roles!.count);
    await tx.delete(menuButtonTable).where(eq(menuButtonTable.id, params.id));
    audit({
      type: '菜单按钮',
      id: params.id,
      title: `${before.menuName} - ${before.name}`,
      before: { 菜单: before.menuName, 代码: before.code, 名称: before.name, 排序: before.order_id },
    });
    await rightsChanged(tx, 'all');
    return { id: params.id };
  },
});

async function buttonById(tx: Db, id: number) {
  const [row] = await tx.select().from(buttonTable).where(eq(buttonTable.id, id)).for('update');
  if (!row) throw absent('该按钮');
  return row;
}

function selectMenuButtons(tx: Db) {
  return tx
    .select(menuButtonRow)
    .from(menuButtonTable)
    .innerJoin(buttonTable, eq(buttonTable.id, menuButtonTable.button_id))
    .innerJoin(menuTable, eq(menuTable.id, menuButtonTable.menu_id));
}

async function menuButtonById(tx: Db, id: number) {
  const [row] = await selectMenuButtons(tx).where(eq(menuButtonTable.id, id)).for('update', { of: menuButtonTable });
  if (!row) throw absent('该菜单按钮');
  return row;
}
