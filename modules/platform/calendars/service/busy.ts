import { sql, type SQL } from 'drizzle-orm';
import { dayAfter, momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { commonFree, type Span } from '../engine/free.ts';
import { calendarOf } from '../service.ts';

/** A period in which somebody is busy. */
export interface Taken extends Span {
  user_id: number;
  /** Its description; missing or null if the viewer may not know it. */
  label?: string | null;
}
export interface BusyAsked {
  viewer: Viewer;
  users: readonly number[];
  from: string;
  to: string;
  /** The record being changed, which is no clash with itself. */
  except?: { module: string; id: number } | undefined;
}
/** Periods in which people are busy because of one module's records, described as far as the viewer may know. */
export type BusySource = (tx: Db, asked: BusyAsked) => Promise<Taken[]>;

/** Shown for a period whose purpose the viewer may not know. */
export const engaged = '有安排';
/** More entries than two hundred people have in two weeks: busy time must never look free. */
export const mostTaken = 20_000;

/** A source made of rows `(person, from, to)`, whose purpose nobody is told. */
export const takenIn =
  (spans: SQL, label: string | null = null): BusySource =>
  (tx, { users, from, to }) =>
    namedRows<Taken>(
      tx,
      sql`select taken.person user_id, left(taken.start_time::text, 19) start_time, left(taken.end_time::text, 19) end_time, ${label}::text label
        from (${spans}) taken (person, start_time, end_time) where taken.person = any(${sql.param([...users])}::int[])
          and taken.start_time < ${to}::timestamptz and taken.end_time > ${from}::timestamptz order by 1, 2 limit ${mostTaken}`,
    );

/** Periods in which people are busy, from all modules except those in `besides`; each with a description. */
export async function busyTimes(
  tx: Db,
  asked: BusyAsked,
  besides: readonly string[] = [],
): Promise<(Span & { user_id: number; label: string })[]> {
  if (asked.users.length === 0) return [];
  const found: Taken[] = [];
  for (const [name, source] of Object.entries(tx.services.product.busy))
    if (!besides.includes(name)) found.push(...(await source(tx, asked)));
  // The same event in the records of two modules, such as a meeting in a leader's schedule, is listed once.
  const once = new Map<string, Taken>();
  for (const one of found) {
    const key = `${one.user_id} ${one.start_time} ${one.end_time}`;
    const known = once.get(key);
    if (!known?.label) once.set(key, one);
  }
  return [...once.values()]
    .map((one) => ({ ...one, label: one.label ?? engaged }))
    .toSorted((a, b) => a.user_id - b.user_id || (a.start_time < b.start_time ? -1 : 1));
}

/** Days searched for a time that suits everybody. */
const days = 14;
/** The end of the period for which `freeFor` needs people's busy times. */
export const lookUntil = (start: string): string => `${dayAfter(start.slice(0, 10), days)} 00:00:00`;

/** The first times in working hours that suit all people, beginning on the day of `start`, with the requested length. */
export async function freeFor(
  tx: Db,
  { start_time: start, end_time: end }: Span,
  taken: readonly Span[],
  now: Date,
): Promise<Span[]> {
  const minutes = (momentOf(end).getTime() - momentOf(start).getTime()) / 60_000;
  return commonFree(await calendarOf(tx), taken, { day: start.slice(0, 10), days, minutes, now: momentText(now) });
}

declare module '#kernel/server/product.ts' {
  interface Product {
    busy: Readonly<Record<string, BusySource>>;
  }
  interface ModuleDefinition {
    /** Sources of people's busy times, by name. */
    busy?: Readonly<Record<string, BusySource>>;
  }
}
