import { and, eq, gt, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { deviceName } from '#kernel/contract/words/device.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { matches } from '#kernel/server/list/search.ts';
import { usersWithin } from '#modules/platform/people/server/depts/reach.ts';
import { openDelegation, type Subject } from '#modules/platform/people/server/depts/delegation.ts';
import { deptsBelow } from '#modules/platform/people/service.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { sessionTable } from '../tables.ts';
import type { SessionOfSomebody, SessionSearch } from '../contract/online.ts';

export const page = 'system/online';

/** Live sessions of the people whom a code reaches. */
export const liveWithin = (viewer: Viewer, code: PermissionCode): SQL =>
  and(
    usersWithin(viewer, code, page),
    eq(userTable.is_active, true),
    eq(userTable.session_version, sessionTable.session_version),
    isNull(sessionTable.ended_at),
    gt(sessionTable.expires_at, sql`now()`),
  )!;

/** The condition of the sessions that a search finds. */
export async function searched(tx: Db, { search_value, dept, way, ip }: SessionSearch): Promise<SQL | undefined> {
  return and(
    matches(userTable.search, search_value),
    dept ? inArray(userTable.dept_id, await deptsBelow(tx, [dept])) : undefined,
    way ? eq(sessionTable.way, way) : undefined,
    ip ? eq(sessionTable.ip, ip) : undefined,
  );
}

/** Sessions with their people. */
export function selectSessions(tx: Db) {
  const { id, user_id, way, second_step, ip, ua, gmt_created, last_seen } = sessionTable;
  const { username, alias, type_id, dept_id } = userTable;
  return tx
    .select({
      id,
      user_id,
      way,
      second_step,
      ip,
      ua,
      gmt_created,
      last_seen,
      username,
      alias,
      type_id,
      dept_id,
      dept_name: sql<string>`coalesce(${deptTable.name}, '')`,
    })
    .from(sessionTable)
    .innerJoin(userTable, eq(userTable.id, sessionTable.user_id))
    .leftJoin(deptTable, eq(deptTable.id, userTable.dept_id));
}
type SessionRow = Awaited<ReturnType<typeof selectSessions>>[number];

const subjectOf = ({ user_id: id, type_id, dept_id }: SessionRow): Subject => ({ id, type_id, dept_id });

/** True for sessions that the viewer may end: their own, and those of people whose rights are a subset of theirs. */
export async function mayEnd(
  tx: Db,
  viewer: Viewer,
  rows: readonly SessionRow[],
): Promise<(row: SessionRow) => boolean> {
  const others = new Map(rows.filter((row) => row.user_id !== viewer.id).map((row) => [row.user_id, subjectOf(row)]));
  const delegation = await openDelegation(tx, viewer, [...others.values()]);
  return (row) => row.user_id === viewer.id || delegation.mayActOn(subjectOf(row));
}

/** Finds all sessions of others within the scope by a search: those that the viewer may end, and the ones that stay, by person. */
export async function sessionsToEnd(tx: Db, viewer: Viewer, search: SessionSearch) {
  const rows = await selectSessions(tx)
    .where(and(liveWithin(viewer, 'Delete'), ne(sessionTable.user_id, viewer.id), await searched(tx, search)))
    .orderBy(sessionTable.user_id, sessionTable.id);
  const ends = await mayEnd(tx, viewer, rows);
  const byPerson = (those: readonly SessionRow[]) => Map.groupBy(those, (row) => row.user_id);
  return { ended: byPerson(rows.filter(ends)), kept: byPerson(rows.filter((row) => !ends(row))) };
}

export async function shownSessions(tx: Db, viewer: Viewer, rows: readonly SessionRow[]): Promise<SessionOfSomebody[]> {
  const ends = holds(viewer, 'Delete', page) ? await mayEnd(tx, viewer, rows) : () => false;
  return rows.map((row) => {
    const { id, user_id, username, alias, dept_name, way, ip, gmt_created, last_seen } = row;
    const current = id === viewer.sessionId;
    const shown = { id, user_id, username, alias, dept_name, way, ip, gmt_created, last_seen, current };
    const device = deviceName(row.ua);
    return { ...shown, half: row.second_step !== null, device, actions: !current && ends(row) ? ['end'] : [] };
  });
}

/** Ends these sessions at once on every node; their devices are unknown again. */
export async function endThese(tx: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(sessionTable)
    .set({ ended_at: sql`now()` })
    .where(inArray(sessionTable.id, [...ids]));
  const all = sql.param([...ids]);
  await tx.execute(sql`
    delete from known_device d using session s
    where s.id = any(${all}::int[]) and d.user_id = s.user_id and d.mark = s.device`);
  await namedRows(tx, sql`select pg_notify('session', id::text) from unnest(${all}::int[]) id`);
}
