import { expect, test } from 'vitest';
import { rangeOf, stepped, titleOf } from './range.ts';

test('a calendar view covers whole weeks from Monday, or its day', () => {
  expect(rangeOf('month', '2026-12-15')).toEqual({ from: '2026-11-30', to: '2027-01-03' });
  expect(rangeOf('month', '2027-02-01')).toEqual({ from: '2027-02-01', to: '2027-02-28' });
  expect(rangeOf('week', '2026-12-06')).toEqual({ from: '2026-11-30', to: '2026-12-06' });
  expect(rangeOf('list', '2026-12-07')).toEqual({ from: '2026-12-07', to: '2026-12-13' });
  expect(rangeOf('rooms', '2026-12-07')).toEqual({ from: '2026-12-07', to: '2026-12-07' });
});

test('the next period of a calendar view follows the one shown, across months and years', () => {
  expect(stepped('month', '2026-12-31', 1)).toBe('2027-01-01');
  expect(stepped('month', '2026-03-31', -1)).toBe('2026-02-01');
  expect(stepped('week', '2026-12-28', 1)).toBe('2027-01-04');
  expect(stepped('line', '2028-02-28', 1)).toBe('2028-02-29');
});

test('a calendar view has its usual title', () => {
  expect(titleOf('month', '2026-12-01')).toBe('2026年12月');
  expect(titleOf('week', '2026-12-01')).toBe('2026年11月30日–12月6日');
  expect(titleOf('list', '2027-01-01')).toBe('2026年12月28日–2027年1月3日');
  expect(titleOf('day', '2026-12-01')).toBe('2026年12月1日 星期二');
});
