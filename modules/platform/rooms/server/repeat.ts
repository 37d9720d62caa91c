import type * as Rules from 'rrule-temporal';
import { daysLater, houseZone, momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { createStore } from '#kernel/server/process/store.ts';
import { whenNeeded } from '#kernel/server/process/when-needed.ts';
import { mostDates, mostDays, mostYears, type Repeat } from '../contract/repeat.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { lengthText, type Period } from '../engine/rules.ts';

const rules = whenNeeded<typeof Rules>('rrule-temporal');
/** The most dates of a rule that are examined, skipped or not: more than a year of days, so that longer repetitions are noticed. */
const mostExpanded = 400;
const letters = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const compact = (text: string) => text.replaceAll(/[-:]/g, '').replace(' ', 'T');

/** The rule by RFC 5545, in local wall time. */
export function ruleOf({ freq, interval, days, nth, count, until, last_day }: Repeat): string {
  const by = [...new Set(days)].toSorted((a, b) => a - b).map((one) => `${nth ?? ''}${letters[one - 1]}`);
  // The library expects the last moment in UTC: the last second of that day here.
  const last = until && `${momentOf(`${until} 23:59:59`).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  return [
    `FREQ=${freq}`,
    `INTERVAL=${interval}`,
    ...(by.length > 0 && freq !== 'DAILY' ? [`BYDAY=${by.join(',')}`] : []),
    ...(last_day ? ['BYMONTHDAY=-1'] : []),
    count === undefined ? `UNTIL=${last}` : `COUNT=${count}`,
    'WKST=MO',
  ].join(';');
}

/** The dates of a rule, each as long as the first, except the starts in `except`. At most one more than allowed. */
export const datesOf = (rule: string, first: Period, except: readonly string[] = []): Period[] =>
  everyDate(rule, first, except).slice(0, mostDates + 1);

function everyDate(rule: string, first: Period, except: readonly string[]): Period[] {
  const length = momentOf(first.end_time).getTime() - momentOf(first.start_time).getTime();
  const out = new Set(except);
  return startsOf(rule, first.start_time).flatMap((at) => {
    const start_time = momentText(new Date(at));
    return out.has(start_time) ? [] : [{ start_time, end_time: momentText(new Date(at + length)) }];
  });
}

/** A stored repetition: its rule and its exceptions. */
export interface Repeating {
  rule: string;
  skip_holidays: boolean;
  left_out: readonly string[];
}
export const repeatingOf = (repeat: Repeat): Repeating => ({
  rule: ruleOf(repeat),
  skip_holidays: repeat.skip_holidays,
  left_out: repeat.left_out,
});

/** The dates of a rule without the exceptions, and without holidays if these are skipped. */
export async function datesLeft(
  tx: Db,
  { rule, skip_holidays, left_out }: Repeating,
  first: Period,
): Promise<Period[]> {
  const except = left_out.map((one) => `${one} ${first.start_time.slice(11, 19)}`);
  if (!skip_holidays) return datesOf(rule, first, except);
  const calendar = await calendarOf(tx);
  return everyDate(rule, first, except)
    .filter((one) => calendar.holiday(one.start_time.slice(0, 10)) === null)
    .slice(0, mostDates + 1);
}

/** The starts of a rule, cached for the last few rules, because checking, writing and sending evaluate the same one. */
function startsOf(rule: string, first: string): readonly number[] {
  const rruleString = `DTSTART;TZID=${houseZone}:${compact(first)}\nRRULE:${rule}`;
  const known = expanded.get(rruleString);
  if (known) return known;
  const starts = new (rules().RRuleTemporal)({ rruleString })
    .all((_date, at) => at <= mostExpanded)
    .slice(0, mostExpanded)
    .map(({ epochMilliseconds }) => epochMilliseconds);
  expanded.set(rruleString, starts);
  return starts;
}
const expanded = createStore<string, readonly number[]>(50);

/** Faults of repeated dates; empty if there are none. */
export function repeatFaults(dates: readonly Period[], first: Period, { rule }: Pick<Repeating, 'rule'>): string[] {
  const said: string[] = [];
  if (dates.length === 0) return [`按这样的重复，${first.start_time.slice(0, 10)} 起没有日期，请修改重复规则`];
  if (dates.length > mostDates) said.push(`这样的重复超过 ${mostDates} 次，请减少次数或提前截止日期`);
  const [start, last] = [momentOf(first.start_time), momentOf(dates.at(-1)!.start_time)];
  const years = rule.startsWith('FREQ=YEARLY') ? mostYears : 1;
  if (last > daysLater(start, years * mostDays))
    said.push(
      `最后一次在 ${dates.at(-1)!.start_time.slice(0, 10)}，超过${years === 1 ? '一年' : ` ${years} 年`}，请提前截止日期`,
    );
  const met = dates.findIndex((one, at) => at > 0 && dates[at - 1]!.end_time > one.start_time);
  if (met > 0) {
    const length = (momentOf(first.end_time).getTime() - start.getTime()) / 60_000;
    said.push(
      `一次会议长 ${lengthText(length)}，到下一次开始（${dates[met]!.start_time.slice(0, 16)}）还没有结束，请缩短会议或加大间隔`,
    );
  }
  return said;
}
