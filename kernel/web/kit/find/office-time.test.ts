import { expect, test } from 'vitest';
import { timeIn } from './office-time.ts';

/** Half past two on a Wednesday, in Asia/Shanghai. */
const wednesday = new Date('2031-03-05T14:30:00+08:00');
const sunday = new Date('2031-03-09T10:00:00+08:00');
const said = (text: string, now = wednesday) => {
  const found = timeIn(text, now);
  return found && [found.start_time, found.end_time.slice(11), found.rest];
};

test.each([
  ['明天 10点', '2031-03-06T10:00'],
  ['明天10:00', '2031-03-06T10:00'],
  ['明天上午九点', '2031-03-06T09:00'],
  ['后天下午两点半', '2031-03-07T14:30'],
  ['今天16:30', '2031-03-05T16:30'],
  ['周五下午3点', '2031-03-07T15:00'],
  ['下周二 9点半', '2031-03-11T09:30'],
  ['下周日上午十点', '2031-03-16T10:00'],
  ['本周五 15点', '2031-03-07T15:00'],
  ['12月3日下午2点', '2031-12-03T14:00'],
])('%s is, on a Wednesday afternoon, %s', (text, start) => {
  expect(said(text)?.[0]).toBe(start);
});

test('weeks begin on Monday: on a Sunday 下周二 is in two days', () => {
  expect(said('下周二 9点半', sunday)?.[0]).toBe('2031-03-11T09:30');
  expect(said('本周五 15点', sunday)?.[0]).toBe('2031-03-07T15:00');
});

test('a typed time lasts one hour or as long as said, and the rest is the title', () => {
  expect(said('明天10点 周例会')).toEqual(['2031-03-06T10:00', '11:00', '周例会']);
  expect(said('教研 明天下午三点到五点')).toEqual(['2031-03-06T15:00', '17:00', '教研']);
  expect(said('明天 14:00-15:30')).toEqual(['2031-03-06T14:00', '15:30', '']);
});

test('a day without an hour begins at nine, and three o’clock means the afternoon unless said otherwise', () => {
  expect(said('明天')?.[0]).toBe('2031-03-06T09:00');
  expect(said('明天3点')?.[0]).toBe('2031-03-06T15:00');
  expect(said('明天03:00')?.[0]).toBe('2031-03-06T03:00');
  expect(said('明天凌晨3点')?.[0]).toBe('2031-03-06T03:00');
});

test('a part of a day without an hour begins when that part does, and is not part of the title', () => {
  expect(said('明天下午 例会')).toEqual(['2031-03-06T14:00', '15:00', '例会']);
  expect(said('明天中午')?.[0]).toBe('2031-03-06T12:00');
  expect(said('今晚 值班会')).toEqual(['2031-03-05T19:00', '20:00', '值班会']);
  expect(said('后天晚上')?.[0]).toBe('2031-03-07T19:00');
  expect(said('明早')?.[0]).toBe('2031-03-06T09:00');
  expect(said('周五下午 例会')).toEqual(['2031-03-07T14:00', '15:00', '例会']);
  expect(said('12月3日上午 例会')).toEqual(['2031-12-03T09:00', '10:00', '例会']);
  expect(said('下午 例会')).toEqual(['2031-03-05T14:00', '15:00', '例会']);
});

test.each(['00:30', '23:30'])('at %s, too, tomorrow is the next day of the calendar', (at) => {
  const starts = (text: string) => said(text, new Date(`2031-03-05T${at}:00+08:00`))?.[0];
  expect(starts('今晚8点')).toBe('2031-03-05T20:00');
  expect(starts('明天 例会')).toBe('2031-03-06T09:00');
  expect(starts('明早8点')).toBe('2031-03-06T08:00');
  expect(starts('明晚 聚餐')).toBe('2031-03-06T19:00');
  expect(starts('明日，下午3点')).toBe('2031-03-06T15:00');
  expect(starts('后天10点')).toBe('2031-03-07T10:00');
  expect(starts('大后天 14:00-15:30')).toBe('2031-03-08T14:00');
});

test('a date that is part of the title stays in it as typed', () => {
  expect(said('明天10点 商量后天的安排')?.[2]).toBe('商量后天的安排');
  expect(said('明天10点 商量下周一的安排')?.[2]).toBe('商量下周一的安排');
});

test('早上周一 and 晚上周三 mean the coming weekday, not last week’s', () => {
  expect(said('早上周一 例会')).toEqual(['2031-03-10T09:00', '10:00', '例会']);
  expect(said('晚上周三 例会')).toEqual(['2031-03-05T19:00', '20:00', '例会']);
  expect(said('周三上午 例会')?.[0]).toBe('2031-03-12T09:00');
  expect(said('晚上周四8点')?.[0]).toBe('2031-03-06T20:00');
  expect(said('上周一10点')?.[0]).toBe('2031-02-24T10:00');
});

test('a text without a time is not parsed as one', () => {
  for (const text of ['周例会', '', '三号楼', '二期工程']) expect(said(text)).toBeNull();
});
