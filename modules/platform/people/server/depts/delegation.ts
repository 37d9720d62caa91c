import { eq, inArray, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Refusal } from '#kernel/contract/refusal.ts';
import { covers, holds, lastingUntil, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import {
  openRoleBook,
  roleByCode,
  rolesById,
  superRole,
  type Place,
  type RoleRights,
} from '#modules/platform/access/service.ts';
import { userType } from '../../contract/codes.ts';
import { lastSuperAdmin, roleBeyond, roleHeldUntil } from '../../contract/refusals.ts';
import { decisiveAmong } from '../../service/powers.ts';
import {
  deptPersonTable,
  heldRoleView,
  secretaryTable,
  userDeptTable,
  userRoleTable,
  userTable,
} from '../../tables.ts';

export interface Subject {
  id: number;
  type_id: number;
  dept_id: number | null;
}

/**
 * A viewer's power over others: only over people whose rights are a subset of the viewer's own, and to give only what the viewer holds. Rights
 * include those of roles, functions in departments, and the leaders somebody is secretary of.
 */
export interface Delegation {
  rolesOf(userId: number): readonly number[];
  deptsOf(userId: number): readonly number[];
  mayActOn(user: Subject): boolean;
  /** Returns whether somebody of these departments may permanently keep just these roles: they outlast the viewer's temporary rights. */
  mayLeaveWith(roleIds: readonly number[], depts: readonly number[]): boolean;
  /**
   * Returns whether the viewer may give or remove this one role, of those the delegation was opened with. A role without rights stands for an office,
   * and one by which workflows find people lets them decide: only its holders may, and people who may name people for those workflows.
   */
  mayHandle(roleId: number, depts: readonly number[]): boolean;
  /** Why the viewer may not give such a role until a day or, without one, permanently; null if they may. */
  whyNotGive(role: { id: number; name: string }, depts: readonly number[], until?: string | null): Refusal | null;
}

interface Wider {
  roles?: readonly number[];
  depts?: readonly number[];
}

/** Reads what is needed to judge these users, and placements with further roles and departments, in a constant number of queries. */
export async function openDelegation(
  tx: Db,
  viewer: Viewer,
  users: readonly Subject[],
  wider: Wider = {},
): Promise<Delegation> {
  const served = await servedBy(tx, users);
  const everybody = [...users, ...served.flatMap(({ leader }) => leader)];
  const ids = [...new Set(everybody.map((user) => user.id))];
  const parts = await partsOf(tx, ids);
  const held = ids.length > 0 ? await tx.select().from(heldRoleView).where(inArray(heldRoleView.user_id, ids)) : [];
  const beside = ids.length > 0 ? await tx.select().from(userDeptTable).where(inArray(userDeptTable.user_id, ids)) : [];
  const roles = new Map(ids.map((id) => [id, held.filter((row) => row.user_id === id).map((row) => row.role_id)]));
  const depts = new Map(
    everybody.map((user) => [
      user.id,
      [
        ...(user.dept_id === null ? [] : [user.dept_id]),
        ...beside.filter((row) => row.user_id === user.id).map((row) => row.dept_id),
      ],
    ]),
  );
  const wanted = viewer.superAdmin ? [] : await rolesById(tx, wider.roles ?? []);
  /** The viewer now, and on each day after which some of their rights end. */
  const givers = [viewer, ...(viewer.lasting ?? []).map(({ until }) => lastingUntil(viewer, until))];
  const deciding = new Map<Viewer, Set<number>>();
  for (const giver of givers) {
    const decisive = await decisiveAmong(tx, giver, { roles: wanted.map((role) => role.code) });
    deciding.set(giver, new Set(wanted.filter((role) => decisive.roles.has(role.code)).map((role) => role.id)));
  }
  const book = await openRoleBook(tx, [...held.map((row) => row.role_id), ...(wider.roles ?? [])]);
  const below = await belowEach(tx, [...[...depts.values()].flat(), ...(wider.depts ?? [])]);
  const placeOf = (of: readonly number[]): Place => ({
    depts: of,
    deptsBelow: of.flatMap((dept) => below.get(dept) ?? [dept]),
  });
  const covered = (rights: RoleRights, { grants }: Viewer) =>
    viewer.superAdmin ||
    (!rights.superAdmin &&
      [...rights.grants].every(([page, codes]) =>
        [...codes].every(([code, scope]) => {
          const own = grants.get(page)?.get(code);
          return own !== undefined && covers(own, scope);
        }),
      ));
  const holdsAll = (roleIds: readonly number[], of: readonly number[], giver: Viewer) =>
    covered(
      book.rightsOf(
        roleIds.filter((id) => id !== book.everybody),
        placeOf(of),
      ),
      giver,
    );
  const mayHandle = (roleId: number, of: readonly number[], giver = viewer) => {
    const rights = book.rightsOf([roleId], placeOf(of));
    const office = rights.grants.size === 0 || deciding.get(giver)!.has(roleId);
    return covered(rights, giver) && (viewer.superAdmin || !office || giver.roleIds.includes(roleId));
  };
  const changes = holds(viewer, 'Update', 'system/dept') ? scopeOf(viewer, 'Update', 'system/dept') : undefined;
  /** Functions in departments that the viewer may not name people for. */
  const standsApart = (id: number) =>
    id !== viewer.id && parts.some((one) => one.user === id && !changes?.all && !changes?.depts.has(one.dept));
  const within = (user: Subject) =>
    user.type_id !== userType.superAdmin &&
    holdsAll(roles.get(user.id) ?? [], depts.get(user.id) ?? [], viewer) &&
    !standsApart(user.id);
  return {
    rolesOf: (id) => roles.get(id) ?? [],
    deptsOf: (id) => depts.get(id) ?? [],
    mayLeaveWith: (roleIds, of) => holdsAll(roleIds, of, lastingUntil(viewer, null)),
    mayActOn: (user) =>
      viewer.superAdmin ||
      (within(user) && served.every((one) => one.by !== user.id || one.leader.id === viewer.id || within(one.leader))),
    mayHandle: (roleId, of) => mayHandle(roleId, of),
    whyNotGive({ id, name }, of, until = null) {
      if (!mayHandle(id, of)) return roleBeyond(name);
      const day = viewer.lasting?.findLast((left, no) => mayHandle(id, of, givers[no + 1]));
      return !day || day.until === null || (until !== null && until <= day.until)
        ? null
        : roleHeldUntil(name, day.until);
    },
  };
}

/** The leaders these people are secretaries of. */
async function servedBy(tx: Db, users: readonly Subject[]): Promise<{ by: number; leader: Subject }[]> {
  if (users.length === 0) return [];
  const { id, type_id, dept_id } = userTable;
  return tx
    .select({ by: secretaryTable.secretary_id, leader: { id, type_id, dept_id } })
    .from(secretaryTable)
    .innerJoin(userTable, eq(id, secretaryTable.leader_id))
    .where(
      inArray(
        secretaryTable.secretary_id,
        users.map((user) => user.id),
      ),
    );
}

/** The functions of these people in existing departments. */
async function partsOf(tx: Db, people: readonly number[]): Promise<{ user: number; dept: number }[]> {
  if (people.length === 0) return [];
  const { user_id: user, dept_id: dept } = deptPersonTable;
  return tx
    .select({ user, dept })
    .from(deptPersonTable)
    .where(inArray(user, [...people]));
}

async function belowEach(tx: Db, deptIds: readonly number[]): Promise<Map<number, number[]>> {
  if (deptIds.length === 0) return new Map();
  const { rows } = await tx.execute<{ top: number; ids: number[] }>(sql`
    with recursive down as (
      select id as top, id from dept where id = any(${sql.param([...new Set(deptIds)])}::int[]) and not is_deleted
      union select down.top, d.id from dept d join down on d.parent_id = down.id where not d.is_deleted)
    select top, array_agg(id) as ids from down group by top`);
  return new Map(rows.map((row) => [row.top, row.ids]));
}

/** Does something that may remove the last active super administrator, and refuses if it did. One at a time. */
export async function keepingSuperAdmin<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('super admins'))`);
  const role = await roleByCode(tx, superRole);
  const done = await work();
  const holders = tx
    .select({ id: userRoleTable.user_id })
    .from(userRoleTable)
    .where(eq(userRoleTable.role_id, role?.id ?? 0));
  const [left] = await tx
    .select({ id: userTable.id })
    .from(userTable)
    .where(
      sql`${userTable.is_active} and not ${userTable.is_deleted} and (${userTable.type_id} = ${inSql(userType.superAdmin)} or ${inArray(userTable.id, holders)})`,
    )
    .limit(1);
  if (!left) throw lastSuperAdmin();
  return done;
}
