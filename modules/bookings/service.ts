import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { alternativesTo, type Asking } from './alternatives.ts';
import { occupied, taken, type Clash } from './contract.ts';
import { bookingTable, type BookingState } from './tables.ts';

export { freeSlots, type Asking } from './alternatives.ts';
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
async function hold(tx: Db, places: readonly Place[]): Promise<void> {
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
  await hold(tx, [wanted]);
  const written = await write(tx, [{ ...wanted, ...source }]);
  if (!written.has(keyOf(source))) await refuse(tx, wanted, asking);
}

/** Takes as many of these as are free, and answers the others with what is in their way: the dates of a series. */
export async function bookFree<W extends Wanted & Source>(
  tx: Db,
  wanted: readonly W[],
): Promise<{ booked: W[]; left: { wanted: W; clashes: Booking[] }[] }> {
  if (wanted.length === 0) return { booked: [], left: [] };
  await hold(tx, wanted);
  const written = await write(tx, wanted);
  const left = [];
  for (const one of wanted)
    if (!written.has(keyOf(one))) left.push({ wanted: one, clashes: await clashes(tx, one, one) });
  return { booked: wanted.filter((one) => written.has(keyOf(one))), left };
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
