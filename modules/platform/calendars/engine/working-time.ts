import { houseMinutes } from '#kernel/contract/moment.ts';

/** Which days are worked, and when. Days are `YYYY-MM-DD`, times those of the house's clock. */
export interface Calendar {
  works(day: string): boolean;
  /** Parts of a working day in order, in minutes since midnight. */
  hours: readonly { from: number; to: number }[];
}

const minute = 60_000;
const dayLength = 24 * 60;
/** Days after which no further working day is assumed. */
const mostDays = 4000;

/** The moment a number of working minutes after a start. 0: the start itself. */
export function workingMinutesAfter(start: Date, minutes: number, calendar: Calendar): Date {
  let left = minutes;
  if (left <= 0) return start;
  const since = localMinutes(start);
  for (let day = Math.floor(since / dayLength), days = 0; days < mostDays; day++, days++) {
    for (const { from, to } of partsOf(day, calendar)) {
      const begin = Math.max(from, since);
      if (begin >= to) continue;
      if (to - begin >= left) return fromLocal(begin + left);
      left -= to - begin;
    }
  }
  throw new Error('the calendar has no working days');
}

/**
 * The moment a number of working days after a start: at the same time of day; from outside the office hours, at the end of that day. 0: the start
 * itself.
 */
export function workingDaysAfter(start: Date, days: number, calendar: Calendar): Date {
  const length = calendar.hours.reduce((sum, { from, to }) => sum + to - from, 0);
  if (length === 0) throw new Error('the calendar has no working days');
  return workingMinutesAfter(start, days * length, calendar);
}

/** Working minutes between two moments, not rounded; 0 if there are none. */
export function workingMinutesBetween(start: Date, end: Date, calendar: Calendar): number {
  const [since, until] = [localMinutes(start), localMinutes(end)];
  let sum = 0;
  for (let day = Math.floor(since / dayLength); day * dayLength < until; day++) {
    for (const { from, to } of partsOf(day, calendar)) sum += Math.max(0, Math.min(to, until) - Math.max(from, since));
  }
  return sum;
}

/** The working periods of a day counted from 1970, in local minutes since then. */
function partsOf(day: number, calendar: Calendar): { from: number; to: number }[] {
  const name = new Date(day * dayLength * minute).toISOString().slice(0, 10);
  if (!calendar.works(name)) return [];
  return calendar.hours.map(({ from, to }) => ({ from: day * dayLength + from, to: day * dayLength + to }));
}

const localMinutes = (at: Date) => at.getTime() / minute + houseMinutes;
const fromLocal = (minutes: number) => new Date((minutes - houseMinutes) * minute);
