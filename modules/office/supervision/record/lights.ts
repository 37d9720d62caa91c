import { createHash } from 'node:crypto';
import { and, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { dayAfter, dayOf, momentOf, yearOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import {
  calendarOf,
  workingMinutesAfter,
  workingMinutesBetween,
  type Calendar,
} from '#modules/platform/calendars/service.ts';
import { superviseLight } from '../contract/codes.ts';
import { superviseRules, type SuperviseRules } from '../contract/rules.ts';

/** The calendar and settings by which lights are computed. */
export interface Clock {
  calendar: Calendar;
  near_days: number;
  behind: number;
  /** `HH:mm`. */
  feedback_hour: string;
}
/** The fields of a part from which its light is computed. */
export interface Plan {
  start: Date;
  due: Date;
  /** The accepted percent, or the reported one while it waits for its check, so that a slow check causes no yellow light. */
  progress: number;
  stages: readonly { day: string; weight: number }[];
  feedback: Date | null;
  /** The time of an objection that is not decided yet. */
  rested: Date | null;
}
export interface Marks {
  red_at: Date | null;
  yellow_at: Date | null;
  blue_at: Date | null;
}
interface Marked extends Record<keyof Marks, AnyColumn> {
  status: AnyColumn;
}

const second = 1000;
const longest = 4000;
const midnight = (day: string) => momentOf(`${day} 00:00:00`);
const up = (ms: number) => new Date(Math.ceil(ms / second) * second);

/**
 * The light of a row, as used by lists, filters, counts, badges, statistics and messages: 0 over, 4 late, 3 behind, 2 near, 1 in order.
 * `over` lists the states that count as over. `marksOf` computed the marks when the row was last written.
 */
export const lightOf = (t: Marked, over: readonly number[], at: SQL = sql`now()`): SQL<number> => sql<number>`(case
  when ${t.status} = any(${sql.param([...over])}::int[]) then 0
  when ${t.red_at} <= ${at} then 4 when ${t.yellow_at} <= ${at} then 3 when ${t.blue_at} <= ${at} then 2 else 1 end)`;

/** Condition: a row has a light. Written on the marks one by one, so that the database can estimate the number of rows. */
export function litAs(t: Marked, over: readonly number[], light: number, at: SQL = sql`now()`): SQL {
  const isOver = sql`${t.status} = any(${sql.param([...over])}::int[])`;
  if (light === superviseLight.over) return isOver;
  const lit: Record<number, SQL> = {
    4: sql`${t.red_at} <= ${at}`,
    3: sql`${t.yellow_at} <= ${at}`,
    2: sql`${t.blue_at} <= ${at}`,
  };
  const brighter = [4, 3, 2].filter((one) => one > light).map((one) => sql`(${lit[one]}) is not true`);
  return and(sql`not ${isOver}`, lit[light], ...brighter)!;
}

/** The second from which each light is on. */
export function marksOf(plan: Plan, clock: Clock): Marks {
  const { start, due, progress, stages, feedback, rested } = plan;
  const share = progress + clock.behind;
  let behind: number | null = null;
  if (stages.length > 0) {
    let sum = 0;
    for (const { day, weight } of stages.toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
      sum += weight;
      if (sum > share) {
        behind = midnight(dayAfter(day, 1)).getTime();
        break;
      }
    }
  } else if (share < 100) {
    const total = msBetween(start, due, clock);
    if (total > 0)
      behind = workingMinutesAfter(start, (Math.floor((share * total) / 100) + 1) / 60_000, clock.calendar).getTime();
  }
  const missed = feedback && feedback.getTime() + second;
  const yellow = [behind, missed].filter((at) => at !== null);
  const marks = {
    red_at: up(due.getTime() + second),
    yellow_at: yellow.length > 0 ? up(Math.min(...yellow)) : null,
    blue_at: nearFrom(due, clock),
  };
  if (!rested) return marks;
  const reached = (at: Date | null) => (at !== null && at <= rested ? at : null);
  return { red_at: reached(marks.red_at), yellow_at: reached(marks.yellow_at), blue_at: reached(marks.blue_at) };
}

/** The beginning of the day from which at most the given number of working days is left. */
export function nearFrom(due: Date, { calendar, near_days }: Clock): Date {
  let day = dayOf(due);
  let left = 0;
  for (let step = 0; step < longest; step++) {
    left += calendar.works(day) ? 1 : 0;
    if (left > near_days) break;
    day = dayAfter(day, -1);
  }
  return midnight(day);
}

const msBetween = (start: Date, end: Date, { calendar }: Clock) =>
  end <= start ? 0 : Math.round(workingMinutesBetween(start, end, calendar) * 60_000);

/** The percent that should be done by a moment: the weights of past stages, or the share of the working time. */
export function expectedAt({ start, due, stages }: Plan, clock: Clock, now: Date): number {
  if (stages.length > 0) return stages.reduce((sum, { day, weight }) => sum + (dayOf(now) > day ? weight : 0), 0);
  const total = msBetween(start, due, clock);
  return total === 0 ? 0 : Math.min(100, (100 * msBetween(start, now < due ? now : due, clock)) / total);
}

/** The next due time of a report: one cycle later at the given hour, moved to the next working day. */
export function nextFeedback(cycle: number, from: Date, { calendar, feedback_hour }: Clock): Date | null {
  if (cycle === 0) return null;
  let day = dayOf(from);
  if (cycle <= 2) day = dayAfter(day, cycle * 7);
  else {
    const [year, month, date] = day.split('-').map(Number) as [number, number, number];
    const months = month - 1 + (cycle === 3 ? 1 : 3);
    const last = new Date(Date.UTC(year, months + 1, 0)).getUTCDate();
    day = new Date(Date.UTC(year, months, Math.min(date, last))).toISOString().slice(0, 10);
  }
  for (let step = 0; step < 60 && !calendar.works(day); step++) day = dayAfter(day, 1);
  return momentOf(`${day} ${feedback_hour}`);
}

/** Identifies the calendar and rules by which marks were computed, limited to what matters now. */
export function printOf({ calendar, near_days, behind }: Clock, now: Date): string {
  const first = `${yearOf(now) - 1}-01-01`;
  const days = Array.from({ length: 1460 }, (_none, at) => (calendar.works(dayAfter(first, at)) ? '1' : '0')).join('');
  const text = JSON.stringify([days, calendar.hours, near_days, behind]);
  return createHash('sha1').update(text).digest('base64url').slice(0, 16);
}

/** The calendar and rules in effect. */
export async function clockOf(tx: Db): Promise<Clock & SuperviseRules> {
  return { ...(await tx.services.settings.of(superviseRules)), calendar: await calendarOf(tx) };
}
