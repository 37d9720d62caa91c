import { sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Alternative } from './contract.ts';
import type { Booking, Source, Wanted } from './service.ts';

/** The wording of a refusal, and where to look for alternatives. */
export interface Asking {
  /** The name of the resource. */
  name: string;
  /** Suitable other resources, best first. */
  others?: readonly { id: number; name: string }[];
  /** The available period, such as opening hours; by default the requested day. */
  within?: { from: string; to: string };
  /** Titles of the clashing bookings that the person may see, in their order; 已占用 if missing. */
  titles?: (tx: Db, rows: readonly Booking[]) => Promise<readonly (string | undefined)[]>;
  /** Those of the alternatives that the person can really have, by the rules of each resource. */
  fits?: (tx: Db, found: readonly Alternative[]) => Promise<Alternative[]>;
  /** Offered times and durations are multiples of this number of minutes; 5 by default. */
  step?: number;
  /** Nothing is offered before this time. */
  now?: Date;
  /** The record to be moved, or one slot of it: it does not clash with itself. */
  except?: Source;
}

export interface SlotsWanted {
  resource: string;
  ids: readonly number[];
  from: string;
  to: string;
  /** Its duration in minutes, and the time kept free after it. */
  minutes: number;
  padding?: number;
  except?: Source | undefined;
}
export interface FreeSlot {
  resource_id: number;
  start_time: string;
  /** The latest end. */
  end_time: string;
}

/** Whole periods in which a resource is free for at least that long, in order of the resources given. */
export async function freeSlots(tx: Db, wanted: SlotsWanted): Promise<FreeSlot[]> {
  const { resource, ids, from, to, minutes, padding = 0, except } = wanted;
  const others = except
    ? sql`and not (module = ${except.module} and record_id = ${except.record_id}::int
        ${except.slot === undefined ? sql`` : sql`and slot = ${except.slot}`})`
    : sql``;
  const within = sql`tstzrange(${from}::timestamptz, ${to}::timestamptz + make_interval(mins => ${padding}))`;
  const { rows } = await tx.execute<Omit<FreeSlot, 'resource_id'> & { id: number }>(sql`
    select asked.id, lower(gap)::text as start_time, (upper(gap) - make_interval(mins => ${padding}))::text as end_time
    from unnest(${sql.param([...ids])}::int[]) with ordinality as asked(id, place)
    cross join lateral (
      select tstzmultirange(${within}) - coalesce(range_agg(during), '{}') as free from booking
      where resource = ${resource} and resource_id = asked.id and during && ${within} ${others}) as day
    cross join lateral unnest(day.free) as gap
    where upper(gap) - lower(gap) >= make_interval(secs => ${(minutes + padding) * 60})
    order by asked.place, lower(gap) limit 500`);
  return rows.map(({ id, start_time, end_time }) => ({
    resource_id: id,
    start_time: start_time.slice(0, 19),
    end_time: end_time.slice(0, 19),
  }));
}

const minute = 60_000;
const most = 5;

/** Other resources free at that time, then the same one just before and just after. */
export async function alternativesTo(tx: Db, wanted: Wanted, asking: Asking): Promise<Alternative[]> {
  const { resource, resource_id, start_time, end_time, padding = 0 } = wanted;
  const { name, others = [], except, now } = asking;
  const step = (asking.step ?? 5) * minute;
  const start = momentOf(start_time).getTime();
  const exact = momentOf(end_time).getTime() - start;
  const length = Math.ceil(exact / step) * step;
  const span = { resource, padding, except };
  const names = new Map(others.filter(({ id }) => id !== resource_id).map((one) => [one.id, one.name]));
  const elsewhere = await freeSlots(tx, {
    ...span,
    minutes: exact / minute,
    ids: [...names.keys()],
    from: start_time,
    to: end_time,
  });
  const day = start_time.slice(0, 10);
  const { from, to } = asking.within ?? { from: `${day} 00:00:00`, to: `${end_time.slice(0, 10)} 24:00:00` };
  const here = await freeSlots(tx, { ...span, minutes: length / minute, ids: [resource_id], from, to });
  const times = here.flatMap((slot) => {
    const first = Math.ceil(Math.max(momentOf(slot.start_time).getTime(), now?.getTime() ?? 0) / step) * step;
    const last = Math.floor((momentOf(slot.end_time).getTime() - length) / step) * step;
    return first > last ? [] : [Math.min(Math.max(Math.ceil(start / step) * step, first), last)];
  });
  const before = times.findLast((at) => at < start);
  const after = times.find((at) => at > start);
  const nearest = [before, after].flatMap((at) => at ?? []);
  const found = [
    ...elsewhere.map((slot) => ({
      resource_id: slot.resource_id,
      name: names.get(slot.resource_id) ?? '',
      start_time,
      end_time,
    })),
    ...nearest
      .toSorted((a, b) => Math.abs(a - start) - Math.abs(b - start))
      .map((at) => ({
        resource_id,
        name,
        start_time: momentText(new Date(at)),
        end_time: momentText(new Date(at + length)),
      })),
  ];
  return (asking.fits ? await asking.fits(tx, found) : found).slice(0, most);
}
