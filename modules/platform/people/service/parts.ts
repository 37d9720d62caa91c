// Functions of people in departments.
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { named, namedRows, type Db } from '#kernel/server/db/db.ts';
import type { PersonCard } from '../contract/cards.ts';
import { notALeader } from '../contract/refusals.ts';
import { deptPersonTable, deptTable, userTable } from '../tables.ts';
import { card, working, type DeptPart } from './cards.ts';

/** The holders of functions in a department: head, approvers, leader in charge, secretary. In order, current staff only; `all` means every department. */
export async function partsOf(tx: Db, deptIds: readonly number[] | 'all', ...parts: DeptPart[]): Promise<PersonCard[]> {
  if (deptIds.length === 0) return [];
  const query = tx
    .selectDistinctOn([userTable.sort, userTable.id], card)
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(and(working, deptIds === 'all' ? undefined : inDepts(deptIds), inArray(deptPersonTable.part, parts)))
    .orderBy(asc(userTable.sort), asc(userTable.id));
  return named(query);
}

/** As one parameter, so that the statement is the same for any number. */
const inDepts = (ids: readonly number[]) => sql`${deptPersonTable.dept_id} = any(${sql.param([...ids])}::int[])`;

/** The approvers of any of the departments, each once, in order: those named, else the head. */
export async function headsOf(tx: Db, deptIds: readonly number[]): Promise<PersonCard[]> {
  if (deptIds.length === 0) return [];
  const { dept_id, part } = deptPersonTable;
  const query = tx
    .select({ dept: dept_id, part, person: card })
    .from(deptPersonTable)
    .innerJoin(userTable, eq(userTable.id, deptPersonTable.user_id))
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id))
    .where(and(working, inDepts(deptIds), inArray(part, ['leader', 'approver'])))
    .orderBy(asc(userTable.sort), asc(userTable.id));
  const rows = await named(query);
  const signing = [...new Set(deptIds)].flatMap((dept) => {
    const own = rows.filter((row) => row.dept === dept);
    const approvers = own.filter((row) => row.part === 'approver');
    return (approvers.length > 0 ? approvers : own).map((row) => row.person);
  });
  return [...new Map(signing.map((person) => [person.id, person])).values()];
}

/** The holders of functions in each of some departments, by id: one statement for any number. */
export async function partsOfEach(tx: Db, deptIds: readonly number[]) {
  const rows =
    deptIds.length === 0
      ? []
      : await namedRows<{ dept_id: number; user_id: number; part: DeptPart }>(
          tx,
          sql`select p.dept_id, p.user_id, p.part from dept_person p
            join app_user u on u.id = p.user_id and u.is_active and not u.is_deleted
            where p.dept_id = any(${sql.param([...new Set(deptIds)])}::int[]) order by u.sort, u.id`,
        );
  const held = Map.groupBy(rows, (row) => `${row.dept_id} ${row.part}`);
  const of = (dept: number, part: DeptPart) => (held.get(`${dept} ${part}`) ?? []).map((row) => row.user_id);
  return {
    of,
    /** Its approvers. */
    heads(dept: number): number[] {
      const approvers = of(dept, 'approver');
      return approvers.length > 0 ? approvers : of(dept, 'leader');
    },
  };
}

/** The departments for which somebody approves. */
export async function headedBy(tx: Db, userId: number): Promise<number[]> {
  const parts = inArray(deptPersonTable.part, ['leader', 'approver']);
  const mine = and(eq(deptPersonTable.user_id, userId), parts);
  return (await tx.selectDistinct({ id: deptPersonTable.dept_id }).from(deptPersonTable).where(mine)).map(
    (row) => row.id,
  );
}

/** Refuses people who are neither a school leader nor in charge of a department; `action` names their task: 批示来文. */
export async function demandLeaders(
  tx: Db,
  ids: readonly (number | null | undefined)[],
  action: string,
): Promise<void> {
  const asked = [...new Set(ids.filter((id) => id !== null && id !== undefined))];
  if (asked.length === 0) return;
  const { rows } = await tx.execute<{ alias: string }>(sql`
    select u.alias from app_user u where u.id = any(${sql.param(asked)}::int[])
      and not exists (select from dept_person p where p.user_id = u.id and p.part = 'dept_ld')
      and not exists (select from held_role h join role r on r.id = h.role_id where h.user_id = u.id and r.code = 'xld')
    order by u.sort, u.id limit 1`);
  if (rows[0]) throw notALeader(rows[0].alias, action);
}
