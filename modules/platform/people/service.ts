import { and, asc, count, eq, inArray, or, sql, type AnyColumn, type SQLWrapper } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import { inSql, plainSql } from '#kernel/server/db/columns.ts';
import { namedRows, prepared, type Db } from '#kernel/server/db/db.ts';
import { dataScope } from '#modules/platform/access/contract/roles.ts';
import { everybodysRole, rolesById, superRole, type Place, type RoleName } from '#modules/platform/access/service.ts';
import type { PersonCard } from './contract/cards.ts';
import { heldRoleView, secretaryTable, userDeptTable, userRoleTable, userTable } from './tables.ts';
import { cards, working } from './service/cards.ts';
import { deptsBelow } from './service/depts.ts';

export type { PersonCard };
export { cards, working, type DeptPart } from './service/cards.ts';
export {
  deptNames,
  deptNamesById,
  deptsNamed,
  deptUnclear,
  deptPath,
  deptsAround,
  deptsBelow,
  deptsThere,
  deptsWithout,
} from './service/depts.ts';
export { demandLeaders, headedBy, headsOf, partsOf, partsOfEach } from './service/parts.ts';

const cardText = `select u.id, u.username, u.alias, u.dept_id, coalesce(d.name, '') as dept_name
  from app_user u left join dept d on d.id = u.dept_id`;
const namedText = `${cardText} where u.username = any($1::text[]) and u.is_active and not u.is_deleted`;

/** Cards by id, including those of leavers, because history keeps their names. */
export async function peopleById(tx: Db, ids: readonly number[]): Promise<Map<number, PersonCard>> {
  if (ids.length === 0) return new Map();
  const rows = await prepared<PersonCard>(tx, 'cards-by-id', `${cardText} where u.id = any($1::int[])`, [
    [...new Set(ids)],
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Cards of the people whose ids a statement selects, prepared under a name: for lists that name them. */
export async function cardsOf(tx: Db, name: string, ids: string, values: unknown[]): Promise<Map<number, PersonCard>> {
  const rows = await prepared<PersonCard>(tx, name, `${cardText} where u.id in (${ids})`, values);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Working people by user name; unknown and inactive names are simply missing. */
export async function peopleByName(tx: Db, usernames: readonly string[]): Promise<Map<string, PersonCard>> {
  if (usernames.length === 0) return new Map();
  const rows = await prepared<PersonCard>(tx, 'cards-by-name', namedText, [[...new Set(usernames)]]);
  return new Map(rows.map((row) => [row.username, row]));
}

/** Current staff by name, in any character width: those whose name is unique, by the names given. */
export async function peopleCalled(tx: Db, aliases: readonly string[]): Promise<Map<string, PersonCard>> {
  if (aliases.length === 0) return new Map();
  const names = [...new Set(aliases)];
  const plain = sql`${plainSql(sql`${userTable.alias}`)} = any(${sql.param(names.map(plainly))}::text[])`;
  const rows = await cards(tx, and(working, plain));
  const by = Map.groupBy(rows, (row) => plainly(row.alias));
  return new Map(
    names.flatMap((name) => {
      const those = by.get(plainly(name)) ?? [];
      return those.length === 1 ? [[name, those[0]!] as const] : [];
    }),
  );
}

/** Names by user name, including those of leavers, because history keeps their names. */
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

/** The same for the sentence of a refusal: unknown people are named as typed. */
export async function calledBy(tx: Db, usernames: readonly string[]): Promise<string[]> {
  const aliases = await aliasesOf(tx, usernames);
  return usernames.map((username) => aliases.get(username) ?? username);
}

/** Current staff among the ids. */
export async function workingAmong(tx: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  return (await cards(tx, and(working, inArray(userTable.id, [...ids])))).map((row) => row.id);
}

/** Current members of departments, including side posts. */
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

/** Current holders of a post, by its name. */
export const holdersOfPost = (tx: Db, post: string): Promise<PersonCard[]> =>
  cards(tx, and(working, eq(userTable.post, post)));

/** Those of some posts that somebody holds, with the number of current holders. */
export async function postSizes(tx: Db, posts: readonly string[]): Promise<Map<string, number>> {
  if (posts.length === 0) return new Map();
  const rows = await tx
    .select({ post: userTable.post, people: count() })
    .from(userTable)
    .where(and(working, inArray(userTable.post, [...posts])))
    .groupBy(userTable.post);
  return new Map(rows.map((row) => [row.post, row.people]));
}

/** Current holders of any of the roles. */
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

/** Current holders of a role, by its code. */
export function holdersOf(tx: Db, roleCode: string): Promise<PersonCard[]> {
  if (roleCode === everybodysRole) return cards(tx, working);
  const holders = sql`select h.user_id from held_role h join role r on r.id = h.role_id where r.code = ${roleCode}`;
  return cards(tx, and(working, sql`${userTable.id} in (${holders})`));
}

/** Current staff who hold a code on a page with full scope; without the super administrators, who hold every code. */
export function holdersOfCode(tx: Db, code: PermissionCode, page: string): Promise<PersonCard[]> {
  const holders = sql`select h.user_id from held_role h join role r on r.id = h.role_id and r.data_scope = ${inSql(dataScope.all)} and r.code <> ${superRole}
    join role_menu_button rb on rb.role_id = r.id join menu_button mb on mb.id = rb.menu_button_id
    join button b on b.id = mb.button_id and b.code = ${code} join menu m on m.id = mb.menu_id and m.component = ${page}`;
  return cards(tx, and(working, sql`${userTable.id} in (${holders})`));
}

/** The number of current people in some departments and roles, each counted once; for each group, in one statement. */
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

/** The number of holders of each role, including leavers: a role with one is in use. */
export async function countHolders(tx: Db, roleIds: readonly number[]): Promise<Map<number, number>> {
  if (roleIds.length === 0) return new Map();
  const rows = await tx
    .select({ role_id: userRoleTable.role_id, holders: count() })
    .from(userRoleTable)
    .where(inArray(userRoleTable.role_id, [...roleIds]))
    .groupBy(userRoleTable.role_id);
  return new Map(rows.map((row) => [row.role_id, row.holders]));
}

/** The departments of all holders of a role and of one more person. */
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

/** The facts that rules ask about a person in one of their departments. */
export interface Standing {
  alias: string;
  /** Codes of the roles they were given. */
  roles: string[];
  /** The department and everything above it, the top first; empty without one. */
  dept_path: number[];
}

/** An id, or a statement that selects it. */
export type Asked = number | null | SQLWrapper;

/** A person's position in one of their departments. */
export async function standingOf(tx: Db, person: Asked, dept: Asked): Promise<Standing> {
  const [row] = await namedRows<Standing>(
    tx,
    sql`select u.alias,
      array(select r.code from held_role h join role r on r.id = h.role_id where h.user_id = u.id order by r.order_id, r.id) as roles,
      array(with recursive up as (
        select id, parent_id, 0 as depth from dept where id = ${dept}
        union all select d.id, d.parent_id, depth + 1 from dept d join up on up.parent_id = d.id)
      select id from up order by depth desc) as dept_path
      from app_user u where u.id = ${person}`,
  );
  return row ?? { alias: '', roles: [], dept_path: [] };
}

/** The secretaries of each leader, by id: one statement. */
export async function secretariesOfEach(tx: Db, leaderIds: readonly number[]): Promise<Map<number, number[]>> {
  if (leaderIds.length === 0) return new Map();
  const rows = await tx
    .select({ leader: secretaryTable.leader_id, id: userTable.id })
    .from(secretaryTable)
    .innerJoin(userTable, eq(userTable.id, secretaryTable.secretary_id))
    .where(and(working, inArray(secretaryTable.leader_id, [...leaderIds])))
    .orderBy(asc(userTable.sort), asc(userTable.id));
  const found = Map.groupBy(rows, (row) => row.leader);
  return new Map([...found].map(([leader, all]) => [leader, all.map((row) => row.id)]));
}

export function secretariesOf(tx: Db, leaderIds: readonly number[]): Promise<PersonCard[]> {
  if (leaderIds.length === 0) return Promise.resolve([]);
  const ids = tx
    .select({ id: secretaryTable.secretary_id })
    .from(secretaryTable)
    .where(inArray(secretaryTable.leader_id, [...leaderIds]));
  return cards(tx, and(working, inArray(userTable.id, ids)));
}
