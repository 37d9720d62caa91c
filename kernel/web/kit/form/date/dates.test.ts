import { expect, test } from 'vitest';
import { readDate, shownDate } from './dates.ts';

test('a typed date is parsed in any usual spelling, and returned in the browser’s format', () => {
  for (const text of ['2026-03-01', '2026-3-1', '2026/03/01', '2026.3.1', '20260301', '2026年3月1日', ' 2026-03-01 '])
    expect(readDate('date', text)).toBe('2026-03-01');
  for (const text of ['2026-03-01 09:30', '2026-03-01T09:30', '2026-3-1 9:30', '2026年3月1日9时30分', '20260301 9：30'])
    expect(readDate('datetime-local', text)).toBe('2026-03-01T09:30');
  expect(readDate('datetime-local', '2026-03-01 09:30:59')).toBe('2026-03-01T09:30');
  expect(readDate('time', '8:05')).toBe('08:05');
  for (const text of ['2026-03', '2026年3月', '202603']) expect(readDate('month', text)).toBe('2026-03');
});

test('text that names no existing day or time is not parsed as a date', () => {
  for (const text of ['', '2026', '2026-02-30', '2026-13-01', '03/01/2026', '明天', '2026-03-01 09:30'])
    expect(readDate('date', text), text).toBeNull();
  for (const text of ['2026-03-01', '2026-03-01 24:00', '2026-03-01 9:5'])
    expect(readDate('datetime-local', text)).toBeNull();
  expect(readDate('time', '25:00')).toBeNull();
  expect(readDate('month', '2026-13')).toBeNull();
});

test('a date field shows a time without the browser’s separator, and text that is no date as typed', () => {
  expect(shownDate('datetime-local', '2026-03-01T09:30')).toBe('2026-03-01 09:30');
  expect(shownDate('datetime-local', '2026-03-01 09:30:00')).toBe('2026-03-01 09:30');
  expect(shownDate('date', '2026-02-30')).toBe('2026-02-30');
});
