import { expect, test } from 'vitest';
import { readWrites } from '#modules/workflow/tickets/engine/fields.ts';
import { fieldType } from '../codes.ts';
import { leave } from '../gallery/leave.ts';
import { countedDates } from './settle.ts';
import { usualBudget, valueOf, type Works } from './evaluate.ts';
import { parsed } from './text.ts';

const formula = (text: string) => {
  const read = parsed(text, [{ key: 'leave', name: '请假时间' }]);
  if ('fault' in read) throw new Error(read.fault);
  return read.formula;
};

test('working days are counted by the given calendar, and are unknown without one or beyond its years', () => {
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

test('the dates of a working-day count are those that its definition names, also in table rows', () => {
  const { float: number, date } = fieldType;
  const days = { key: 'days', type: number, decimals: 1, days_between: { from: 'from', to: 'to', working: true } };
  const plain = (key: string) => ({ key, type: date, decimals: 0 });
  const range = {
    key: 'worked',
    type: number,
    decimals: 0,
    formula: formula('工作日数(开始日([请假时间]), 结束日([请假时间])) + 1'),
  };
  const calendarDays = { ...days, key: 'all', days_between: { from: 'hired', to: 'contract_end' } };
  const trips = { key: 'trips', type: number, decimals: 0, columns: [plain('from'), plain('to'), plain('paid'), days] };
  const dated = { from: '2026-11-23', to: '2026-11-27' };
  const leave = ['2026-12-30', '2027-01-04'];
  const values = {
    ...dated,
    leave,
    hired: '2020-01-01',
    contract_end: '2030-01-01',
    trips: [{ from: '2026-10-01', to: '2026-10-09', paid: '2031-01-01' }],
  };
  expect(countedDates([plain('from'), plain('to'), days, plain('contract_end'), calendarDays], values)).toEqual(
    Object.values(dated),
  );
  expect(countedDates([range], values)).toEqual([leave]);
  expect(countedDates([trips], values)).toEqual(['2026-10-01', '2026-10-09']);
});

test('counted days stay the same when holidays are published later, until somebody changes the dates', () => {
  const { definition } = leave;
  const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-27', days: 5, reason: '家中有事' };
  const [start, head] = definition.states.map((state) => ({ ...state, access: { ...state.access, to: 3 as const } }));
  const worked = (day: string) => day !== '2026-11-24' && day !== '2026-11-25';
  const daysIn = (state: typeof start, written: object) => {
    const { changes } = readWrites(definition, state!, form, { ...written }, 'complete', worked);
    return changes.find(({ key }) => key === 'days')?.to ?? form.days;
  };
  expect([daysIn(head, {}), daysIn(head, { to: '2026-11-26' }), daysIn(start, {})]).toEqual([5, 2, 3]);
});

test('a draft may have dates without a working day between them, but is not submitted so', () => {
  const { definition } = leave;
  const told = (handedIn: 'draft' | 'sent' | 'complete') =>
    readWrites(definition, definition.states[0]!, {}, { from: '2026-11-28', to: '2026-11-29' }, handedIn, () => false)
      .errors.filter(({ field }) => field === 'days')
      .map(({ msg }) => msg);
  const none = ['为 0 天：所选日期都不是工作日，请检查日期'];
  expect((['draft', 'sent', 'complete'] as const).map(told)).toEqual([[], none, none]);
});
