import { describe, expect, test } from 'vitest';
import { commonFree } from './free.ts';

const calendar = {
  works: (day: string) => day !== '2026-12-05' && day !== '2026-12-06',
  hours: [
    { from: 8 * 60, to: 12 * 60 },
    { from: 14 * 60, to: 17 * 60 + 30 },
  ],
};
const taken = (day: string, from: string, to: string) => ({
  start_time: `2026-12-${day} ${from}:00`,
  end_time: `2026-12-${day} ${to}:00`,
});
const free = (busy: Parameters<typeof commonFree>[1], more: object = {}) =>
  commonFree(calendar, busy, { day: '2026-12-04', days: 14, minutes: 60, now: '2026-12-01 09:00:00', ...more }).map(
    ({ start_time: from, end_time: to }) => `${from.slice(8, 16)}–${to.slice(11, 16)}`,
  );

describe('a time that suits everybody', () => {
  test('lies in working hours on working days from the requested day on', () => {
    expect(free([], { minutes: 120 })).toEqual([
      '04 08:00–10:00',
      '04 10:00–12:00',
      '04 14:00–16:00',
      '07 08:00–10:00',
      '07 10:00–12:00',
    ]);
  });

  test('begins when the last of the busy people is free, at the next half hour', () => {
    expect(free([taken('04', '08:00', '09:10'), taken('04', '08:30', '10:00'), taken('04', '14:00', '17:00')])).toEqual(
      ['04 10:00–11:00', '04 11:00–12:00', '07 08:00–09:00', '07 09:00–10:00', '07 10:00–11:00'],
    );
  });

  test('is not in the past or on a day of somebody’s absence', () => {
    expect(free([taken('04', '00:00', '15:00')], { now: '2026-12-04 15:40:00' })[0]).toBe('04 16:00–17:00');
    expect(free([{ start_time: '2026-12-03 08:00:00', end_time: '2026-12-08 00:00:00' }])[0]).toBe('08 08:00–09:00');
  });

  test('may span noon if it is longer than a morning, and does not exist if the day is too short', () => {
    expect(free([], { minutes: 300 })[0]).toBe('04 08:00–13:00');
    expect(free([], { minutes: 24 * 60 })).toEqual([]);
  });
});
