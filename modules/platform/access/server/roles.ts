import { asc, eq, getTableColumns } from 'drizzle-orm';
import type { BodyOf, PermissionCode } from '#kernel/contract/call.ts';
import { absent, forbidden, type Refusal } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { implement, type Handler } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches, searchVector } from '#kernel/server/list/search.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { holds, lastingUntil, type Viewer } from '#kernel/server/access/viewer.ts';
import { superOnly } from '../contract/menus.ts';
import {
  beyondMine,
  chooseDepts,
  codeNamedByFlows,
  dataScope,
  hasMembers,
  namedByFlows,
  ownRole,
  roleCalls,
  roleCodeTaken,
  roleNameTaken,
  systemRoleKept,
} from '../contract/roles.ts';
import { exceeding, rightsChanged } from '../service.ts';
import { roleTable } from '../tables.ts';
import { auditedRole, grantsOf, saveGrants, saveScope, scopeDeptsOf } from './role-grants.ts';

const { search: _search, ...columns } = getTableColumns(roleTable);
type Role = Omit<typeof roleTable.$inferSelect, 'search'>;
type Change = typeof roleCalls.changeRole;

const change: Handler<Change> = async ({ params, body }, { tx, user, audit }) => {
  const before = await roleById(tx, params.id);
  checkVersion('角色', before, body.version, await detail(tx, user, before));
  refuse(await whyNot(tx, user, before));
  const seen = await auditedRole(tx, before);
  const [after] = await tx
    .update(roleTable)
    .set({ ...columnsOf(body, before), ...touched(roleTable) })
    .where(eq(roleTable.id, params.id))
    .returning(columns)
    .catch(refuseOn('role_name_unique', () => roleNameTaken(body.name ?? '')));
  await saveContent(tx, user, after!, body);
  audit({ type: '角色', id: params.id, title: after!.name, before: seen, after: await auditedRole(tx, after!) });
  await rightsChanged(tx, 'all');
  return { id: params.id };
};

export const roleModule = implement('access', roleCalls, {
  roles: async ({ query }, { tx, user }) => {
    const select = tx.select(columns).from(roleTable).where(matches(roleTable.search, query.search_value)).$dynamic();
    const page = await pageOf(tx, query, select, {
      by: {
        order_id: roleTable.order_id,
        name: roleTable.name,
        code: roleTable.code,
        gmt_modified: roleTable.gmt_modified,
      },
      first: 'order_id',
      tie: roleTable.id,
    });
    return { ...page, value: await shown(tx, user, page.value) };
  },

  addRole: async ({ body }, { tx, user, audit }) => {
    await refuseNamedCode(tx, user, body.code);
    const [row] = await tx
      .insert(roleTable)
      .values({ ...columnsOf(body, body), name: body.name, code: body.code })
      .returning(columns)
      .catch(refuseOn('role_name_unique', () => roleNameTaken(body.name)))
      .catch(refuseOn('role_code_unique', () => roleCodeTaken(body.code)));
    await saveContent(tx, user, row!, body);
    audit({ type: '角色', id: row!.id, title: body.name, after: await auditedRole(tx, row!) });
    return { id: row!.id };
  },

  role: async ({ params }, { tx, user }) => {
    const [row] = await tx.select(columns).from(roleTable).where(eq(roleTable.id, params.id));
    if (!row) throw absent('该角色');
    return detail(tx, user, row);
  },

  changeRole: change,
  saveRole: change,

  removeRole: async ({ params }, { tx, user, audit }) => {
    const before = await roleById(tx, params.id);
    if (before.is_system) throw systemRoleKept(before.name);
    refuse(await whyNot(tx, user, before));
    const members = (await tx.services.product.holders.count(tx, [params.id])).get(params.id) ?? 0;
    if (members > 0) throw hasMembers(members);
    await refuseNamed(tx, before);
    audit({ type: '角色', id: params.id, title: before.name, before: await auditedRole(tx, before) });
    await tx.delete(roleTable).where(eq(roleTable.id, params.id));
    await rightsChanged(tx, 'all');
    return { id: params.id };
  },

  roleMenus: async ({ query }, { tx, user }) => {
    if (query.role_id === undefined) return grantsOf(tx, user.roleIds);
    if (!user.roleIds.includes(query.role_id) && !holds(user, 'Retrieve', 'system/role'))
      throw forbidden(roleCalls.roleMenus.summary);
    return grantsOf(tx, [query.role_id]);
  },

  simpleRoles: (_input, { tx }) =>
    tx
      .select({ id: roleTable.id, name: roleTable.name, code: roleTable.code })
      .from(roleTable)
      .orderBy(asc(roleTable.order_id), asc(roleTable.id)),
});

/** Locked, so that nobody is given the role while it changes. */
async function roleById(tx: Db, id: number): Promise<Role> {
  const [row] = await tx.select(columns).from(roleTable).where(eq(roleTable.id, id)).for('update');
  if (!row) throw absent('该角色');
  return row;
}

/** Delegated administration: neither a system role, nor one's own, nor one that gives more than one holds. */
async function whyNot(tx: Db, user: Viewer, role: Role): Promise<Refusal | null> {
  if (user.superAdmin) return null;
  if (role.is_system) return superOnly('系统角色');
  if (user.roleIds.includes(role.id)) return ownRole();
  return excess(tx, user, role);
}

async function excess(tx: Db, user: Viewer, role: Role): Promise<Refusal | null> {
  if (user.superAdmin) return null;
  const what = await exceeding(tx, user, role.id, await tx.services.product.holders.place(tx, role.id, user.id));
  return what === null ? null : beyondMine(what);
}

/** A role by which active rules find people cannot be removed. */
async function refuseNamed(tx: Db, role: Role): Promise<void> {
  for (const { namesRole } of tx.services.product.powers) {
    const flows = (await namesRole?.(tx, role.code)) ?? [];
    if (flows.length > 0) throw namedByFlows(role.name, flows);
  }
}

/** The code of such a role cannot be reused, either, by somebody who may not name people for these rules. */
async function refuseNamedCode(tx: Db, user: Viewer, code: string): Promise<void> {
  if (user.superAdmin) return;
  for (const { decisive } of tx.services.product.powers)
    if ((await decisive?.(tx, lastingUntil(user, null), { posts: [], roles: [code] }))?.roles.includes(code))
      throw codeNamedByFlows(code);
}

function refuse(reason: Refusal | null): void {
  if (reason) throw reason;
}

/** Saves a role's menus, permissions and scope, then refuses everything if that exceeds what the user permanently holds. */
async function saveContent(tx: Db, user: Viewer, role: Role, body: BodyOf<Change>): Promise<void> {
  await saveScope(tx, role, body.scope_depts);
  if (role.data_scope === dataScope.depts && (await scopeDeptsOf(tx, role.id)).length === 0) throw chooseDepts();
  await saveGrants(tx, role.id, body);
  refuse(await excess(tx, lastingUntil(user, null), role));
}

function columnsOf(body: BodyOf<Change>, before: { name: string; code: string; description?: string | undefined }) {
  const { name = before.name, description = before.description ?? '' } = body;
  return {
    name,
    description,
    data_scope: body.data_scope,
    order_id: body.order_id,
    search: searchVector({ texts: [description], names: [name], codes: [before.code] }),
  };
}

async function shown(tx: Db, user: Viewer, roles: readonly Role[]) {
  const ids = roles.map((role) => role.id);
  const holders = await tx.services.product.holders.count(tx, ids);
  const rows = [];
  for (const role of roles) {
    const users = holders.get(role.id) ?? 0;
    rows.push({
      id: role.id,
      name: role.name,
      code: role.code,
      description: role.description,
      data_scope: role.data_scope,
      is_system: role.is_system,
      order_id: role.order_id,
      users,
      gmt_modified: role.gmt_modified,
      version: role.version,
      actions: await actionsOn(tx, user, role, users),
    });
  }
  return rows;
}

async function actionsOn(tx: Db, user: Viewer, role: Role, users: number): Promise<string[]> {
  const may = (code: PermissionCode) => holds(user, code, 'system/role');
  if (!may('Update') && !may('Delete')) return [];
  if (await whyNot(tx, user, role)) return [];
  return [...(may('Update') ? ['update'] : []), ...(may('Delete') && !role.is_system && users === 0 ? ['delete'] : [])];
}

async function detail(tx: Db, user: Viewer, role: Role) {
  const [row] = await shown(tx, user, [role]);
  return { ...row!, ...(await grantsOf(tx, [role.id])), scope_depts: await scopeDeptsOf(tx, role.id) };
}
