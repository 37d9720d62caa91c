import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { savepoint } from '#kernel/server/db/savepoint.ts';
import { alternativesTo, type Asking } from './alternatives.ts';
import { occupied, taken, type Clash } from './contract.ts';
import { bookingTable, type BookingState } from './tables.ts';

export { alternativesTo, freeSlots, type Asking } from './alternatives.ts';
export type { BookingState };

/** The record an occupation is for. `slot` tells several of one record apart; empty unless set. */
export interface Source {
  module: string;
  record_id: number;
  slot?: string;
}
export interface Place {
  resource: string;
  resource_id: number;
}
export interface Wanted extends Place {
  /** `YYYY-MM-DD HH:mm:ss`; the end is no longer part of it. */
  start_time: string;
  end_time: string;
  /** Minutes that it is kept free after the end. They are counted once: the next one begins where they are over. */
  padding?: number;
  /** Confirmed unless set. */
  state?: BookingState;
}
/** An occupation as it stands. */
export interface Booking extends Required<Source>, Place {
  start_time: string;
  end_time: string;
  free_at: string;
  state: BookingState;
}

const freeAt = ({ end_time, padding = 0 }: Wanted): SQL =>
  sql`${end_time}::timestamptz + make_interval(mins => ${padding})`;
const during = (wanted: Wanted): SQL => sql`tstzrange(${wanted.start_time}::timestamptz, ${freeAt(wanted)})`;
const of = ({ module, record_id }: Source) =>
  and(eq(bookingTable.module, module), eq(bookingTable.record_id, record_id));
const slotOf = (source: Source) => and(of(source), eq(bookingTable.slot, source.slot ?? ''));
const row = {
  module: bookingTable.module,
  record_id: bookingTable.record_id,
  slot: bookingTable.slot,
  resource: bookingTable.resource,
  resource_id: bookingTable.resource_id,
  start_time: bookingTable.start_time,
  end_time: bookingTable.end_time,
  free_at: bookingTable.free_at,
  state: bookingTable.state,
};
/** Most occupations that are told of at once. */
const most = 500;

/** Takes the resources in one order for everybody, so that who wants several waits and never meets another half-way. */
export async function hold(tx: Db, places: readonly Place[]): Promise<void> {
  const keys = sql.join(
    places.map(({ resource, resource_id }) => sql`(${`booking:${resource}:${resource_id}`})`),
    sql`, `,
  );
  await tx.execute(sql`select pg_advisory_xact_lock(key) from
    (select distinct hashtextextended(name, 0) as key from (values ${keys}) as place(name) order by key) as places`);
}

/** Writes those that nobody is in the way of; answers which of them stand. */
async function write(tx: Db, wanted: readonly (Wanted & Source)[]): Promise<ReadonlySet<string>> {
  const rows = wanted.map(
    (one) => sql`(${one.module}, ${one.record_id}::int, ${one.slot ?? ''}, ${one.resource}, ${one.resource_id}::int,
      ${one.start_time}::timestamptz, ${one.end_time}::timestamptz, ${freeAt(one)}, ${one.state ?? 'confirmed'})`,
  );
  // Waits for whoever is writing down the same time, and then knows; a failed insert would end the transaction.
  const { rows: written } = await tx.execute<{ record_id: number; slot: string; module: string }>(sql`
    insert into booking (module, record_id, slot, resource, resource_id, start_time, end_time, free_at, state)
    values ${sql.join(rows, sql`, `)} on conflict on constraint booking_free do nothing
    returning module, record_id, slot`);
  return new Set(written.map(keyOf));
}
const keyOf = ({ module, record_id, slot = '' }: Source) => `${module}:${record_id}:${slot}`;

async function refuse(tx: Db, wanted: Wanted, asking: Asking): Promise<never> {
  const rows = await clashes(tx, wanted);
  const titles = (await asking.titles?.(tx, rows)) ?? [];
  const clashing = rows.map(({ resource_id, start_time, end_time }, at): Clash => ({
    resource_id,
    start_time,
    end_time,
    title: titles[at] ?? occupied,
  }));
  throw taken(asking.name, wanted, clashing, await alternativesTo(tx, wanted, asking));
}

/** Takes a resource for a record, or refuses with what is in the way and what would be free instead. */
export async function book(tx: Db, source: Source, wanted: Wanted, asking: Asking): Promise<void> {
  // Whoever finds it taken need not wait behind others who ask for it, too.
  if ((await clashes(tx, wanted)).length > 0) await refuse(tx, wanted, asking);
  // Whoever comes too late lets others go on before looking for what would be free instead.
  const got = await savepoint(tx, async () => {
    await hold(tx, [wanted]);
    if (!(await write(tx, [{ ...wanted, ...source }])).has(keyOf(source))) throw late;
    return true;
  }).catch((stop: unknown) => {
    if (stop !== late) throw stop;
    return false;
  });
  if (!got) await refuse(tx, wanted, asking);
}
const late = new Error('somebody else has it');

/** Takes as many of these as are free, and answers the others with what is in their way: the dates of a series. */
export async function bookFree<W extends Wanted & Source>(
  tx: Db,
  wanted: readonly W[],
): Promise<{ booked: W[]; left: { wanted: W; clashes: Booking[] }[] }> {
  if (wanted.length === 0) return { booked: [], left: [] };
  await hold(tx, wanted);
  const written = await write(tx, wanted);
  const not = wanted.filter((one) => !written.has(keyOf(one)));
  const inWay = await clashesOfAll(tx, not);
  return {
    booked: wanted.filter((one) => written.has(keyOf(one))),
    left: not.map((one, at) => ({ wanted: one, clashes: inWay[at]! })),
  };
}

/** Takes another time or resource for what a record has. Refused, the record keeps what it had. False where it has nothing. */
export async function move(tx: Db, source: Source, wanted: Wanted, asking: Asking): Promise<boolean> {
  const [known] = await tx.select(row).from(bookingTable).where(slotOf(source));
  if (!known) return false;
  await hold(tx, [known, wanted]);
  const [before] = await tx.delete(bookingTable).where(slotOf(source)).returning(row);
  if (!before) return false;
  const written = await write(tx, [{ ...wanted, ...source, state: wanted.state ?? before.state }]);
  if (written.size > 0) return true;
  await tx.insert(bookingTable).values(before);
  return refuse(tx, wanted, { ...asking, except: before });
}

/**
 * Holds for another slot of a record what of a time the record has not got already: the rest of what overlaps with its own. Refused with
 * what of others is in the way.
 */
export async function bookMore(tx: Db, source: Required<Source>, wanted: Wanted, asking: Asking): Promise<void> {
  const [has] = await tx
    .select(row)
    .from(bookingTable)
    .where(slotOf({ ...source, slot: '' }));
  await hold(tx, has ? [has, wanted] : [wanted]);
  const same = has?.resource === wanted.resource && has.resource_id === wanted.resource_id;
  const { rows } = await tx.execute<{ start_time: string; end_time: string }>(sql`
    select lower(part)::text start_time, upper(part)::text end_time from unnest(
      tstzmultirange(${during(wanted)}) - ${same ? sql`tstzmultirange(tstzrange(${has.start_time}::timestamptz, ${has.free_at}::timestamptz))` : sql`'{}'::tstzmultirange`}) part`);
  const parts = rows.map((part, at) => ({
    ...wanted,
    ...source,
    slot: `${source.slot}${at || ''}`,
    start_time: part.start_time.slice(0, 19),
    end_time: part.end_time.slice(0, 19),
    padding: 0,
  }));
  if (parts.length > 0 && (await write(tx, parts)).size < parts.length)
    await refuse(tx, wanted, { ...asking, ...(has && { except: has }) });
}

/** All that a record has, in whichever slots, becomes this. It is made of what the record holds, so nobody is in the way. */
export async function settleAll(tx: Db, source: Source, wanted: Wanted): Promise<void> {
  const has = await tx.select(row).from(bookingTable).where(of(source));
  await hold(tx, [...has, wanted]);
  await tx.delete(bookingTable).where(of(source));
  if ((await write(tx, [{ ...wanted, ...source }])).size === 0) throw new Error('what is settled was not held');
}

/**
 * What a slot of a record has becomes what is wanted: it is booked, moved, or freed where nothing is. What stands already is left as
 * it is. Refused, the record keeps what it had.
 */
export async function settle<W extends Wanted | null>(
  tx: Db,
  source: Source,
  wanted: W,
  ...[asking]: W extends null ? [Asking?] : [Asking]
): Promise<void> {
  if (wanted === null) return void (await release(tx, { ...source, slot: source.slot ?? '' }));
  const same = and(
    slotOf(source),
    eq(bookingTable.resource, wanted.resource),
    eq(bookingTable.resource_id, wanted.resource_id),
    sql`${bookingTable.start_time} = ${wanted.start_time}::timestamptz and ${bookingTable.end_time} = ${wanted.end_time}::timestamptz`,
    sql`${bookingTable.free_at} = ${freeAt(wanted)}`,
    wanted.state && eq(bookingTable.state, wanted.state),
  );
  if ((await tx.$count(bookingTable, same)) > 0 || (await move(tx, source, wanted, asking!))) return;
  await book(tx, source, wanted, asking!);
}

/** What was held is agreed to. False where the record has nothing. */
export async function confirm(tx: Db, source: Source): Promise<boolean> {
  const rows = await tx.update(bookingTable).set({ state: 'confirmed' }).where(slotOf(source)).returning(row);
  return rows.length > 0;
}

/** Frees what a record has: all of it, or one slot; with `from`, what of it is still to come. Answers what was changed, as it was. */
export async function release(tx: Db, source: Source, from?: string): Promise<Booking[]> {
  const mine = source.slot === undefined ? of(source) : slotOf(source);
  const held = await tx.select(row).from(bookingTable).where(mine).for('update');
  const freed = from === undefined ? held : held.filter((one) => one.free_at > from);
  if (freed.length === 0) return [];
  if (from === undefined) await tx.delete(bookingTable).where(mine);
  else {
    await tx.delete(bookingTable).where(and(mine, sql`${bookingTable.start_time} >= ${from}::timestamptz`));
    await tx
      .update(bookingTable)
      .set({ end_time: sql`least(end_time, ${from}::timestamptz)`, free_at: sql`${from}::timestamptz` })
      .where(and(mine, sql`${bookingTable.free_at} > ${from}::timestamptz`));
  }
  return freed;
}

/** What is in the way of this, first things first; nothing of the record named by `except`. */
export function clashes(tx: Db, wanted: Wanted, except?: Source): Promise<Booking[]> {
  const others = except && sql`not (${slotOf(except)})`;
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

/** The same of many at once, in one statement: at most five in the way of each. */
export async function clashesOfAll(tx: Db, wanted: readonly Wanted[], except?: Source): Promise<Booking[][]> {
  const found = wanted.map((): Booking[] => []);
  if (wanted.length === 0) return found;
  const asked = wanted.map((one, at) => sql`(${at}::int, ${one.resource}, ${one.resource_id}::int, ${during(one)})`);
  const { rows } = await tx.execute<Record<string, unknown> & Booking & { at: number }>(sql`
    select asked.at, taken.* from (values ${sql.join(asked, sql`, `)}) as asked(at, resource, id, during)
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

/** Which of some resources nobody has in each of some periods, in their order. */
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

/** What a record has, or one slot of it. */
export const heldBy = (tx: Db, source: Source): Promise<Booking[]> =>
  tx
    .select(row)
    .from(bookingTable)
    .where(source.slot === undefined ? of(source) : slotOf(source));

/** Whether anybody has a resource now or later: one that is given up, or becomes another, has to be free. */
export async function hasOccupations(tx: Db, { resource, resource_id }: Place, from: string): Promise<boolean> {
  const mine = and(eq(bookingTable.resource, resource), eq(bookingTable.resource_id, resource_id));
  const { rows } = await tx.execute<{ has: boolean }>(
    sql`select exists (select from ${bookingTable} where ${and(mine, sql`${bookingTable.free_at} > ${from}::timestamptz`)}) has`,
  );
  return rows[0]!.has;
}

/** What is taken of some resources in a while, for a day's view. */
export function occupationsOf(
  tx: Db,
  resource: string,
  ids: readonly number[],
  within: { from: string; to: string },
): Promise<Booking[]> {
  return tx
    .select(row)
    .from(bookingTable)
    .where(
      and(
        eq(bookingTable.resource, resource),
        inArray(bookingTable.resource_id, [...ids]),
        sql`${bookingTable.during} && tstzrange(${within.from}::timestamptz, ${within.to}::timestamptz)`,
      ),
    )
    .orderBy(bookingTable.resource_id, bookingTable.start_time)
    .limit(most);
}

/** How often a resource is still taken after a moment. */
export const usesAfter = (tx: Db, { resource, resource_id }: Place, after: string): Promise<number> =>
  tx.$count(
    bookingTable,
    and(
      eq(bookingTable.resource, resource),
      eq(bookingTable.resource_id, resource_id),
      sql`${bookingTable.end_time} > ${after}::timestamptz`,
    ),
  );
