import { expect, test } from 'vitest';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { Field } from '#modules/workflow/workflows/engine/form.ts';
import { readValue } from './values.ts';

const fieldOf = (type: number, more: object = {}) => Field.parse({ id: 1, key: 'one', name: '一项', type, ...more });
const { string, textarea, date, dateRange, datetime } = fieldType;

test('a text of a form is as long as it has characters, whatever plane they are of, and its length is told so', () => {
  for (const field of [fieldOf(string, { max_length: 100 }), fieldOf(textarea, { max_length: 100 })]) {
    expect(readValue(field, '𠮷'.repeat(100))).toEqual({ value: '𠮷'.repeat(100) });
    expect(readValue(field, '𠮷'.repeat(101))).toEqual({ msg: '最多 100 个字，现在有 101 个' });
  }
});

test('a date, a time and a range of a form are of 1900 to 2099, and of a day that there is', () => {
  const days = { msg: '请输入 1900 至 2099 年之间的日期' };
  for (const other of ['0001-01-01', '1899-12-31', '2100-01-01', '9999-12-31']) {
    expect(readValue(fieldOf(date), other)).toEqual(days);
    expect(readValue(fieldOf(datetime), `${other} 09:30`)).toEqual({ msg: '请输入 1900 至 2099 年之间的时间' });
    expect(readValue(fieldOf(dateRange), ['2026-03-01', other].toSorted())).toEqual(days);
  }
  for (const fit of ['1900-01-01', '2099-12-31']) {
    expect(readValue(fieldOf(date), fit)).toEqual({ value: fit });
    expect(readValue(fieldOf(datetime), `${fit}T09:30`)).toEqual({ value: `${fit} 09:30:00` });
    expect(readValue(fieldOf(dateRange), [fit, fit])).toEqual({ value: [fit, fit] });
  }
  expect(readValue(fieldOf(date), '2027-02-29')).toEqual({ msg: '请输入正确的日期，如 2026-03-01' });
});
