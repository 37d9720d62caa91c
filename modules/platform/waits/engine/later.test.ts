import { expect, test } from 'vitest';
import { momentOf, weekdayOf } from '#kernel/contract/moment.ts';
import { laterTimes } from './later.ts';

const hours = [
  { from: 8 * 60 + 30, to: 12 * 60 },
  { from: 14 * 60, to: 17 * 60 + 30 },
];
const usual = (day: string) => weekdayOf(day) < 6;
const at = (now: string, works = usual, open = hours) =>
  laterTimes(momentOf(now), { works, hours: open }).map((one) => `${one.label} ${one.at}`);

test('the offered times to put aside follow the working calendar: this afternoon, tomorrow morning, Monday', () => {
  expect(at('2026-11-17 09:00')).toEqual([
    '今天下午 2026-11-17 14:00',
    '明天上午 2026-11-18 08:30',
    '下周一 2026-11-23 08:30',
  ]);
  expect(at('2026-11-17 15:00')).toEqual(['明天上午 2026-11-18 08:30', '下周一 2026-11-23 08:30']);
});

test('on a Friday and at the weekend the next morning offered is Monday’s, named once', () => {
  expect(at('2026-11-20 16:00')).toEqual(['下周一 2026-11-23 08:30']);
  expect(at('2026-11-21 10:00')).toEqual(['下周一 2026-11-23 08:30']);
  // A Sunday that is a make-up working day.
  expect(at('2026-11-21 10:00', (day) => usual(day) || day === '2026-11-22')).toEqual([
    '明天上午 2026-11-22 08:30',
    '下周一 2026-11-23 08:30',
  ]);
});

test('days off are skipped, and the day after them is named', () => {
  const off = new Set(['2026-11-18', '2026-11-23']);
  expect(at('2026-11-17 15:00', (day) => usual(day) && !off.has(day))).toEqual([
    '11 月 19 日（周四）上午 2026-11-19 08:30',
    '下周二 2026-11-24 08:30',
  ]);
  const week = (day: string) => usual(day) && !(day > '2026-11-17' && day < '2026-11-30');
  expect(at('2026-11-17 15:00', week)).toEqual(['11 月 30 日（周一） 2026-11-30 08:30']);
});

test('an office that opens at noon is offered only afternoons', () => {
  expect(at('2026-11-17 13:00', usual, [{ from: 12 * 60, to: 20 * 60 }])).toEqual([
    '明天下午 2026-11-18 12:00',
    '下周一 2026-11-23 12:00',
  ]);
});
