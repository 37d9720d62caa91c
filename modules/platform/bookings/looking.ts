// Queries of taken and free times.
import { and, eq, inArray, sql } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import {
  during,
  most,
  mostShown,
  of,
  row,
  slotOf,
  type Booking,
  type Place,
  type Source,
  type Wanted,
} from './rows.ts';
import { bookingTable } from './tables.ts';

/** The clashing bookings, in order of time; without those of the record named by `except`, or of one slot of it. */
export function clashes(tx: Db, wanted: Wanted, except?: Source): Promise<Booking[]> {
  const others = except && sql`not (${except.slot === undefined ? of(except) : slotOf(except)})`;
  return tx
    .select(row)
    .from(bookingTable)
    .where(
      and(
        eq(bookingTable.resource, wanted.resource),
        eq(bookingTable.resource_id, wanted.resource_id),
        sql`${bookingTable.during} && ${during(wanted)}`,
        others,
      ),
    )
    .orderBy(bookingTable.start_time)
    .limit(most);
}

/** The same for many at once, in one statement: at most five clashes for each. */
export async function clashesOfAll(tx: Db, wanted: readonly Wanted[], except?: Source): Promise<Booking[][]> {
  const found = wanted.map((): Booking[] => []);
  if (wanted.length === 0) return found;
  const asked = wanted.map(({ resource, resource_id: id, start_time, end_time, padding = 0, until = null }, at) => ({
    at,
    resource,
    id,
    start_time,
    end_time,
    padding,
    until,
  }));
  const { rows } = await tx.execute<Record<string, unknown> & Booking & { at: number }>(sql`
    select asked.at, taken.* from (
      select at, resource, id, tstzrange(start_time, least(end_time + make_interval(mins => padding), until)) during
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) w(at int, resource text, id int, padding int,
        until timestamptz, start_time timestamptz, end_time timestamptz)) asked
    cross join lateral (
      select module, record_id, slot, resource, resource_id, start_time::text, end_time::text, free_at::text, state
      from booking where booking.resource = asked.resource and resource_id = asked.id and booking.during && asked.during
      ${except ? sql`and not (module = ${except.module} and record_id = ${except.record_id}::int)` : sql``}
      order by booking.start_time limit 5) as taken
    order by asked.at`);
  for (const { at, start_time, end_time, free_at, ...row } of rows)
    found[at]!.push({
      ...row,
      start_time: start_time.slice(0, 19),
      end_time: end_time.slice(0, 19),
      free_at: free_at.slice(0, 19),
    });
  return found;
}

/** Those of some resources that are free in each of some periods, in their order. */
export async function freeAmong(
  tx: Db,
  resource: string,
  ids: readonly number[],
  periods: readonly { start_time: string; end_time: string }[],
): Promise<number[][]> {
  const free = periods.map((): number[] => []);
  if (ids.length === 0 || periods.length === 0) return free;
  const asked = periods.map(
    (one, at) => sql`(${at}::int, tstzrange(${one.start_time}::timestamptz, ${one.end_time}::timestamptz))`,
  );
  const { rows } = await tx.execute<{ at: number; id: number }>(sql`
    select asked.at, known.id from (values ${sql.join(asked, sql`, `)}) as asked(at, during)
    cross join unnest(${sql.param([...ids])}::int[]) with ordinality as known(id, place)
    where not exists (select from booking where booking.resource = ${resource} and resource_id = known.id
      and booking.during && asked.during)
    order by asked.at, known.place`);
  for (const { at, id } of rows) free[at]!.push(id);
  return free;
}

/** The bookings of a record, or of one slot of it. */
export const heldBy = (tx: Db, source: Source): Promise<Booking[]> =>
  tx
    .select(row)
    .from(bookingTable)
    .where(source.slot === undefined ? of(source) : slotOf(source));

/** The own bookings of some records of a module, without those a change asks for. */
export const heldByAll = (tx: Db, module: string, ids: readonly number[]): Promise<Booking[]> =>
  tx
    .select(row)
    .from(bookingTable)
    .where(and(eq(bookingTable.module, module), inArray(bookingTable.record_id, [...ids]), eq(bookingTable.slot, '')));

/** True if a resource is booked now or later: it must be free before it is given up or changed. */
export async function hasOccupations(tx: Db, { resource, resource_id }: Place, from: string): Promise<boolean> {
  const mine = and(eq(bookingTable.resource, resource), eq(bookingTable.resource_id, resource_id));
  const { rows } = await tx.execute<{ has: boolean }>(
    sql`select exists (select from ${bookingTable} where ${and(mine, sql`${bookingTable.free_at} > ${from}::timestamptz`)}) has`,
  );
  return rows[0]!.has;
}

/** Bookings of some resources in a period, for a day's view. */
export function occupationsOf(
  tx: Db,
  resource: string,
  ids: readonly number[],
  within: { from: string; to: string },
): Promise<Booking[]> {
  return namedRows<Booking>(
    tx,
    sql`
    select module, record_id, slot, resource, resource_id, left(start_time::text, 19) start_time, left(end_time::text, 19) end_time,
      left(free_at::text, 19) free_at, state
    from booking where resource = ${resource} and resource_id = any(${sql.param([...ids])}::int[])
      and during && tstzrange(${within.from}::timestamptz, ${within.to}::timestamptz)
    order by resource_id, booking.start_time limit ${mostShown}`,
  );
}

/** The number of bookings of a resource after a time. */
export const usesAfter = (tx: Db, { resource, resource_id }: Place, after: string): Promise<number> =>
  tx.$count(
    bookingTable,
    and(
      eq(bookingTable.resource, resource),
      eq(bookingTable.resource_id, resource_id),
      sql`${bookingTable.end_time} > ${after}::timestamptz`,
    ),
  );
