import { createRequire } from 'node:module';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { Repeat } from '../contract/repeat.ts';
import { datesOf, repeatFaults, ruleOf } from './repeat.ts';

// Its package does not declare its exports in a way that modules understand.
const { RRule } = createRequire(import.meta.url)('rrule') as typeof import('rrule');
const first = { start_time: '2026-11-23 09:00:00', end_time: '2026-11-23 10:30:00' };
/** The same by another library, in floating time: its UTC is the local wall time. */
function byAnother(repeat: Repeat, start: string, except: readonly string[]): string[] {
  const until = repeat.until && `;UNTIL=${repeat.until.replaceAll('-', '')}T235959Z`;
  const rule = ruleOf(repeat).replace(/;UNTIL=[^;]*/, until ?? '');
  const dates = new RRule({
    ...RRule.parseString(rule),
    dtstart: new Date(`${start.replace(' ', 'T')}Z`),
  }).all((_date, at) => at < 400);
  return dates
    .map((date) => date.toISOString().slice(0, 19).replace('T', ' '))
    .filter((date) => !except.includes(date))
    .slice(0, 101);
}

const rules = fc
  .record({
    freq: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const, 'YEARLY' as const),
    last: fc.boolean(),
    interval: fc.integer({ min: 1, max: 12 }),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 7 }),
    nth: fc.constantFrom(1, 2, 3, 4, -1),
    byCount: fc.boolean(),
    count: fc.integer({ min: 1, max: 100 }),
    ahead: fc.integer({ min: 0, max: 400 }),
    start: fc.date({
      min: new Date('2024-01-01T00:00:00Z'),
      max: new Date('2030-12-31T00:00:00Z'),
      noInvalidDate: true,
    }),
    except: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 4 }),
  })
  .map(({ byCount, count, ahead, start, nth, except, last, days: chosen, ...rule }) => {
    const days = rule.freq === 'YEARLY' ? [] : chosen;
    const from = momentText(new Date(Math.floor(start.getTime() / 300_000) * 300_000));
    return {
      start: from,
      except,
      repeat: Repeat.parse({
        ...rule,
        days,
        ...(rule.freq === 'MONTHLY' && (days.length > 0 ? { nth } : { last_day: last })),
        ...(byCount ? { count } : { until: dayOf(new Date(start.getTime() + ahead * 86_400_000)) }),
      }),
    };
  });

afterEach(() => vi.unstubAllEnvs());

describe('repeated dates', () => {
  test('are those another library computes, for 2,000 rules with exceptions', { timeout: 180_000 }, () => {
    fc.assert(
      fc.property(rules, ({ repeat, start, except }) => {
        const whole = { start_time: start, end_time: start };
        const all = datesOf(ruleOf(repeat), whole).map((one) => one.start_time);
        const out = except.flatMap((at) => all[at] ?? []);
        expect(datesOf(ruleOf(repeat), whole, out).map((one) => one.start_time)).toEqual(byAnother(repeat, start, out));
      }),
      { numRuns: 2000, seed: 20_261_123 },
    );
  });

  test('continue to their end even if many dates on the way are left out', () => {
    const daily = ruleOf(Repeat.parse({ freq: 'DAILY', until: '2027-04-01' }));
    const all = datesOf(daily, first).map((one) => one.start_time);
    const dates = datesOf(daily, first, all.slice(1, 61));
    expect([dates.length, dates.at(-1)!.start_time]).toEqual([70, '2027-04-01 09:00:00']);
  });

  test('keep the wall-clock hour in Beijing, in any server time zone', () => {
    vi.stubEnv('TZ', 'America/New_York');
    expect(new Date('2026-07-01T12:00:00Z').getHours()).toBe(8);
    // Clocks in New York go back on 1 November 2026; nothing here is affected.
    const dates = datesOf(ruleOf(Repeat.parse({ freq: 'WEEKLY', days: [4], until: '2026-11-12' })), {
      start_time: '2026-10-22 09:00:00',
      end_time: '2026-10-22 10:30:00',
    });
    expect(dates.map((one) => one.start_time)).toEqual([
      '2026-10-22 09:00:00',
      '2026-10-29 09:00:00',
      '2026-11-05 09:00:00',
      '2026-11-12 09:00:00',
    ]);
    expect(dates.every((one) => one.end_time.endsWith('10:30:00'))).toBe(true);
  });

  test('are refused if one is longer than its period', () => {
    const long = { start_time: '2026-11-23 09:00:00', end_time: '2026-11-24 10:00:00' };
    const dates = datesOf(ruleOf(Repeat.parse({ freq: 'DAILY', count: 3 })), long);
    expect(repeatFaults(dates, long, { rule: 'FREQ=DAILY' })).toEqual([
      '一次会议长 25 小时，到下一次开始（2026-11-24 09:00）还没有结束，请缩短会议或加大间隔',
    ]);
  });

  test('are at most a hundred within a year', () => {
    const rule = { rule: 'FREQ=DAILY' };
    const daily = datesOf(ruleOf(Repeat.parse({ freq: 'DAILY', until: '2027-11-20' })), first);
    expect(repeatFaults(daily, first, rule)[0]).toContain('超过 100 次');
    const rare = datesOf(ruleOf(Repeat.parse({ freq: 'MONTHLY', interval: 12, count: 3 })), first);
    expect(repeatFaults(rare, first, rule)[0]).toContain('超过一年');
    expect(repeatFaults(datesOf(ruleOf(Repeat.parse({ freq: 'DAILY', count: 5 })), first), first, rule)).toEqual([]);
  });

  test('on the last day of each month fall on its last day, however long it is', () => {
    const last = { start_time: '2027-01-31 09:00:00', end_time: '2027-01-31 10:00:00' };
    const dates = datesOf(ruleOf(Repeat.parse({ freq: 'MONTHLY', last_day: true, count: 4 })), last);
    expect(dates.map((one) => one.start_time.slice(0, 10))).toEqual([
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
    ]);
    expect(Repeat.safeParse({ freq: 'WEEKLY', last_day: true, count: 4 }).success).toBe(false);
  });

  test('every year fall on the same day, for up to ten years', () => {
    const yearly = (count: number) => ruleOf(Repeat.parse({ freq: 'YEARLY', count }));
    const dates = datesOf(yearly(3), first);
    expect(dates.map((one) => one.start_time.slice(0, 10))).toEqual(['2026-11-23', '2027-11-23', '2028-11-23']);
    expect(repeatFaults(dates, first, { rule: yearly(3) })).toEqual([]);
    const long = datesOf(yearly(12), first);
    expect(repeatFaults(long, first, { rule: yearly(12) })[0]).toContain('超过 10 年');
  });
});
