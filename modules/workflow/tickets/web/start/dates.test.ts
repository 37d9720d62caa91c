import { expect, test } from 'vitest';
import type { FieldItem } from '#modules/workflow/workflows/contract/shapes.ts';
import { missing } from './required.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { settledItems } from '#modules/workflow/workflows/engine/fields/settled-items.ts';

const field = (field_key: string, field_name: string, field_type_id: number, more: object = {}) =>
  ({
    field_key,
    field_name,
    field_type_id,
    field_value: null,
    field_attribute: 2,
    decimals: 2,
    columns: [],
    not_before: null,
    days_between: null,
    ...more,
  }) as unknown as FieldItem;
const items = [
  field('from', '开始日期', fieldType.date),
  field('to', '结束日期', fieldType.date, { not_before: 'from' }),
  field('days', '天数', fieldType.int, { days_between: { from: 'from', to: 'to' } }),
];
const worked = (day: string) => ![0, 6].includes(new Date(day).getUTCDay());
const daysIn = (form: Readonly<Record<string, unknown>>, all = items) =>
  settledItems(all, form, worked).find(({ field_key }) => field_key === 'days')?.field_value;

test('the days on a form are recalculated from its two dates, whatever was typed', () => {
  expect(daysIn({ from: '2026-02-27' })).toBeNull();
  const whole = { from: '2026-02-27', to: '2026-03-02' };
  expect(daysIn(whole)).toBe(4);
  expect(daysIn({ ...whole, to: '2026-02-28' })).toBe(2);
  expect(daysIn({ ...whole, days: 1 })).toBe(4);
});

test('half days are set at both ends of a leave, and for working days only those are counted', () => {
  const days = { from: 'from', to: 'to', from_half: 'begins', to_half: 'ends' };
  const half = [
    ...items.slice(0, 2),
    field('begins', '开始时段', fieldType.radio),
    field('ends', '结束时段', fieldType.radio),
  ];
  const asked = (more: object) => [
    ...half,
    field('days', '天数', fieldType.float, { decimals: 1, days_between: { ...days, ...more } }),
  ];
  const form = { from: '2026-11-27', to: '2026-11-30', begins: 'pm', ends: 'am' };
  expect(daysIn(form, asked({}))).toBe(3);
  expect(daysIn(form, asked({ working: true }))).toBe(1);
  // A Saturday begun in the afternoon has no half-day to deduct.
  expect(daysIn({ ...form, from: '2026-11-28' }, asked({ working: true }))).toBe(0.5);
});

test('dates in the wrong order are reported before anything is sent', () => {
  const said = (edited: Readonly<Record<string, unknown>>) =>
    missing(items, edited).map(({ label, msg }) => `${label}：${msg}`);
  expect(said({ from: '2026-11-27', to: '2026-11-24', days: 1 })).toEqual(['结束日期：不能早于“开始日期”']);
});
