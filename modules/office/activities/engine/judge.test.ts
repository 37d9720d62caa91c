import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { calendarFrom, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { passed, run } from '#modules/workflow/tickets/engine/testing/run.ts';
import { newTicket } from '#modules/workflow/tickets/engine/state.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { tooLate } from '../contract/refusals.ts';
import { activityRules } from '../contract/rules.ts';
import { flow } from '../seed.ts';
import { judge, type Asked, type Around, type WorkingDay } from './judge.ts';
import { needsOf, stepsOf } from './steps.ts';

const office_hours = '08:30–12:00、13:30–18:00';
const calendar = calendarFrom({ own: new Map(), workdays: [1, 2, 3, 4, 5], holidays: [], office_hours });
const after: WorkingDay = (from, days) => dayOf(workingDaysAfter(momentOf(`${dayOf(from)} 23:59`), days, calendar));
const rule = activityRules.defaults;
const now = momentOf('2025-09-23 10:00');
const plain: Asked = {
  title: '读书会',
  type_id: 3,
  is_social_science: false,
  dept_id: 1,
  undertaker: 1,
  phone: '1',
  content: '读书',
  start_time: '2025-12-01 14:00:00',
  end_time: '2025-12-01 16:00:00',
  urgent_reason: '',
  location: '操场',
  is_online: false,
  online_platform: '',
  online_link: '',
  online_admits: '',
  in_count: 50,
  out_count: 0,
  has_overseas: false,
  guests: [],
  safety_plan: null,
  safety_officer: null,
  safety_phone: '',
  budget: null,
  fund_source: '',
};
const alone: Around = { room: null, clashes: [], late: 0 };
const judged = (more: Partial<Asked>, around = alone, at = now) =>
  judge({ ...plain, ...more }, rule, after, at, around);
const guest = fc.record({
  name: fc.constantFrom('李教授', 'Smith'),
  nationality: fc.constantFrom('CN', 'CN', 'US'),
  topic: fc.constantFrom('', '题目'),
  is_external: fc.boolean(),
  background: fc.constantFrom('', '说明'),
  note_of: fc.constantFrom(null, 7),
});
const activity = fc.record({
  type_id: fc.integer({ min: 1, max: 9 }),
  is_social_science: fc.boolean(),
  has_overseas: fc.boolean(),
  in_count: fc.integer({ min: 0, max: 400 }),
  out_count: fc.integer({ min: 0, max: 100 }),
  guests: fc.array(guest, { maxLength: 3 }),
});
const room = fc.option(
  fc.record({ name: fc.constant('礼堂'), capacity: fc.integer({ min: 1, max: 500 }), approves: fc.boolean() }),
);

/** The states a ticket of the seeded workflow comes through when everybody agrees. */
function walked(fields: Record<string, unknown>): string[] {
  const { definition } = flow;
  const organisation = () => [9];
  const create = { type: 'create', actor: 1, transition_id: 2, suggestion: '', choose: {} } as const;
  let ticket = passed(
    run(
      definition,
      newTicket(1, 1),
      { ...create, fields: { title: '读书会', place_managers: ['u9'], ...fields } },
      organisation,
    ),
  );
  const names: string[] = [];
  for (
    let task = ticket.tasks.find((one) => one.status === 'todo');
    task;
    task = ticket.tasks.find((one) => one.status === 'todo')
  ) {
    const state = stateOf(definition, task.state_id);
    names.push(state.name);
    const way = definition.transitions.find((one) => one.key === `agree_${state.key}`)!;
    const handle = {
      type: 'handle',
      actor: 9,
      task_no: task.no,
      transition_id: way.id,
      suggestion: '',
      fields: {},
      choose: {},
    } as const;
    ticket = passed(run(definition, ticket, handle, organisation));
  }
  return names;
}

describe('the rules for activities', () => {
  test('show exactly the steps that the ticket then takes, whatever is declared', () => {
    fc.assert(
      fc.property(activity, room, (more, hall) => {
        const verdict = judged(more, { ...alone, room: hall });
        expect(stepsOf(flow.definition, verdict).map((step) => step.name)).toEqual(walked(needsOf(verdict)));
        for (const step of stepsOf(flow.definition, verdict))
          expect(step.why === '').toBe(['head', 'leader'].includes(step.key));
      }),
      { numRuns: 500 },
    );
  });

  test('ask nothing for a number at its threshold but do above it, and never less for more people', () => {
    expect([200, 201].map((in_count) => judged({ in_count }).need_safety)).toEqual([false, true]);
    expect([50, 51].map((out_count) => judged({ out_count }).need_safety)).toEqual([false, true]);
    fc.assert(
      fc.property(activity, fc.integer({ min: 0, max: 50 }), (more, besides) => {
        const [less, greater] = [judged(more), judged({ ...more, in_count: more.in_count + besides })];
        expect(Number(greater.need_safety)).toBeGreaterThanOrEqual(Number(less.need_safety));
      }),
    );
  });

  test('name each missing field, and no field once it is filled in', () => {
    expect(judged({}).missing).toEqual([]);
    expect(judged({ is_online: true, budget: 100 }).missing.map((one) => one.field)).toEqual([
      'online_platform',
      'online_link',
      'online_admits',
      'fund_source',
    ]);
    expect(judged({ end_time: plain.start_time }).missing).toMatchObject([
      { field: 'end_time', msg: '应晚于开始时间' },
    ]);
    expect(judged({ end_time: '2026-01-02 10:00:00' }).missing).toMatchObject([{ field: 'end_time' }]);
    expect(judged({ start_time: '2025-09-01 10:00:00', end_time: '2025-09-01 11:00:00' }).missing[0]!.msg).toContain(
      '已过',
    );
  });

  test('warn of a room that is too small, overdue summaries and other activities at the same time', () => {
    const crowded = judged(
      { in_count: 120 },
      { room: { name: '小礼堂', capacity: 100, approves: false }, clashes: ['有另一场活动'], late: 2 },
    );
    expect(crowded.warnings).toEqual([
      '小礼堂容纳 100 人，申报 120 人',
      '主办部门有 2 场活动逾期未总结',
      '有另一场活动',
    ]);
  });
});

describe('the lead time of an activity', () => {
  const on = (day: string) => ({ start_time: `${day} 14:00:00`, end_time: `${day} 16:00:00` });

  test('counts working days, including days worked in place of a holiday', () => {
    // 2025-09-28 is a Sunday that is worked; from 10-01 to 10-08 nobody works.
    const friday = momentOf('2025-09-26 10:00');
    expect(judged(on('2025-09-30'), alone, friday)).toMatchObject({ earliest: '2025-09-30', late: false });
    const eve = momentOf('2025-09-30 17:00');
    const verdict = judged(on('2025-10-10'), alone, eve);
    // 10-11 is a Saturday that is worked.
    expect(verdict).toMatchObject({ late: true, urgent: false, earliest: '2025-10-11', lead_days: 3 });
    expect(tooLate('活动', verdict.lead_days, verdict.earliest).message).toBe(
      '活动须提前 3 个工作日申报，最早可在 2025-10-11 举办；请改期，或写明急办原因',
    );
    expect(judged(on('2025-10-11'), alone, eve).late).toBe(false);
  });

  test('is longer for foreign guests, and a reason lets a late declaration pass as urgent', () => {
    expect(judged({ ...on('2025-10-13'), has_overseas: true })).toMatchObject({
      foreign: true,
      lead_days: 10,
      late: false,
    });
    expect(judged({ ...on('2025-10-09'), type_id: 6 })).toMatchObject({ late: true, need_foreign: true });
    expect(judged({ ...on('2025-09-24'), urgent_reason: '上级通知' })).toMatchObject({ late: true, urgent: true });
    expect(judged({ urgent_reason: '上级通知' }).urgent).toBe(false);
  });

  test('counts from the first submission if that is known', () => {
    const since = momentOf('2025-09-16 10:00');
    expect(judged(on('2025-09-24'), { ...alone, since })).toMatchObject({ late: false, since: '2025-09-16 10:00:00' });
  });
});
