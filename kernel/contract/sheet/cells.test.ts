import { expect, test } from 'vitest';
import { chosenText, readCell } from './cells.ts';

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

test('a spreadsheet date may have blanks, 号, numerals or its day of the week; another day of the week is asked about', () => {
  for (const typed of [
    '2024年3月1号',
    '二〇二四年三月一日',
    '二零二四年三月一号',
    '2024年 3月 1日',
    '2024 / 3 / 1',
    '2024. 03. 01',
    '2024-3-1（周五）',
    '2024-3-1 (星期五)',
    '2024年3月1日星期五',
    '2024年3月1日 礼拜五',
    '20240301 周五',
    '2024-3-1（周五） 0:00',
  ])
    expect(day(typed), typed).toEqual({ text: '2024-03-01' });
  const numerals = [
    '二〇二四年十月十日',
    '二〇二四年十二月二十一日',
    '二〇二四年〇三月三十一日',
    '二〇二四年一月廿三日',
  ];
  expect(numerals.map(day)).toEqual(['2024-10-10', '2024-12-21', '2024-03-31', '2024-01-23'].map((text) => ({ text })));
  expect(day('2026年3月1日星期天')).toEqual({ text: '2026-03-01' });
  expect(day('2024-3-1（周六）')).toEqual({
    asks: '“2024-3-1（周六）”的日期和星期不一致：2024-03-01 是星期五，请核对',
  });
  expect(day('三月五号')).toEqual({ asks: '“三月五号”没有年份，请写明，如 2026-03-05' });
  expect(day('二四年三月一日')).toEqual({ asks: '“二四年三月一日”的年份只有两位，请写成四位，如 2026-03-05' });
  // The schema refuses a day that does not exist, whatever day of the week it is said to be.
  expect(day('2026年2月30日星期一')).toEqual({ text: '2026-02-30' });
  for (const typed of ['周五', '下周五', '2024年3月', '十月', '第三周周一'])
    expect(day(typed)).toEqual({ text: typed });
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
    '2026年3月5号9:30',
    '二〇二六年三月五日 9:30',
    '2026-3-5（周四） 9:30',
    '2026年3月5日星期四9:30',
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

test('separators of a spreadsheet number stand before three digits each; others are asked about, for they could mean another number', () => {
  const asks = (typed: string) => ({
    asks: `“${typed}”中的逗号或空格没有按三位一节，看不出是多少，请去掉后重新填写，如 1234.50`,
  });
  for (const typed of ['1,00', '1，00', '1,0000', '12,34,567', '1,234 567', '1,234.5,0', '1 00'])
    for (const kind of ['money', 'number'] as const)
      expect(readCell(kind, typed), `${kind} ${typed}`).toEqual(asks(typed));
  expect(readCell('money', '￥1,00元')).toEqual(asks('￥1,00元'));
  expect(readCell('number', '-1,00')).toEqual(asks('-1,00'));
  for (const typed of ['1,234,567.50', '1 234 567.50', '１，２３４，５６７．５０', '1234567.50'])
    expect(readCell('money', typed), typed).toEqual({ text: '1234567.5' });
  expect(readCell('number', '甲,乙')).toEqual({ text: '甲,乙' });
});

test('of a number that is shown in another way, codes and texts take what is shown, numbers and dates the number, phones the mobile number', () => {
  const taken = (shows: string, value: string) =>
    (['code', undefined, 'number', 'money', 'day', 'phone'] as const).map((kind) => chosenText(kind, shows, value));
  expect(taken('00042', '42')).toEqual(['00042', '00042', '42', '42', '42', '00042']);
  expect(taken('138-0013-8000', '13800138000').at(-1)).toBe('13800138000');
  expect(taken('0571-88000000', '57188000000').at(-1)).toBe('0571-88000000');
});
