import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { alternativesTo, type Asking } from './alternatives.ts';
import { occupied, taken, type Clash } from './contract.ts';
import { clashes, clashesOfAll } from './looking.ts';
import {
  during,
  freeAt,
  keepingOf,
  of,
  row,
  slotOf,
  type Booking,
  type Place,
  type Source,
  type Wanted,
} from './rows.ts';
import { bookingTable, type BookingState } from './tables.ts';

export { alternativesTo, freeSlots, type Asking } from './alternatives.ts';
export {
  clashes,
  clashesOfAll,
  freeAmong,
  hasOccupations,
  heldBy,
  heldByAll,
  occupationsOf,
  usesAfter,
} from './looking.ts';
export { keepingOf, type Booking, type Place, type Source, type Wanted } from './rows.ts';
export type { BookingState };

/** Locks the resources in a fixed order, so that requests for several of them never deadlock. */
export async function hold(tx: Db, places: readonly Place[]): Promise<void> {
  const keys = sql.join(
    places.map(({ resource, resource_id }) => sql`(${`booking:${resource}:${resource_id}`})`),
    sql`, `,
  );
  await tx.execute(sql`select pg_advisory_xact_lock(key) from
    (select distinct hashtextextended(name, 0) as key from (values ${keys}) as place(name) order by key) as places`);
}

/** Inserts the bookings that nothing clashes with; returns which were inserted. */
async function write(tx: Db, wanted: readonly (Wanted & Source)[]): Promise<ReadonlySet<string>> {
  const rows = wanted.map(({ module, record_id, slot = '', resource, resource_id, state = 'confirmed', ...one }) => ({
    module,
    record_id,
    slot,
    resource,
    resource_id,
    state,
    start_time: one.start_time,
    end_time: one.end_time,
    padding: one.padding ?? 0,
    until: one.until ?? null,
  }));
  // Waits for concurrent writers of the same period and then sees the clash; a failed insert would end the transaction.
  const { rows: written } = await tx.execute<{ record_id: number; slot: string; module: string }>(sql`
    insert into booking (module, record_id, slot, resource, resource_id, start_time, end_time, free_at, state)
    select module, record_id, slot, resource, resource_id, start_time, end_time,
      least(end_time + make_interval(mins => padding), until), state
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) w(module text, record_id int, slot text, resource text, resource_id int,
      state text, until timestamptz, start_time timestamptz, end_time timestamptz, padding int)
    on conflict on constraint booking_free do nothing
    returning module, record_id, slot`);
  return new Set(written.map(keyOf));
}
const keyOf = ({ module, record_id, slot = '' }: Source) => `${module}:${record_id}:${slot}`;

async function refuse(tx: Db, wanted: Wanted, asking: Asking): Promise<never> {
  const rows = await clashes(tx, wanted, asking.except);
  const titles = (await asking.titles?.(tx, rows)) ?? [];
  const clashing = rows.map(({ resource_id, start_time, end_time }, at): Clash => ({
    resource_id,
    start_time,
    end_time,
    title: titles[at] ?? occupied,
  }));
  throw taken(asking.name, wanted, clashing, await alternativesTo(tx, wanted, asking));
}

/** Books a resource for a record, or refuses with the clashes and the alternatives. */
export async function book(tx: Db, source: Source, wanted: Wanted, asking: Asking): Promise<void> {
  // If it is already taken, there is no need to wait for other requests.
  if ((await clashes(tx, wanted)).length > 0) await refuse(tx, wanted, asking);
  // A late request releases its locks before it looks for alternatives.
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

/** Books those that are free, and returns the others with their clashes: the dates of a series. */
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

/** Moves a record's booking to another time or resource. If refused, the record keeps its booking. False if it has none. */
export async function move(tx: Db, source: Source, wanted: Wanted, asking: Asking): Promise<boolean> {
  const [known] = await tx.select(row).from(bookingTable).where(slotOf(source));
  if (!known) return false;
  await hold(tx, [known, wanted]);
  const [before] = await tx.delete(bookingTable).where(slotOf(source)).returning(row);
  if (!before) return false;
  const next = keepingOf(wanted, before);
  const written = await write(tx, [{ ...next, ...source, state: wanted.state ?? before.state }]);
  if (written.size > 0) return true;
  await tx.insert(bookingTable).values(before);
  return refuse(tx, next, { ...asking, except: before });
}

/**
 * Holds for another slot of a record the part of a period that the record has not booked yet: the rest of what overlaps with its own bookings.
 * Refused with the clashes of others.
 */
export async function bookMore(tx: Db, source: Required<Source>, asked: Wanted, asking: Asking): Promise<void> {
  const [has] = await tx
    .select(row)
    .from(bookingTable)
    .where(slotOf({ ...source, slot: '' }));
  const wanted = keepingOf(asked, has);
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
    await refuse(tx, wanted, { ...asking, except: { module: source.module, record_id: source.record_id } });
}

/** The end of the record's bookings around a period: the room's present padding may be longer than when they were made. */
async function heldUntil(tx: Db, has: readonly Booking[], { resource, resource_id, start_time, end_time }: Wanted) {
  const parts = has.filter((one) => one.resource === resource && one.resource_id === resource_id);
  if (parts.length === 0) return undefined;
  const ranges = parts.map((one) => sql`tstzrange(${one.start_time}::timestamptz, ${one.free_at}::timestamptz)`);
  const { rows } = await tx.execute<{ until: string }>(sql`
    select upper(part)::text until from unnest(tstzmultirange(${sql.join(ranges, sql`, `)})) part
    where part @> tstzrange(${start_time}::timestamptz, ${end_time}::timestamptz)`);
  return rows[0]?.until.slice(0, 19);
}

/** Replaces all bookings of a record, in whatever slot, by this one. It consists of time the record holds, so nothing clashes. */
export async function settleAll(tx: Db, source: Source, wanted: Wanted): Promise<void> {
  const has = await tx.select(row).from(bookingTable).where(of(source));
  await hold(tx, [...has, wanted]);
  await tx.delete(bookingTable).where(of(source));
  const until = await heldUntil(tx, has, wanted);
  if ((await write(tx, [{ ...wanted, ...source, ...(until && { until }) }])).size === 0)
    throw new Error('what is settled was not held');
}

/**
 * Makes a slot of a record what is wanted: books, moves, or frees it if nothing is wanted. An equal booking is left as it is. If refused, the record
 * keeps its booking.
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

/** Confirms a held booking. False if the record has none. */
export async function confirm(tx: Db, source: Source): Promise<boolean> {
  const rows = await tx.update(bookingTable).set({ state: 'confirmed' }).where(slotOf(source)).returning(row);
  return rows.length > 0;
}

/** The same for several records of a module, in one statement. */
export async function confirmAll(tx: Db, { module, slot = '' }: Omit<Source, 'record_id'>, ids: readonly number[]) {
  if (ids.length === 0) return;
  const mine = and(
    eq(bookingTable.module, module),
    inArray(bookingTable.record_id, [...ids]),
    eq(bookingTable.slot, slot),
  );
  await tx.update(bookingTable).set({ state: 'confirmed' }).where(mine);
}

/** Frees a record's bookings: all, or one slot; with `from`, only their remaining part. Returns the changed ones as they were. */
export const release = (tx: Db, source: Source, from?: string): Promise<Booking[]> =>
  free(tx, source.slot === undefined ? of(source) : slotOf(source), from);

/** Frees the bookings of several records of a module, in as many statements as for one. */
export const releaseAll = async (tx: Db, module: string, ids: readonly number[], from?: string): Promise<Booking[]> =>
  ids.length === 0
    ? []
    : free(tx, and(eq(bookingTable.module, module), inArray(bookingTable.record_id, [...ids])), from);

async function free(tx: Db, mine: SQL | undefined, from: string | undefined): Promise<Booking[]> {
  const held = await tx
    .select(row)
    .from(bookingTable)
    .where(mine)
    .orderBy(bookingTable.record_id, bookingTable.slot)
    .for('update');
  const freed = from === undefined ? held : held.filter((one) => one.free_at > from);
  if (freed.length === 0) return [];
  if (from === undefined) await tx.delete(bookingTable).where(mine);
  else {
    await tx.delete(bookingTable).where(and(mine, sql`${bookingTable.start_time} >= ${from}::timestamptz`));
    await tx
      .update(bookingTable)
      .set({
        end_time: sql`least(end_time, ${from}::timestamptz)`,
        // The padding after it also applies to its earlier end.
        free_at: sql`least(free_at, greatest(${from}::timestamptz, least(end_time, ${from}::timestamptz) + (free_at - end_time)))`,
      })
      .where(and(mine, sql`${bookingTable.free_at} > ${from}::timestamptz`));
  }
  return freed;
}
