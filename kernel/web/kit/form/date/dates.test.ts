import { expect, test } from 'vitest';
import { readDate, shownDate } from './dates.ts';

test('a date is read however it is written down, and given as a browser would give it', () => {
  for (const text of ['2026-03-01', '2026-3-1', '2026/03/01', '2026.3.1', '20260301', '2026年3月1日', ' 2026-03-01 '])
    expect(readDate('date', text)).toBe('2026-03-01');
  for (const text of ['2026-03-01 09:30', '2026-03-01T09:30', '2026-3-1 9:30', '2026年3月1日9时30分', '20260301 9：30'])
    expect(readDate('datetime-local', text)).toBe('2026-03-01T09:30');
  expect(readDate('datetime-local', '2026-03-01 09:30:59')).toBe('2026-03-01T09:30');
  expect(readDate('time', '8:05')).toBe('08:05');
  for (const text of ['2026-03', '2026年3月', '202603']) expect(readDate('month', text)).toBe('2026-03');
});

test('what names no day or no time of it is none', () => {
  for (const text of ['', '2026', '2026-02-30', '2026-13-01', '03/01/2026', '明天', '2026-03-01 09:30'])
    expect(readDate('date', text), text).toBeNull();
  for (const text of ['2026-03-01', '2026-03-01 24:00', '2026-03-01 9:5'])
    expect(readDate('datetime-local', text)).toBeNull();
  expect(readDate('time', '25:00')).toBeNull();
  expect(readDate('month', '2026-13')).toBeNull();
});

test('a moment stands in its field without what the browser puts between; what is no date stands there as it was typed', () => {
  expect(shownDate('datetime-local', '2026-03-01T09:30')).toBe('2026-03-01 09:30');
  expect(shownDate('datetime-local', '2026-03-01 09:30:00')).toBe('2026-03-01 09:30');
  expect(shownDate('date', '2026-02-30')).toBe('2026-02-30');
});
