import { eq, inArray, sql } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { notify } from '#kernel/server/live/bus.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { plainSql } from '#kernel/server/db/columns.ts';
import { covers, joinScopes, ownOnly, type Scope, type Viewer } from '#kernel/server/access/viewer.ts';
import { dataScope } from './contract/roles.ts';
import {
  buttonTable,
  menuButtonTable,
  menuTable,
  roleButtonTable,
  roleMenuTable,
  roleScopeDeptTable,
  roleTable,
} from './tables.ts';

/** Everybody signed in also holds this role. */
export const everybodysRole = 'reception';
export const superRole = 'super_admin';

export interface RoleRights {
  ids: number[];
  codes: Set<string>;
  superAdmin: boolean;
  grants: Map<string, Map<PermissionCode, Scope>>;
}

/** A person's departments, for scopes relative to them. */
export interface Place {
  depts: readonly number[];
  /** The same departments and all below them. */
  deptsBelow: readonly number[];
}

/** The holders of roles and their departments; provided by the module above that stores people. */
export interface Holders {
  /** The number of holders, by role. */
  count(tx: Db, roleIds: readonly number[]): Promise<Map<number, number>>;
  /** The departments of all holders of the role and of one more person. */
  place(tx: Db, roleId: number, besides: number): Promise<Place>;
  deptNames(tx: Db, ids: readonly number[]): Promise<string[]>;
}

/** The rights of roles, read once for many people. */
export interface RoleBook {
  /** The role everybody holds. */
  everybody: number | null;
  /** Rights of just these roles; those the book was not opened with are ignored. */
  rightsOf(roleIds: readonly number[], place: Place): RoleRights;
}

/** Reads the rights of the roles and of everybody's role: three queries for any number of people. */
export async function openRoleBook(tx: Db, roleIds: readonly number[]): Promise<RoleBook> {
  const roles = await tx
    .select({ id: roleTable.id, code: roleTable.code, data_scope: roleTable.data_scope })
    .from(roleTable)
    .where(
      roleIds.length > 0
        ? sql`${inArray(roleTable.id, [...new Set(roleIds)])} or ${eq(roleTable.code, everybodysRole)}`
        : eq(roleTable.code, everybodysRole),
    );
  const ids = roles.map((role) => role.id);
  const chosen = await tx.select().from(roleScopeDeptTable).where(inArray(roleScopeDeptTable.role_id, ids));
  const rows = await tx
    .select({ role_id: roleButtonTable.role_id, component: menuTable.component, code: buttonTable.code })
    .from(roleButtonTable)
    .innerJoin(menuButtonTable, eq(menuButtonTable.id, roleButtonTable.menu_button_id))
    .innerJoin(buttonTable, eq(buttonTable.id, menuButtonTable.button_id))
    .innerJoin(menuTable, eq(menuTable.id, menuButtonTable.menu_id))
    .where(inArray(roleButtonTable.role_id, ids));
  return {
    everybody: roles.find((role) => role.code === everybodysRole)?.id ?? null,
    rightsOf(wanted, place) {
      const held = roles.filter((role) => wanted.includes(role.id));
      const scopes = new Map(
        held.map((role) => [
          role.id,
          scopeFor(
            role.data_scope,
            chosen.filter((c) => c.role_id === role.id).map((c) => c.dept_id),
            place,
          ),
        ]),
      );
      const grants = new Map<string, Map<PermissionCode, Scope>>();
      for (const row of rows) {
        const scope = scopes.get(row.role_id);
        if (!scope) continue;
        const codes = grants.get(row.component) ?? new Map<PermissionCode, Scope>();
        const code = row.code as PermissionCode;
        codes.set(code, joinScopes([codes.get(code) ?? ownOnly, scope]));
        grants.set(row.component, codes);
      }
      const codes = new Set(held.map((role) => role.code));
      return { ids: held.map((role) => role.id), codes, superAdmin: codes.has(superRole), grants };
    },
  };
}

/** The rights of a set of roles, including everybody's role. Each permission reaches as far as the roles that grant it. */
export async function rightsOfRoles(tx: Db, roleIds: readonly number[], place: Place): Promise<RoleRights> {
  const book = await openRoleBook(tx, roleIds);
  return book.rightsOf(book.everybody === null ? roleIds : [...roleIds, book.everybody], place);
}

function scopeFor(scope: number, chosen: readonly number[], place: Place): Scope {
  switch (scope) {
    case dataScope.all:
      return { all: true, depts: new Set() };
    case dataScope.depts:
      return { all: false, depts: new Set(chosen) };
    case dataScope.dept:
      return { all: false, depts: new Set(place.depts) };
    case dataScope.below:
      return { all: false, depts: new Set(place.deptsBelow) };
    default:
      return ownOnly;
  }
}

/** Menus that roles see directly, without the headings above them. */
export async function menusOfRoles(tx: Db, roleIds: readonly number[]): Promise<Set<number>> {
  if (roleIds.length === 0) return new Set();
  const rows = await tx
    .selectDistinct({ id: roleMenuTable.menu_id })
    .from(roleMenuTable)
    .where(inArray(roleMenuTable.role_id, [...roleIds]));
  return new Set(rows.map((row) => row.id));
}

/** The menus somebody sees by their roles, without the headings above them. */
export const menusFor = async (tx: Db, viewer: Viewer): Promise<Set<number> | 'all'> =>
  viewer.superAdmin ? 'all' : menusOfRoles(tx, viewer.roleIds);

/** Every page with its buttons, in menu order. */
export async function pagesWithButtons(tx: Db) {
  const menus = await tx
    .select({ id: menuTable.id, name: menuTable.name, component: menuTable.component })
    .from(menuTable)
    .where(sql`${menuTable.component} <> ''`)
    .orderBy(menuTable.order_id, menuTable.id);
  const buttons = await tx
    .select({ menu_id: menuButtonTable.menu_id, name: menuButtonTable.name, code: buttonTable.code })
    .from(menuButtonTable)
    .innerJoin(buttonTable, eq(buttonTable.id, menuButtonTable.button_id))
    .orderBy(menuButtonTable.order_id, menuButtonTable.id);
  return menus.map((menu) => ({
    ...menu,
    buttons: buttons.flatMap(({ menu_id, name, code }) =>
      menu_id === menu.id ? [{ name, code: code as PermissionCode }] : [],
    ),
  }));
}

/** Gives a role codes of a page, by the names under which both were seeded. */
export async function grantPage(tx: Db, role: string, page: string, codes: readonly PermissionCode[]): Promise<void> {
  const [held] = await tx.select({ id: roleTable.id }).from(roleTable).where(eq(roleTable.code, role));
  const [menu] = await tx.select({ id: menuTable.id }).from(menuTable).where(eq(menuTable.component, page));
  if (!held || !menu) throw new Error(`there is no role ${role} or no menu for page ${page}`);
  await tx.insert(roleMenuTable).values({ role_id: held.id, menu_id: menu.id });
  const offered = await tx
    .select({ id: menuButtonTable.id, code: buttonTable.code })
    .from(menuButtonTable)
    .innerJoin(buttonTable, eq(buttonTable.id, menuButtonTable.button_id))
    .where(eq(menuButtonTable.menu_id, menu.id));
  for (const wanted of codes) {
    const button = offered.find(({ code }) => code === wanted);
    if (!button) throw new Error(`page ${page} does not offer ${wanted}`);
    await tx.insert(roleButtonTable).values({ role_id: held.id, menu_button_id: button.id });
  }
}

/**
 * The first right of a role, for people at a place, that the viewer does not hold to the same extent, worded for a sentence; null if there is none.
 * Granting or changing a role requires all of its rights.
 */
export async function exceeding(tx: Db, viewer: Viewer, roleId: number, place: Place): Promise<string | null> {
  if (viewer.superAdmin) return null;
  const [role] = await tx.select().from(roleTable).where(eq(roleTable.id, roleId));
  if (!role) return null;
  const chosen = await tx.select().from(roleScopeDeptTable).where(eq(roleScopeDeptTable.role_id, roleId));
  const scope = scopeFor(
    role.data_scope,
    chosen.map((row) => row.dept_id),
    place,
  );
  const mine = joinScopes([...viewer.grants.values()].flatMap((codes) => [...codes.values()]));
  if (!covers(mine, scope)) return `角色“${role.name}”的数据范围`;
  const buttons = await tx
    .select({ menu: menuTable.name, name: menuButtonTable.name, page: menuTable.component, code: buttonTable.code })
    .from(roleButtonTable)
    .innerJoin(menuButtonTable, eq(menuButtonTable.id, roleButtonTable.menu_button_id))
    .innerJoin(buttonTable, eq(buttonTable.id, menuButtonTable.button_id))
    .innerJoin(menuTable, eq(menuTable.id, menuButtonTable.menu_id))
    .where(eq(roleButtonTable.role_id, roleId));
  for (const button of buttons) {
    const held = viewer.grants.get(button.page)?.get(button.code as PermissionCode);
    if (!held || !covers(held, scope)) return `“${button.menu} - ${button.name}”`;
  }
  const seen = await menusOfRoles(tx, viewer.roleIds);
  const menus = await tx
    .select({ id: menuTable.id, name: menuTable.name, component: menuTable.component })
    .from(roleMenuTable)
    .innerJoin(menuTable, eq(menuTable.id, roleMenuTable.menu_id))
    .where(eq(roleMenuTable.role_id, roleId));
  const hidden = menus.find((menu) => menu.component !== '' && !seen.has(menu.id));
  return hidden ? `菜单“${hidden.name}”` : null;
}

/** Makes every node reload rights once the transaction commits: of one person, or of all. */
export async function rightsChanged(tx: Db, userId: number | 'all'): Promise<void> {
  await notify(tx, 'rights', String(userId));
}

export interface RoleName {
  id: number;
  name: string;
  code: string;
  data_scope: number;
}
const roleName = { id: roleTable.id, name: roleTable.name, code: roleTable.code, data_scope: roleTable.data_scope };

/** Those of the roles that exist, in display order. */
export async function rolesById(tx: Db, ids: readonly number[]): Promise<RoleName[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select(roleName)
    .from(roleTable)
    .where(inArray(roleTable.id, [...new Set(ids)]))
    .orderBy(roleTable.order_id, roleTable.id);
  return rows;
}

/** Locks roles until the caller's transaction ends, because it has checked their rights before granting them. A concurrent change of the role waits. */
export async function holdRoles(tx: Db, ids: readonly number[]): Promise<void> {
  const wanted = inArray(roleTable.id, [...new Set(ids)]);
  if (ids.length > 0)
    await tx.select({ id: roleTable.id }).from(roleTable).where(wanted).orderBy(roleTable.id).for('share');
}

/** Every role, in display order. */
export function allRoles(tx: Db): Promise<RoleName[]> {
  return tx.select(roleName).from(roleTable).orderBy(roleTable.order_id, roleTable.id);
}

/** Roles by normalised names; no two look the same. */
export async function rolesByName(tx: Db, names: readonly string[]): Promise<RoleName[]> {
  if (names.length === 0) return [];
  return tx
    .select(roleName)
    .from(roleTable)
    .where(sql`${plainSql(sql`${roleTable.name}`)} = any(${sql.param(names.map(plainly))}::text[])`);
}

export async function rolesByCode(tx: Db, codes: readonly string[]): Promise<RoleName[]> {
  if (codes.length === 0) return [];
  return tx
    .select(roleName)
    .from(roleTable)
    .where(inArray(roleTable.code, [...codes]));
}

export async function roleByCode(tx: Db, code: string): Promise<RoleName | null> {
  const [role] = await tx.select(roleName).from(roleTable).where(eq(roleTable.code, code));
  return role ?? null;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    holders: Holders;
  }
  interface ModuleDefinition {
    /** The holders of roles, provided by one module. */
    holders?: Holders;
  }
}
