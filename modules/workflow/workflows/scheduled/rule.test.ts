import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs, dayOf } from '#kernel/contract/moment.ts';
import { duesBetween, nextAfter, whenText, type Repeating } from './rule.ts';

const at = (text: string) => new Date(`${text.replace(' ', 'T')}:00+08:00`);
const daily: Repeating = {
  every: 1,
  interval: 1,
  weekdays: [],
  month_days: [],
  at_time: '09:00',
  begins_on: '2026-01-05',
  ends_on: null,
};

/** An independent implementation, day by day. */
function isDue(rule: Repeating, day: string): boolean {
  if (day < rule.begins_on || (rule.ends_on !== null && day > rule.ends_on)) return false;
  const [date, first] = [day, rule.begins_on].map((one) => new Date(`${one}T00:00:00Z`)) as [Date, Date];
  const weekday = (one: Date) => one.getUTCDay() || 7;
  const monthOf = (one: Date) => one.getUTCFullYear() * 12 + one.getUTCMonth();
  const days = (date.getTime() - first.getTime()) / dayMs;
  if (rule.every === 1) return days % rule.interval === 0;
  if (rule.every === 2) {
    const weeks = Math.floor((days + weekday(first) - 1) / 7);
    return weeks % rule.interval === 0 && rule.weekdays.includes(weekday(date));
  }
  if (rule.every === 3) {
    const tomorrow = new Date(date.getTime() + dayMs);
    const last = monthOf(tomorrow) !== monthOf(date);
    const there = rule.month_days.includes(date.getUTCDate()) || (last && rule.month_days.includes(-1));
    return (monthOf(date) - monthOf(first)) % rule.interval === 0 && there;
  }
  const years = date.getUTCFullYear() - first.getUTCFullYear();
  return years % rule.interval === 0 && day.slice(5) === rule.begins_on.slice(5);
}

const day = fc.integer({ min: 0, max: 900 }).map((n) => dayOf(new Date(Date.UTC(2026, 0, 1) + n * dayMs)));
const repeating: fc.Arbitrary<Repeating> = fc.record({
  every: fc.integer({ min: 1, max: 4 }),
  interval: fc.integer({ min: 1, max: 5 }),
  weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  month_days: fc.uniqueArray(fc.constantFrom(1, 2, 15, 28, 29, 30, 31, -1), { minLength: 1 }),
  at_time: fc.constantFrom('00:00', '09:00', '23:59'),
  begins_on: day,
  ends_on: fc.option(day, { nil: null }),
});

describe('the dates of a schedule', () => {
  test('are those that a day-by-day search finds, for 400 random schedules', () => {
    fc.assert(
      fc.property(repeating, day, fc.integer({ min: 0, max: 200 }), (rule, from, length) => {
        const begin = at(`${from} 00:00`);
        const days = Array.from({ length: length + 1 }, (_one, n) => dayOf(new Date(begin.getTime() + n * dayMs)));
        const wanted = days.filter((one) => isDue(rule, one)).map((one) => at(`${one} ${rule.at_time}`));
        const until = new Date(begin.getTime() + (length + 1) * dayMs - 1);
        expect(duesBetween(rule, begin, until)).toEqual(wanted);
      }),
      { numRuns: 400 },
    );
  });

  test('are in order and come to an end', () => {
    const rule = { ...daily, every: 3, month_days: [-1], ends_on: '2026-03-31' };
    const first = nextAfter(rule, at('2026-01-01 00:00'));
    const second = nextAfter(rule, first!);
    expect([first, second, nextAfter(rule, second!)]).toEqual([
      at('2026-01-31 09:00'),
      at('2026-02-28 09:00'),
      at('2026-03-31 09:00'),
    ]);
    expect(nextAfter(rule, at('2026-03-31 09:00'))).toBeNull();
  });

  test('are described in the words of an office', () => {
    expect(whenText(daily)).toBe('每天 09:00');
    expect(whenText({ ...daily, every: 2, interval: 2, weekdays: [5, 1] })).toBe('每 2 周的周一、周五 09:00');
    expect(whenText({ ...daily, every: 3, month_days: [-1, 15, 1] })).toBe('每月的 1 日、15 日、最后一天 09:00');
    expect(whenText({ ...daily, every: 4 })).toBe('每年的 1 月 5 日 09:00');
  });
});
