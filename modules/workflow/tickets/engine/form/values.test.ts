import { expect, test } from 'vitest';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { Field } from '#modules/workflow/workflows/engine/form.ts';
import { readValue } from './values.ts';

const fieldOf = (type: number, more: object = {}) => Field.parse({ id: 1, key: 'one', name: '一项', type, ...more });
const { string, textarea, date, dateRange, datetime } = fieldType;

test('the length of a text is counted in characters, also beyond the basic plane', () => {
  for (const field of [fieldOf(string, { max_length: 100 }), fieldOf(textarea, { max_length: 100 })]) {
    expect(readValue(field, '𠮷'.repeat(100))).toEqual({ value: '𠮷'.repeat(100) });
    expect(readValue(field, '𠮷'.repeat(101))).toEqual({ msg: '最多 100 个字，现在有 101 个' });
  }
});

test('dates, times and ranges in a form lie within 1900 to 2099 and exist in the calendar', () => {
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
  const lost = { msg: '没有 2027-02-29 这一天，请核对' };
  expect(readValue(fieldOf(date), '2027-02-29')).toEqual(lost);
  expect(readValue(fieldOf(date), '2027年2月29日')).toEqual(lost);
  expect(readValue(fieldOf(datetime), '2027-02-29 09:30')).toEqual(lost);
  expect(readValue(fieldOf(dateRange), ['2027-02-01', '2027-02-29'])).toEqual(lost);
});

test('dates, times, numbers, amounts and phones are accepted as offices write them, and stored in one format', () => {
  const days = ['2026/3/1', '2026.3.1', '2026年3月1日', '20260301', '２０２６-０３-０１', ' 2026-03-01\u200b'];
  for (const typed of days) {
    expect(readValue(fieldOf(date), typed), typed).toEqual({ value: '2026-03-01' });
    expect(readValue(fieldOf(dateRange), [typed, typed]), typed).toEqual({ value: ['2026-03-01', '2026-03-01'] });
    if (!typed.endsWith('\u200b'))
      expect(readValue(fieldOf(datetime), `${typed} 9:30`), typed).toEqual({ value: '2026-03-01 09:30:00' });
  }
  expect(readValue(fieldOf(date), '26/3/1')).toEqual({ msg: expect.stringContaining('年份只有两位') as string });
  expect(readValue(fieldOf(date), '下周三')).toEqual({ msg: '请输入正确的日期，如 2026-03-01' });
  for (const typed of ['2026-03-01', '2026-03-01 25:00', '2026-03-01 下午', '上午'])
    expect(readValue(fieldOf(datetime), typed), typed).toEqual({ msg: '请输入正确的时间，如 2026-03-01 09:30:00' });
  for (const type of [fieldType.float, fieldType.money]) {
    for (const typed of ['1,234.50', '1234.5', '１，２３４．５０', ' 1 234.5 '])
      expect(readValue(fieldOf(type), typed), typed).toEqual({ value: 1234.5 });
    expect(readValue(fieldOf(type, { min: -9999 }), '-1,234.5')).toEqual({ value: -1234.5 });
    expect(readValue(fieldOf(type), '约三千')).toEqual({ msg: '请输入数字' });
    for (const typed of ['1,00', '-1,00'])
      expect(readValue(fieldOf(type, { min: -9999 }), typed)).toEqual({
        msg: `“${typed}”中的逗号或空格没有按三位一节，看不出是多少，请去掉后重新填写，如 1234.50`,
      });
  }
  expect(readValue(fieldOf(fieldType.money), '￥1,234.50元')).toEqual({ value: 1234.5 });
  expect(readValue(fieldOf(fieldType.int), '１２')).toEqual({ value: 12 });
  for (const typed of ['139\u200b0000 1101', '１３９-００００-１１０１', '+86 13900001101'])
    expect(readValue(fieldOf(fieldType.phone), typed), typed).toEqual({ value: '13900001101' });
});
