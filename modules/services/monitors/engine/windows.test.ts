import { expect, test } from 'vitest';
import { momentOf } from '#kernel/contract/moment.ts';
import { spansOf, windowAt, type Window } from './windows.ts';

const at = (text: string) => momentOf(text).getTime();
const once = (from: string, to: string): Window => ({
  weekly: false,
  starts: at(from),
  ends: at(to),
  weekdays: [],
  from_minute: 0,
  minutes: 0,
});
const weekly = (
  weekdays: number[],
  from_minute: number,
  minutes: number,
  starts = '2026-01-01 00:00',
  ends: string | null = null,
): Window => ({
  weekly: true,
  starts: at(starts),
  ends: ends === null ? null : at(ends),
  weekdays,
  from_minute,
  minutes,
});

test('a window covers its first moment and not its last', () => {
  const window = [once('2026-03-01 09:30', '2026-03-01 11:00')];
  expect(windowAt(window, at('2026-03-01 09:29'))).toEqual({ inside: false, edge: at('2026-03-01 09:30') });
  expect(windowAt(window, at('2026-03-01 09:30'))).toEqual({ inside: true, edge: at('2026-03-01 11:00') });
  expect(windowAt(window, at('2026-03-01 11:00'))).toEqual({ inside: false, edge: null });
});

test('a weekly window over midnight covers both days, in Beijing time', () => {
  // 2026-03-06 is a Friday; the window starts at 22:00 and lasts four hours.
  const window = [weekly([5], 22 * 60, 240)];
  expect(
    [
      '2026-03-06 21:59',
      '2026-03-06 22:00',
      '2026-03-07 00:30',
      '2026-03-07 01:59',
      '2026-03-07 02:00',
      '2026-03-07 22:30',
    ].map((text) => windowAt(window, at(text)).inside),
  ).toEqual([false, true, true, true, false, false]);
  // From Sunday into Monday, across the end of a year.
  const late = [weekly([7], 23 * 60 + 30, 60)];
  expect(windowAt(late, at('2028-01-03 00:15')).inside).toBe(true);
  expect(windowAt(late, at('2028-01-02 00:15')).inside).toBe(false);
});

test('a weekly window applies only within its bounds, and adjacent windows are one', () => {
  const bounded = [weekly([1, 2, 3, 4, 5, 6, 7], 0, 1440, '2026-03-01 12:00', '2026-03-03 12:00')];
  expect(spansOf(bounded, at('2026-02-20 00:00'), at('2026-03-10 00:00'))).toEqual([
    { start: at('2026-03-01 12:00'), end: at('2026-03-03 12:00') },
  ]);
  expect(
    windowAt(
      [once('2026-03-01 09:00', '2026-03-01 10:00'), once('2026-03-01 10:00', '2026-03-01 11:00')],
      at('2026-03-01 09:30'),
    ).edge,
  ).toBe(at('2026-03-01 11:00'));
});

test('a moment lies in a window by the wall clock in Beijing, minute by minute', () => {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Shanghai',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hour12: false,
  });
  const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  const window = weekly([2, 6], 20 * 60 + 15, 500);
  const onWall = (moment: number) => {
    const parts = Object.fromEntries(clock.formatToParts(moment).map(({ type, value }) => [type, value]));
    return {
      day: days.indexOf(parts['weekday']!) + 1,
      minute: (Number(parts['hour']) % 24) * 60 + Number(parts['minute']),
    };
  };
  for (let moment = at('2026-03-01 00:07'); moment < at('2026-03-16 00:00'); moment += 11 * 60_000) {
    const now = onWall(moment);
    const yesterday = ((now.day + 5) % 7) + 1;
    const wanted =
      (window.weekdays.includes(now.day) &&
        now.minute >= window.from_minute &&
        now.minute < window.from_minute + window.minutes) ||
      (window.weekdays.includes(yesterday) && now.minute + 1440 < window.from_minute + window.minutes);
    expect(windowAt([window], moment).inside, new Date(moment).toISOString()).toBe(wanted);
  }
});
