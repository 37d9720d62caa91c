import { expect, test } from 'vitest';
import { usualBudget, valueOf, type Works } from './evaluate.ts';
import { parsed } from './text.ts';

const formula = (text: string) => {
  const read = parsed(text, [{ key: 'leave', name: '请假时间' }]);
  if ('fault' in read) throw new Error(read.fault);
  return read.formula;
};

test('working days are counted by the calendar that is given, and unknown without one or beyond what it knows', () => {
  const text = '工作日数(开始日([请假时间]), 结束日([请假时间]))';
  const works = (day: string) => (day.startsWith('2027') ? null : ![0, 6].includes(new Date(day).getUTCDay()));
  const count = (leave: unknown, known: Works | undefined = works, left = usualBudget) =>
    valueOf(formula(text), { leave }, { left, works: known });
  // A Friday, a weekend, a Monday.
  expect(count(['2026-11-20', '2026-11-23'])).toBe(2);
  expect(count(['2026-11-21', '2026-11-22'])).toBe(0);
  expect(count(['2026-12-31', '2027-01-01'])).toBeNull();
  expect(valueOf(formula(text), { leave: ['2026-11-20', '2026-11-23'] }, { left: usualBudget })).toBeNull();
  for (const leave of [null, [], ['2026-11-23', '2026-11-20'], ['x', 'y'], '2026-11-20', ['0001-01-01', '9999-12-31']])
    expect(count(leave)).toBeNull();
  expect(count(['2026-01-01', '2026-12-31'], works, 5)).toBeNull();
  const days = formula('天数(开始日([请假时间]), 结束日([请假时间]))');
  expect(valueOf(days, { leave: ['2026-09-30', '2026-10-08'] }, { left: usualBudget })).toBe(9);
});
