import { and, asc, eq, inArray, notInArray, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleByName, secretariesOf, type PersonCard } from '#modules/people/service.ts';
import { deptTable, heldRoleView, secretaryTable, userTable } from '#modules/people/tables.ts';
import { roleTable } from '#modules/access/tables.ts';
import type { Attend } from '../contract/schedules.ts';
import { noLeader, unknownPerson } from '../contract/refusals.ts';
import { attendTable } from '../tables.ts';

/** Those of some schedules whose they are, in the order of the house. */
export async function attendsOf(tx: Db, ids: readonly number[]): Promise<Map<number, Attend[]>> {
  const found = new Map<number, Attend[]>();
  if (ids.length === 0) return found;
  const { schedule_id, state, note, at } = attendTable;
  const { id, username, alias, dept_id } = userTable;
  const rows = await tx
    .select({
      schedule_id,
      id,
      username,
      alias,
      dept_id,
      dept_name: sql<string>`coalesce(${deptTable.name}, '')`,
      state,
      note,
      at,
    })
    .from(attendTable)
    .innerJoin(userTable, eq(id, attendTable.leader_id))
    .leftJoin(deptTable, eq(deptTable.id, dept_id))
    .where(inArray(schedule_id, [...new Set(ids)]))
    .orderBy(asc(userTable.sort), asc(id));
  for (const { schedule_id: of, ...row } of rows) found.set(of, [...(found.get(of) ?? []), row]);
  return found;
}

/** Leaders of the house, in order; one statement. */
export const allLeaders = (tx: Db) =>
  tx
    .selectDistinct({
      id: userTable.id,
      username: userTable.username,
      alias: userTable.alias,
      post: userTable.post,
      sort: userTable.sort,
    })
    .from(heldRoleView)
    .innerJoin(roleTable, and(eq(roleTable.id, heldRoleView.role_id), eq(roleTable.code, 'xld')))
    .innerJoin(
      userTable,
      and(eq(userTable.id, heldRoleView.user_id), eq(userTable.is_active, true), eq(userTable.is_deleted, false)),
    )
    .orderBy(asc(userTable.sort), asc(userTable.id));

/** Leaders by their user names; refuses who is none. */
export async function leadersNamed(
  tx: Db,
  names: readonly string[],
): Promise<{ id: number; username: string; alias: string }[]> {
  const known = new Map((await allLeaders(tx)).map((one) => [one.username, one]));
  return [...new Set(names)].map((name) => {
    const found = known.get(name);
    if (!found) throw noLeader(name);
    return found;
  });
}
export async function peopleNamed(tx: Db, names: readonly string[]): Promise<PersonCard[]> {
  const known = await peopleByName(tx, names);
  return [...new Set(names)].map((name) => {
    const found = known.get(name);
    if (!found) throw unknownPerson(name);
    return found;
  });
}

/** Leaders somebody acts for: themselves, and those whose secretary they are. */
export async function sidesOf(tx: Db, user: Pick<Viewer, 'id'>): Promise<Set<number>> {
  const rows = await tx
    .select({ id: secretaryTable.leader_id })
    .from(secretaryTable)
    .where(eq(secretaryTable.secretary_id, user.id));
  return new Set([user.id, ...rows.map((row) => row.id)]);
}
export const withSecretaries = async (tx: Db, leaders: readonly number[]): Promise<number[]> => [
  ...leaders,
  ...(await secretariesOf(tx, leaders)).map((person) => person.id),
];

/** Makes these the leaders of a schedule; what those who stay have answered, stands. `agreed`: who need not be asked. */
export async function setAttends(
  tx: Db,
  schedule: number,
  leaders: readonly number[],
  agreed: ReadonlySet<number>,
): Promise<void> {
  const { schedule_id, leader_id, state } = attendTable;
  await tx
    .delete(attendTable)
    .where(and(eq(schedule_id, schedule), notInArray(leader_id, [...leaders]), inArray(state, [0, 1, 2])));
  await tx
    .insert(attendTable)
    .values(leaders.map((leader) => ({ schedule_id: schedule, leader_id: leader, state: agreed.has(leader) ? 1 : 0 })))
    .onConflictDoUpdate({
      target: [schedule_id, leader_id],
      set: { state: sql`case when ${state} = 3 then excluded.state else ${state} end` },
    });
}
