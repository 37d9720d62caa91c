import { expect, test } from 'vitest';
import { readCell } from './cells.ts';

const day = (typed: string) => readCell('day', typed);

test('a spreadsheet date is read in any usual spelling, and an ambiguous year or time is reported', () => {
  for (const typed of [
    '2026-03-05',
    '2026/3/5',
    '2026.3.5',
    '2026年3月5日',
    '20260305',
    '２０２６－０３－０５',
    '2026-03-05 0:00',
    '\u200b2026-03\u200b-05\u00a0',
  ])
    expect(day(typed), typed).toEqual({ text: '2026-03-05' });
  expect(day('26/3/5')).toEqual({ asks: '“26/3/5”的年份只有两位，请写成四位，如 2026-03-05' });
  expect(day('3月5日')).toEqual({ asks: '“3月5日”没有年份，请写明，如 2026-03-05' });
  expect(day('2026-03-05 14:30')).toEqual({ asks: '“2026-03-05 14:30”带有时间，这里只要日期，请删去时间' });
  // The schema refuses a day that does not exist.
  expect(day('2026-2-30')).toEqual({ text: '2026-02-30' });
  expect(day('下周三')).toEqual({ text: '下周三' });
});

test('a spreadsheet amount, phone number or code is read the same in any width and grouping', () => {
  expect(readCell('money', '￥３，６００．５０元')).toEqual({ text: '3600.5' });
  expect(readCell('money', '约三千')).toEqual({ text: '约三千' });
  for (const typed of [
    '13900001101',
    '139 0000 1101',
    '139-0000-1101',
    '+86 13900001101',
    '139\u200b0000\u200d1101',
    '１３９００００１１０１',
  ])
    expect(readCell('phone', typed), typed).toEqual({ text: '13900001101' });
  expect(readCell('phone', '0731-88880001')).toEqual({ text: '0731-88880001' });
  expect(readCell('code', 'ＨＴ－２０２６－０１ ')).toEqual({ text: 'HT-2026-01' });
  expect(readCell(undefined, '（甲）')).toEqual({ text: '（甲）' });
});

test('a spreadsheet time is a date with an hour, or the beginning of the day', () => {
  for (const typed of [
    '2026-03-05 9:30',
    '2026/3/5 09:30:00',
    '2026年3月5日9:30',
    '20260305 9:30',
    '２０２６.３.５　９：３０',
    '2026-03-05T09:30',
  ])
    expect(readCell('moment', typed), typed).toEqual({ text: '2026-03-05 09:30:00' });
  expect(readCell('moment', '20260305')).toEqual({ text: '2026-03-05 00:00:00' });
  expect(readCell('moment', '26/3/5 9:30')).toEqual({ asks: '“26/3/5”的年份只有两位，请写成四位，如 2026-03-05' });
  expect(readCell('moment', '下午')).toEqual({ text: '下午' });
  expect(readCell('moment', '2026-03-05 下午三点')).toEqual({ text: '2026-03-05 下午三点' });
});

test('a spreadsheet number is read in any width, with separators and a minus sign', () => {
  expect(['１，２３４．５', '1 234', '−3', '-3', '约三'].map((typed) => readCell('number', typed))).toEqual(
    ['1234.5', '1234', '-3', '-3', '约三'].map((text) => ({ text })),
  );
});
