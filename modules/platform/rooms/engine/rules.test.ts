import { leastCost } from '#kernel/server/testing/cost.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { calendarFrom } from '#modules/platform/calendars/service.ts';
import { breaches, closedOn, daysText, isOpen, lengthText, type RoomRules } from './rules.ts';

const calendar = calendarFrom({
  own: new Map([['2026-12-09', { works: false, name: '校庆', origin: 'own', plan: null }]]),
  workdays: [1, 2, 3, 4, 5],
  holidays: [],
  office_hours: '08:30–12:00、13:30–18:00',
});

const rules = (more: Partial<RoomRules> = {}): RoomRules => ({
  name: '第一会议室',
  status: 1,
  office_status: 1,
  open_hours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays: false },
  calendar,
  min_ahead_min: 0,
  max_ahead_days: 30,
  step_min: 15,
  min_minutes: 15,
  max_minutes: 480,
  kept_to: null,
  ...more,
});
/** Tuesday. */
const now = momentOf('2026-12-01 10:00');
const on = (start: string, end: string) => ({ start_time: `2026-12-${start}:00`, end_time: `2026-12-${end}:00` });
const said = (period: { start_time: string; end_time: string }, more: Partial<RoomRules> = {}) =>
  breaches(rules(more), period, now);

describe('a room request is refused', () => {
  test.each([
    ['out of use', on('02 09:00', '02 10:00'), { status: 0 }, '第一会议室已停用，请选择其他会议室'],
    ['under repair', on('02 09:00', '02 10:00'), { status: 2 }, '第一会议室正在维护，请选择其他会议室'],
    ['backwards', on('02 10:00', '02 09:00'), {}, '结束时间 2026-12-02 09:00 应晚于开始时间 2026-12-02 10:00'],
    ['in the past', on('01 09:00', '01 09:30'), {}, '开始时间 2026-12-01 09:00 已过，请选择之后的时间'],
    [
      'at too short notice',
      on('01 11:00', '01 12:00'),
      { min_ahead_min: 120 },
      '第一会议室须至少提前 2 小时申请，现在最早可约 2026-12-01 12:00',
    ],
    [
      'too far ahead',
      on('10 09:00', '10 10:00'),
      { max_ahead_days: 7 },
      '第一会议室最多提前 7 天申请，今天最晚可约 2026-12-08',
    ],
    ['between its steps', on('02 09:05', '02 10:00'), {}, '第一会议室的起止时间须为 15 分钟的整数倍，如 09:00、09:15'],
    [
      'for too short',
      on('02 09:00', '02 09:15'),
      { min_minutes: 30 },
      '第一会议室每次至少使用 30 分钟，所选为 15 分钟',
    ],
    ['for too long', on('02 09:00', '02 13:00'), { max_minutes: 180 }, '第一会议室每次最多使用 3 小时，所选为 4 小时'],
    [
      'on a closed day',
      on('05 09:00', '05 10:00'),
      {},
      '第一会议室的开放时间为周一至周五 08:00–18:00，节假日不开放，请改到开放时间内',
    ],
    [
      'on a holiday of the house',
      on('09 09:00', '09 10:00'),
      {},
      '第一会议室的开放时间为周一至周五 08:00–18:00，节假日不开放，请改到开放时间内（2026-12-09 校庆不开放）',
    ],
    [
      'too late on the eve of a holiday, of which it takes nothing',
      on('08 17:00', '09 00:00'),
      {},
      '第一会议室的开放时间为周一至周五 08:00–18:00，节假日不开放，请改到开放时间内',
    ],
    [
      'to another department',
      on('02 09:00', '02 10:00'),
      { kept_to: { names: '教务处、科研处', mine: false } },
      '第一会议室仅供教务处、科研处使用，请选择其他会议室',
    ],
  ] as const)('%s, with alternatives', (_name, period, more, sentence) => {
    expect(said(period, more)).toEqual([sentence]);
  });

  test('with all of its faults at once', () => {
    expect(said(on('05 07:05', '05 07:15'), { min_minutes: 30 })).toHaveLength(3);
  });

  test('across midnight, unless both days are open to their ends', () => {
    const night = on('02 23:00', '03 01:00');
    expect(said(night)).toHaveLength(1);
    expect(said(night, { open_hours: { days: [1, 2, 3, 4, 5], from: '00:00', to: '24:00', holidays: false } })).toEqual(
      [],
    );
    expect(
      said(on('02 22:00', '03 00:00'), { open_hours: { days: [3], from: '08:00', to: '24:00', holidays: false } }),
    ).toEqual([]);
  });
});

test('a period is open exactly if each of its minutes is', () => {
  const clock = fc.integer({ min: 0, max: 96 }).map((quarter) => {
    const minutes = quarter * 15;
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  });
  const hours = fc
    .record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: clock,
      to: clock,
      holidays: fc.constant(true),
    })
    .filter(({ from, to }) => from < to);
  const start = momentOf('2026-12-01 00:00').getTime();
  const quarter = 15 * 60_000;
  fc.assert(
    fc.property(hours, fc.nat(400), fc.integer({ min: 1, max: 200 }), (open, from, length) => {
      const at = (step: number) => momentText(new Date(start + step * quarter));
      const minutes = Array.from({ length }, (_one, step) => at(from + step));
      const each = minutes.every((text) => {
        const weekday = ((new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7) + 1;
        return open.days.includes(weekday) && text.slice(11, 16) >= open.from && text.slice(11, 16) < open.to;
      });
      // Each quarter lies within the hours; a period across midnight is open only if both days' hours touch it.
      const joined = minutes.every((text, step) => step === 0 || text.slice(11, 16) !== '00:00' || open.to === '24:00');
      expect(isOpen(open, { start_time: at(from), end_time: at(from + length) }, calendar)).toBe(each && joined);
    }),
    { numRuns: 500 },
  );
});

test('a period of a century is checked as quickly as one of a week', async () => {
  const open_hours = { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00', holidays: true };
  const century = { start_time: '2030-01-01 00:00:00', end_time: '2099-12-31 00:00:00' };
  const look = () => {
    for (let n = 0; n < 1000; n += 1)
      expect(breaches(rules({ open_hours }), century, now).join()).toContain('每次最多使用 8 小时');
  };
  expect(await leastCost(look, 1)).toBeLessThan(2000);
});

describe('the holiday calendar', () => {
  const office = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00', holidays: false };
  const on = (day: string, more: Partial<typeof office> = {}) => closedOn({ ...office, ...more }, day, calendar);

  test('opens rooms on a Saturday worked in exchange, if they are open on all working days', () => {
    expect(on('2026-10-10')).toBeNull();
    expect(on('2026-10-17')).toBe('周六不开放');
    expect(on('2026-10-10', { days: [1, 2] })).toBe('周六不开放');
  });

  test('closes rooms on holidays of any weekday, unless their office says otherwise', () => {
    expect(on('2026-10-01')).toBe('国庆节不开放');
    expect(on('2026-10-03', { days: [1, 2, 3, 4, 5, 6, 7] })).toBe('国庆节不开放');
    expect(on('2026-12-09')).toBe('校庆不开放');
    expect(on('2026-10-01', { holidays: true })).toBeNull();
    expect(on('2026-10-03', { holidays: true })).toBe('周六不开放');
  });
});

test('opening days and lengths are written as people say them', () => {
  expect([daysText([1, 2, 3, 4, 5]), daysText([3, 1]), daysText([1, 2, 3, 4, 5, 6, 7])]).toEqual([
    '周一至周五',
    '周一、周三',
    '每天',
  ]);
  expect([15, 60, 90, 1440].map(lengthText)).toEqual(['15 分钟', '1 小时', '90 分钟', '1 天']);
});
