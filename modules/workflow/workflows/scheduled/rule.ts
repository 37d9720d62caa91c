import type * as Rules from 'rrule-temporal';
import { houseZone, momentOf } from '#kernel/contract/moment.ts';
import { whenNeeded } from '#kernel/server/process/when-needed.ts';
import { lastOfMonth, weekdayNames } from '../contract/schedules.ts';

/** The rule by which a workflow is started. */
export interface Repeating {
  every: number;
  interval: number;
  weekdays: readonly number[];
  month_days: readonly number[];
  /** `HH:mm` */
  at_time: string;
  begins_on: string;
  ends_on: string | null;
}

const rules = whenNeeded<typeof Rules>('rrule-temporal');
const daily = 1;
const weekly = 2;
const monthly = 3;
const frequencies = ['', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const letters = ['', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** The most dates reported as one; further missed ones are not counted. */
const mostDates = 1000;

const inOrder = (days: readonly number[]) => [...new Set(days)].toSorted((a, b) => (a < 0 ? 1 : b < 0 ? -1 : a - b));

/** The missing choice for such a repetition; empty if nothing is missing. */
export const lacking = ({ every, weekdays, month_days }: Repeating): string =>
  every === weekly && weekdays.length === 0 ? '星期' : every === monthly && month_days.length === 0 ? '日期' : '';

/** As an RFC 5545 rule, in local wall time. */
function ruleOf({
  every,
  interval,
  weekdays,
  month_days,
  at_time,
  begins_on,
  ends_on,
}: Repeating): Rules.RRuleTemporal {
  const compact = (text: string) => text.replaceAll(/[-:]/g, '');
  const last = ends_on && momentOf(`${ends_on} 23:59:59`).toISOString().slice(0, 19);
  const rule = [
    `FREQ=${frequencies[every]}`,
    `INTERVAL=${interval}`,
    ...(every === weekly ? [`BYDAY=${inOrder(weekdays).map((one) => letters[one])}`] : []),
    ...(every === monthly ? [`BYMONTHDAY=${inOrder(month_days)}`] : []),
    ...(last ? [`UNTIL=${compact(last)}Z`] : []),
    'WKST=MO',
  ].join(';');
  const first = `${compact(begins_on)}T${compact(at_time)}00`;
  return new (rules().RRuleTemporal)({ rruleString: `DTSTART;TZID=${houseZone}:${first}\nRRULE:${rule}` });
}

/** The first date after a time; null if there is none. */
export function nextAfter(repeating: Repeating, at: Date): Date | null {
  const next = ruleOf(repeating).next(at);
  return next && new Date(next.epochMilliseconds);
}

/** The dates within a period, both ends included. */
export function duesBetween(repeating: Repeating, from: Date, until: Date): Date[] {
  const rule = ruleOf(repeating);
  const dues: Date[] = [];
  let at = rule.next(from, true);
  while (at && at.epochMilliseconds <= until.getTime() && dues.length < mostDates) {
    const due = new Date(at.epochMilliseconds);
    dues.push(due);
    at = rule.next(due);
  }
  return dues;
}

/** In words: `每 2 周的周一、周五 09:00`. */
export function whenText(repeating: Repeating): string {
  const { every, interval, weekdays, month_days, at_time, begins_on } = repeating;
  const unit = every === daily ? '天' : every === weekly ? '周' : every === monthly ? '个月' : '年';
  const often = interval === 1 ? `每${every === monthly ? '月' : unit}` : `每 ${interval} ${unit}`;
  const names: Readonly<Record<number, string>> = weekdayNames;
  const days =
    every === weekly
      ? `的${inOrder(weekdays)
          .map((one) => names[one])
          .join('、')}`
      : every === monthly
        ? `的 ${inOrder(month_days)
            .map((one) => (one === lastOfMonth ? '最后一天' : `${one} 日`))
            .join('、')}`
        : every === daily
          ? ''
          : `的 ${Number(begins_on.slice(5, 7))} 月 ${Number(begins_on.slice(8, 10))} 日`;
  return `${often}${days} ${at_time}`;
}
