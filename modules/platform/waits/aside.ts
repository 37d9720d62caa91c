import { and, eq, inArray, lte, sql, type SQL } from 'drizzle-orm';
import { daysLater, momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { mostAside, mostAsideDays, notLater, tooLate, tooManyAside } from './contract.ts';
import { asideTable } from './tables.ts';

/** The key of a row among those of all kinds; for a statement over rows of one kind. */
export const idOf = (key: string): SQL => sql`concat_ws('.', ${key}::text, id, left(md5(about), 8))`;

/**
 * Rows of a kind, with the time until which each is put off: null for those that wait now. A row that has become more urgent waits now: its deadline
 * has passed, or was moved forward. One that came later under the same name, such as a returned ticket, waits now.
 */
export const withAside = (rows: SQL, key: string, viewer: Viewer): SQL => sql`
  select w.*, a.until from (${rows}) w (id, title, due_at, about, since, from_id)
    left join wait_aside a on a.user_id = ${viewer.id} and a."row" = ${idOf(key)} and a.until > now()
      and coalesce(w.due_at, 'infinity') >= coalesce(a.due_at, 'infinity')
      and not coalesce(w.due_at < now() and w.due_at >= a.put_at, false) and not coalesce(w.since > a.put_at, false)`;

/** The stored data of a row that is put off. */
export interface Waited {
  id: string;
  web_path: string;
  due_at: string | null;
}

/** Puts off a person's rows until a time; those already put off get the new time. Rows that wait no longer are left out and returned. */
export async function putAside(
  tx: Db,
  viewer: Viewer,
  { rows, until }: { rows: readonly string[]; until: string },
  found: readonly Waited[],
  now: Date,
): Promise<string[]> {
  const at = momentOf(until);
  if (at <= now) throw notLater(until.slice(0, 16));
  if (at > daysLater(now, mostAsideDays)) throw tooLate(until.slice(0, 10));
  const each = new Map(found.map((one) => [one.id, one]));
  if (each.size === 0) throw absent(rows.length > 1 ? '所选的事项' : '该事项');
  const values = [...each.values()].map(({ id, web_path, due_at }) => ({
    user_id: viewer.id,
    row: id,
    web_path,
    due_at,
    until,
  }));
  await tx
    .insert(asideTable)
    .values(values)
    .onConflictDoUpdate({
      target: [asideTable.user_id, asideTable.row],
      set: {
        until,
        due_at: sql`excluded.due_at`,
        web_path: sql`excluded.web_path`,
        put_at: sql`now()`,
      },
    });
  if ((await tx.$count(asideTable, eq(asideTable.user_id, viewer.id))) > mostAside) throw tooManyAside(mostAside);
  changed(tx, 'waits', [viewer.id]);
  return [...new Set(rows)].filter((row) => !each.has(row));
}

/** Brings back rows that a person put off; others are ignored. */
export async function takeBack(tx: Db, viewer: Viewer, rows: readonly string[]): Promise<void> {
  await tx.delete(asideTable).where(and(eq(asideTable.user_id, viewer.id), inArray(asideTable.row, [...rows])));
  changed(tx, 'waits', [viewer.id]);
}

/** Brings back rows of a page that people put off, when they are urged about it. */
export async function bringBack(tx: Db, webPath: string, people: readonly number[]): Promise<void> {
  if (people.length === 0) return;
  const back = await tx
    .delete(asideTable)
    .where(and(eq(asideTable.web_path, webPath), inArray(asideTable.user_id, [...people])))
    .returning({ user: asideTable.user_id });
  if (back.length > 0)
    changed(
      tx,
      'waits',
      back.map(({ user }) => user),
    );
}

/** Everybody who has something put off now. */
export async function peopleWithAside(tx: Db): Promise<number[]> {
  const rows = await tx
    .selectDistinct({ user: asideTable.user_id })
    .from(asideTable)
    .where(sql`${asideTable.until} > now()`)
    .orderBy(asideTable.user_id);
  return rows.map(({ user }) => user);
}

/** Removes entries whose time has come, and informs the windows of their people. */
export async function endAsides(tx: Db, now: Date): Promise<void> {
  const over = await tx
    .delete(asideTable)
    .where(lte(asideTable.until, now.toISOString()))
    .returning({ user: asideTable.user_id });
  if (over.length > 0) changed(tx, 'waits', [...new Set(over.map(({ user }) => user))]);
}

const ending = 'end what is put aside';
export const asideTasks = ({ databases }: { databases: Pick<Databases, 'write'> }): Task[] => [
  {
    name: ending,
    title: '稍后处理的事项到时间恢复',
    run: (_payload, { now }) => databases.write((tx) => endAsides(tx, now)),
  },
];
export const asideSchedules: Schedule[] = [{ task: ending, cron: '* * * * *', catchUpHours: 1 }];
