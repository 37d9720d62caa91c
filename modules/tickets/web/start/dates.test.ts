import { expect, test } from 'vitest';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';
import { missing } from './required.ts';
import { withDays } from '#modules/workflows/engine/fields/dates.ts';

const field = (field_key: string, field_name: string, field_type_id: number, more: object = {}) =>
  ({
    field_key,
    field_name,
    field_type_id,
    field_value: null,
    field_attribute: 2,
    not_before: null,
    days_between: null,
    ...more,
  }) as FieldItem;
const items = [
  field('from', '开始日期', 6),
  field('to', '结束日期', 6, { not_before: 'from' }),
  field('days', '天数', 2, { days_between: { from: 'from', to: 'to' } }),
];
const typed = (...pairs: [string, unknown][]) =>
  pairs.reduce<Readonly<Record<string, unknown>>>((form, [key, value]) => withDays(items, form, key, value), {});

test('the days follow their two dates until somebody writes another number', () => {
  const whole = typed(['from', '2026-02-27'], ['to', '2026-03-02']);
  expect(whole['days']).toBe(4);
  expect(withDays(items, whole, 'to', '2026-02-28')['days']).toBe(2);
  const half = withDays(items, whole, 'days', 3.5);
  expect(withDays(items, half, 'to', '2026-03-03')['days']).toBe(3.5);
});

test('dates the wrong way round and more days than there are are told before anything is sent', () => {
  const said = (edited: Readonly<Record<string, unknown>>) =>
    missing(items, edited).map(({ label, msg }) => `${label}：${msg}`);
  expect(said({ from: '2026-11-27', to: '2026-11-24', days: 1 })).toEqual(['结束日期：不能早于“开始日期”']);
  expect(said({ from: '2026-11-24', to: '2026-11-27', days: 6 })).toEqual([
    '天数：“开始日期”到“结束日期”共 4 天，不能填 6 天',
  ]);
});
