import { and, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { deviceName } from '#kernel/contract/words/device.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { usersWithin } from '#modules/platform/people/server/depts/reach.ts';
import { openDelegation, type Subject } from '#modules/platform/people/server/depts/delegation.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { sessionTable } from '../tables.ts';
import type { SessionOfSomebody } from '../contract/online.ts';

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
