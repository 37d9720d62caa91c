import { inArray, sql } from 'drizzle-orm';
import { dayAfter, dayOf, daysBetween } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import type { NewsKind } from '../contract/kinds.ts';
import { newsAbout, tellOf, type Said } from '../service.ts';
import { messageHabitTable } from '../tables.ts';

/** Days after which a missed reminder is dropped. */
const letBe = 7;

/** A record that is due on a day, `YYYY-MM-DD`. */
export interface DueRow {
  id: number;
  due: string;
}
export interface Span {
  /** The first and the last day to remind of. */
  first: string;
  last: string;
  now: Date;
}

export interface DateReminders<Row extends DueRow> {
  kind: NewsKind;
  /** Distinguishes it from another reminder of the same kind. */
  part?: number;
  /** The module of the rows' ids, if it is not the kind's own. */
  module?: string;
  /** Days before the due day on which to remind, negative after it; of several missed ones only the nearest. */
  days: readonly number[];
  /** Rows due between the days and still open, locked (`for share`): moving a day meanwhile finds what was sent for the old one. */
  due(tx: Db, span: Span): Promise<readonly Row[]>;
  /** The recipients for each row. */
  to(tx: Db, rows: readonly Row[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** `left`: days until then. */
  says(row: Row, left: number): Words;
  /** The text of a combined message, if several days of one record may be due. Without it, each is sent alone. */
  saysTogether?(dues: readonly Due<Row>[]): Words;
}
type Words = Pick<Said, 'content' | 'level' | 'page' | 'also' | 'sender'> & { title: string };
interface Due<Row> {
  row: Row;
  left: number;
}

/**
 * Sends reminders of due records. Everybody is told of a record, its due day and a number of days before it once: the database keeps one row of each,
 * however many jobs run at once, and whenever they last did. A changed day is announced anew. The resulting function is called by a job, as often as
 * desired; it returns how many were told.
 */
export function dateReminders<Row extends DueRow>(
  definition: DateReminders<Row>,
): (tx: Db, now: Date) => Promise<number> {
  const { kind, days, module = kind.module } = definition;
  const event = definition.part === undefined ? kind.event : `${kind.event}_${definition.part}`;
  const [least, most] = [Math.min(...days), Math.max(...days)];
  return async (tx, now) => {
    const today = dayOf(now);
    const rows = await definition.due(tx, {
      first: dayAfter(today, least < 0 ? least - letBe : 0),
      last: dayAfter(today, most),
      now,
    });
    if (rows.length === 0) return 0;
    const people = await definition.to(tx, rows);
    const near = rows.map((row) => ({ row, left: daysBetween(today, row.due) }));
    const said = near.flatMap(({ row, left }) => {
      const stage = Math.min(...days.filter((one) => left <= one));
      return (people.get(row.id) ?? []).map((user_id) => ({ object_id: row.id, due: row.due, days: stage, user_id }));
    });
    const { rows: fresh } = await tx.execute<{ object_id: number; due: string; people: number[] }>(sql`
      with told as (
        insert into msg_reminder (module, event, object_id, due, days, user_id)
        select ${module}, ${event}, * from jsonb_to_recordset(${JSON.stringify(said)}::jsonb)
          said (object_id int, due date, days smallint, user_id int)
        on conflict do nothing returning object_id, due, user_id)
      select object_id, to_char(due, 'YYYY-MM-DD') due, array_agg(user_id order by user_id) people from told
      group by object_id, due order by object_id, due`);
    const keyOf = (id: number, due: string) => `${id} ${due}`;
    const byKey = new Map(near.map((one) => [keyOf(one.row.id, one.row.due), one]));
    const together = definition.saysTogether
      ? Map.groupBy(fresh, (one) => one.object_id).values()
      : fresh.map((one) => [one]);
    for (const told of together) {
      const dues = told.map((one) => byKey.get(keyOf(one.object_id, one.due))!);
      const [{ row, left }] = dues as [Due<Row>];
      const words = dues.length > 1 ? definition.saysTogether!(dues) : definition.says(row, left);
      const to = [...new Set(told.flatMap((one) => one.people))];
      const about = { id: row.id, module, occasion: row.due };
      await tellOf(tx, newsAbout(kind, about, { ...words, by: null, again: 'always' }), to);
    }
    return fresh.reduce((sum, { people: to }) => sum + to.length, 0);
  };
}

/** Those of some people who are outside their own quiet hours at a moment. */
export async function awakeAmong(tx: Db, people: readonly number[], at: Date): Promise<number[]> {
  if (people.length === 0) return [];
  const { user_id, quiet_from, quiet_to } = messageHabitTable;
  const rows = await tx
    .select({ user_id, quiet_from, quiet_to })
    .from(messageHabitTable)
    .where(inArray(user_id, [...people]));
  const asleep = new Set(
    rows.flatMap((row) => (afterQuiet(at, row.quiet_from, row.quiet_to) > at ? [row.user_id] : [])),
  );
  return people.filter((one) => !asleep.has(one));
}
