import { and, asc, count, eq, inArray, notInArray, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { prepared, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { everybodysRole, roleByCode, rolesById, type Place, type RoleName } from '#modules/access/service.ts';
import type { PersonCard } from './contract/cards.ts';
import { usersWithin } from './server/depts/reach.ts';
import {
  deptPersonTable,
  deptTable,
  heldRoleView,
  secretaryTable,
  userDeptTable,
  userRoleTable,
  userTable,
} from './tables.ts';

export type DeptPart = 'leader' | 'approver' | 'dept_ld' | 'secretary';

export type { PersonCard };

const card = {
  id: userTable.id,
  username: userTable.username,
  alias: userTable.alias,
  dept_id: userTable.dept_id,
  dept_name: sql<string>`coalesce(${deptTable.name}, '')`,
};
const cardText = `select u.id, u.username, u.alias, u.dept_id, coalesce(d.name, '') as dept_name
  from app_user u left join dept d on d.id = u.dept_id`;
const namedText = `${cardText} where u.username = any($1::text[]) and u.is_active and not u.is_deleted`;
/** People who can be asked to do something. */
export const working = and(eq(userTable.is_active, true), eq(userTable.is_deleted, false));

/** Cards of users (with their main department joined) in display order; all of them unless a limit is given. */
export function cards(tx: Db, where: SQL | undefined, limit = 100_000): Promise<PersonCard[]> {
  return tx
    .select(card)
    .from(userTable)
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(where)
    .orderBy(asc(userTable.sort), asc(userTable.id))
    .limit(limit);
}

/** Cards by id, of leavers too: history keeps their names. */
export async function peopleById(tx: Db, ids: readonly number[]): Promise<Map<number, PersonCard>> {
  if (ids.length === 0) return new Map();
  const rows = await prepared<PersonCard>(tx, 'cards-by-id', `${cardText} where u.id = any($1::int[])`, [
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Working people by user name; unknown and inactive names are simply missing. */
export async function peopleByName(tx: Db, usernames: readonly string[]): Promise<Map<string, PersonCard>> {
  if (usernames.length === 0) return new Map();
  const rows = await prepared<PersonCard>(tx, 'cards-by-name', namedText, [[...new Set(usernames)]]);
  return new Map(rows.map((row) => [row.username, row]));
}

/** What people are called, by user name, of leavers too: history keeps their names. */
export async function aliasesOf(tx: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  if (usernames.length === 0) return new Map();
  const rows = await prepared<Pick<PersonCard, 'username' | 'alias'>>(
    tx,
    'aliases',
    'select username, alias from app_user where username = any($1::text[])',
    [[...new Set(usernames)]],
  );
  return new Map(rows.map((row) => [row.username, row.alias]));
}

/** The same for a sentence that refuses them: who was never there goes by the name that was sent. */
export async function calledBy(tx: Db, usernames: readonly string[]): Promise<string[]> {
  const aliases = await aliasesOf(tx, usernames);
  return usernames.map((username) => aliases.get(username) ?? username);
}

/** Working people among the ids. */
export async function workingAmong(tx: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  return (await cards(tx, and(working, inArray(userTable.id, [...ids])))).map((row) => row.id);
}

/**
 * Who holds a part in a department: its head, approvers, leader in charge, secretary. In order, working people only;
 * `all` asks for every department.
 */
export async function partsOf(tx: Db, deptIds: readonly number[] | 'all', ...parts: DeptPart[]): Promise<PersonCard[]> {
  if (deptIds.length === 0) return [];
  return tx
    .selectDistinctOn([userTable.sort, userTable.id], card)
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(
      and(
        working,
        deptIds === 'all' ? undefined : inArray(deptPersonTable.dept_id, [...deptIds]),
        inArray(deptPersonTable.part, parts),
      ),
    )
    .orderBy(asc(userTable.sort), asc(userTable.id));
}

/** Who signs for each department: its approvers where it names some, else its head. One statement; who has nobody is missing. */
export async function headsByDept(tx: Db, deptIds: readonly number[]): Promise<Map<number, PersonCard[]>> {
  if (deptIds.length === 0) return new Map();
  const { dept_id, part } = deptPersonTable;
  const rows = await tx
    .select({ dept: dept_id, part, person: card })
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(and(working, inArray(dept_id, [...deptIds]), inArray(part, ['leader', 'approver'])))
    .orderBy(asc(userTable.sort), asc(userTable.id));
  const ofPart = (wanted: string) => Map.groupBy(rows.filter((row) => row.part === wanted), (row) => row.dept);
  const found = new Map([...ofPart('leader'), ...ofPart('approver')]);
  return new Map([...found].map(([dept, ones]) => [dept, ones.map(({ person }) => person)]));
}

/** Who signs for any of the departments, once each, in the order of the departments. */
export async function headsOf(tx: Db, deptIds: readonly number[]): Promise<PersonCard[]> {
  const byDept = await headsByDept(tx, deptIds);
  const people = [...new Set(deptIds)].flatMap((dept) => byDept.get(dept) ?? []);
  return [...new Map(people.map((person) => [person.id, person])).values()];
}

/** The departments that somebody signs for. */
export async function headedBy(tx: Db, userId: number): Promise<number[]> {
  const parts = inArray(deptPersonTable.part, ['leader', 'approver']);
  const mine = and(eq(deptPersonTable.user_id, userId), parts);
  return (await tx.selectDistinct({ id: deptPersonTable.dept_id }).from(deptPersonTable).where(mine)).map(
    (row) => row.id,
  );
}

/** Working members of departments, side posts included. */
export function membersOf(tx: Db, deptIds: readonly number[]): Promise<PersonCard[]> {
  if (deptIds.length === 0) return Promise.resolve([]);
  const beside = tx
    .select({ id: userDeptTable.user_id })
    .from(userDeptTable)
    .where(inArray(userDeptTable.dept_id, [...deptIds]));
  return cards(
    tx,
    and(working, sql`(${inArray(userTable.dept_id, [...deptIds])} or ${inArray(userTable.id, beside)})`),
  );
}

/** Working holders of any of the roles. */
export async function holdersOfAny(tx: Db, roleIds: readonly number[]): Promise<PersonCard[]> {
  return holdersAmong(tx, await rolesById(tx, roleIds));
}

function holdersAmong(tx: Db, roles: readonly RoleName[]): Promise<PersonCard[]> {
  if (roles.length === 0) return Promise.resolve([]);
  if (roles.some((role) => role.code === everybodysRole)) return cards(tx, working);
  const holders = tx
    .select({ id: heldRoleView.user_id })
    .from(heldRoleView)
    .where(
      inArray(
        heldRoleView.role_id,
        roles.map((role) => role.id),
      ),
    );
  return cards(tx, and(working, inArray(userTable.id, holders)));
}

/** Working holders of a role, by its code. */
export async function holdersOf(tx: Db, roleCode: string): Promise<PersonCard[]> {
  const role = await roleByCode(tx, roleCode);
  return holdersAmong(tx, role ? [role] : []);
}

/** How many working people some departments and roles are together, each counted once; of each group, in one statement. */
export async function countPeople(
  tx: Db,
  groups: readonly { depts: readonly number[]; roles: readonly RoleName[] }[],
): Promise<number[]> {
  const isEverybody = ({ roles }: (typeof groups)[number]) => roles.some((role) => role.code === everybodysRole);
  const named = groups.flatMap((group, no) => (isEverybody(group) ? [] : { ...group, no }));
  const asked = (idsOf: (group: (typeof named)[number]) => readonly number[]) => {
    const pairs = named.flatMap((group) => idsOf(group).map((id) => [group.no, id] as const));
    const [nos, ids] = [pairs.map(([no]) => no), pairs.map(([, id]) => id)];
    return sql`unnest(${sql.param(nos)}::int[], ${sql.param(ids)}::int[]) as asked(no, id)`;
  };
  const depts = asked((group) => group.depts);
  const roles = asked((group) => group.roles.map((role) => role.id));
  const everybody = groups.flatMap((group, no) => (isEverybody(group) ? no : []));
  const { rows } = await tx.execute<{ no: number; people: number }>(sql`
    with working as (select id, dept_id from app_user where is_active and not is_deleted), who as (
      select no, w.id from ${depts} join working w on w.dept_id = asked.id
      union select no, w.id from ${depts} join user_dept d on d.dept_id = asked.id join working w on w.id = d.user_id
      union select no, w.id from ${roles} join held_role r on r.role_id = asked.id join working w on w.id = r.user_id
      union select no, w.id from unnest(${sql.param(everybody)}::int[]) as every(no), working w)
    select no, count(*)::int as people from who group by no`);
  const counts = new Map(rows.map((row) => [row.no, row.people]));
  return groups.map((_group, no) => counts.get(no) ?? 0);
}

/** How many hold each role, leavers too: as long as one is left the role is in use. */
export async function countHolders(tx: Db, roleIds: readonly number[]): Promise<Map<number, number>> {
  if (roleIds.length === 0) return new Map();
  const rows = await tx
    .select({ role_id: userRoleTable.role_id, holders: count() })
    .from(userRoleTable)
    .where(inArray(userRoleTable.role_id, [...roleIds]))
    .groupBy(userRoleTable.role_id);
  return new Map(rows.map((row) => [row.role_id, row.holders]));
}

/** Everywhere the holders of a role, and one person besides, are placed. */
export async function placeOfHolders(tx: Db, roleId: number, besides: number): Promise<Place> {
  const holders = tx.select({ id: heldRoleView.user_id }).from(heldRoleView).where(eq(heldRoleView.role_id, roleId));
  const among = (user: AnyColumn) => or(eq(user, besides), inArray(user, holders));
  const main = await tx.select({ dept: userTable.dept_id }).from(userTable).where(among(userTable.id));
  const beside = await tx
    .select({ dept: userDeptTable.dept_id })
    .from(userDeptTable)
    .where(among(userDeptTable.user_id));
  const depts = [...new Set([...main, ...beside].flatMap((row) => row.dept ?? []))];
  return { depts, deptsBelow: await deptsBelow(tx, depts) };
}

/** Codes of the roles a person was given. */
export async function roleCodesOf(tx: Db, userId: number): Promise<string[]> {
  const rows = await prepared<{ code: string }>(tx, 'role-codes', roleCodesText, [userId]);
  return rows.map((row) => row.code);
}
const roleCodesText = `select r.code from held_role ur join role r on r.id = ur.role_id where ur.user_id = $1 order by r.order_id, r.id`;

export function secretariesOf(tx: Db, leaderIds: readonly number[]): Promise<PersonCard[]> {
  if (leaderIds.length === 0) return Promise.resolve([]);
  const ids = tx
    .select({ id: secretaryTable.secretary_id })
    .from(secretaryTable)
    .where(inArray(secretaryTable.leader_id, [...leaderIds]));
  return cards(tx, and(working, inArray(userTable.id, ids)));
}

/** A department and everything above it, the top first. */
export async function deptPath(tx: Db, deptId: number): Promise<{ id: number; name: string }[]> {
  return prepared(tx, 'dept-path', pathText, [deptId]);
}

const pathText = `
  with recursive up as (
    select id, name, parent_id, 0 as depth from dept where id = $1
    union all select d.id, d.name, d.parent_id, depth + 1 from dept d join up on up.parent_id = d.id)
  select id, name from up order by depth desc`;

/** Departments and everything below them. */
export async function deptsBelow(tx: Db, deptIds: readonly number[]): Promise<number[]> {
  if (deptIds.length === 0) return [];
  const { rows } = await tx.execute<{ id: number }>(sql`
    with recursive down as (
      select id from dept where id = any(${sql.param([...deptIds])}::int[]) and not is_deleted
      union select d.id from dept d join down on d.parent_id = down.id where not d.is_deleted)
    select id from down`);
  return rows.map((row) => row.id);
}

/** Departments with all above and all below them, in one statement; those that are deleted count for nothing. */
export async function deptsAround(tx: Db, deptIds: readonly number[]): Promise<{ above: number[]; below: number[] }> {
  if (deptIds.length === 0) return { above: [], below: [] };
  const { rows } = await tx.execute<{ above: number[]; below: number[] }>(sql`
    with recursive own as (select id, parent_id from dept where id = any(${sql.param([...deptIds])}::int[]) and not is_deleted),
    up as (
      select id, parent_id from own union select d.id, d.parent_id from dept d join up on d.id = up.parent_id where not d.is_deleted),
    down as (select id from own union select d.id from dept d join down on d.parent_id = down.id where not d.is_deleted)
    select array(select id from up) above, array(select id from down) below`);
  return rows[0]!;
}

/** Names of departments with working people whose main department they are, but nobody in any of the parts; `within`: these and below. */
export async function deptsWithout(tx: Db, parts: readonly DeptPart[], within: readonly number[]): Promise<string[]> {
  const among = within.length > 0 ? await deptsBelow(tx, within) : null;
  const held = tx
    .select({ id: deptPersonTable.dept_id })
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .where(and(working, inArray(deptPersonTable.part, [...parts])));
  const peopled = tx.select({ id: userTable.dept_id }).from(userTable).where(working);
  const rows = await tx
    .select({ name: deptTable.name })
    .from(deptTable)
    .where(
      and(
        among === null ? undefined : inArray(deptTable.id, among),
        inArray(deptTable.id, peopled),
        notInArray(deptTable.id, held),
      ),
    )
    .orderBy(asc(deptTable.order_id), asc(deptTable.id));
  return rows.map((row) => row.name);
}

/** Names of departments, deleted ones too. */
export async function deptNames(tx: Db, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ name: deptTable.name })
    .from(deptTable)
    .where(inArray(deptTable.id, [...ids]))
    .orderBy(asc(deptTable.order_id), asc(deptTable.id));
  return rows.map((row) => row.name);
}

/** Names of departments by id, deleted ones too. */
export async function deptNamesById(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: deptTable.id, name: deptTable.name })
    .from(deptTable)
    .where(inArray(deptTable.id, [...new Set(ids)]));
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** Whether a code on the users' page reaches a person, who may have left but is not deleted. */
export async function personInScope(tx: Db, viewer: Viewer, id: number, code: PermissionCode): Promise<boolean> {
  const rows = await cards(tx, and(eq(userTable.id, id), usersWithin(viewer, code, 'system/user')));
  return rows.length > 0;
}
