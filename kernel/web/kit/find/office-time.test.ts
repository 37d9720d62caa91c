import { expect, test } from 'vitest';
import { timeIn } from './office-time.ts';

/** Half past two on a Wednesday, by the clock of the house. */
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

test('a time is of one hour, or as long as is said; what stands beside it is left', () => {
  expect(said('明天10点 周例会')).toEqual(['2031-03-06T10:00', '11:00', '周例会']);
  expect(said('教研 明天下午三点到五点')).toEqual(['2031-03-06T15:00', '17:00', '教研']);
  expect(said('明天 14:00-15:30')).toEqual(['2031-03-06T14:00', '15:30', '']);
});

test('a day without an hour begins at nine, and three o’clock is the afternoon’s where nobody says otherwise', () => {
  expect(said('明天')?.[0]).toBe('2031-03-06T09:00');
  expect(said('明天3点')?.[0]).toBe('2031-03-06T15:00');
  expect(said('明天03:00')?.[0]).toBe('2031-03-06T03:00');
  expect(said('明天凌晨3点')?.[0]).toBe('2031-03-06T03:00');
});

test('what names no time is none', () => {
  for (const text of ['周例会', '', '三号楼', '二期工程']) expect(said(text)).toBeNull();
});
