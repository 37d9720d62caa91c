import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { repairCast, type RepairCast } from './testing/repair.ts';

const [save, submit] = [1, 2];
let app: TestOffice;
let who: Client;
let workflow_id: number;
let cast: RepairCast;
beforeAll(async () => {
  app = await openTestApp();
  who = await app.clerk({ 'ticket/new': ['Create'] }, { dept: await app.dept(), dataScope: 5 });
  cast = await repairCast(app);
  workflow_id = (await who.get(workflows.list)).value.find((flow) => flow.key === 'leave')!.id;
}, 180_000);
afterAll(() => app.close());

const body = { transition_id: submit, kind: 'personal', reason: '家中有事', from: '2026-11-24', to: '2026-11-27' };
const ask = (more: object, transition_id = submit) =>
  who.ask(tickets.start, { body: { ...body, workflow_id, transition_id, ...more } });
/** The field errors of a refusal. */
const errorsOf = ({ data }: { data: unknown }) =>
  (data as { errors: { field: string; label: string; msg: string }[] }).errors;
const notWorked = '为 0 天：所选日期都不是工作日，请检查日期';
const turnedRound = '为 0 天：开始和结束是同一天，却从下午到上午，请把上午、下午改正';
const daysOf = async (id: number, reader = who) =>
  (await reader.get(tickets.get, { params: { id } })).value.field_list.find((item) => item.field_key === 'days')!
    .field_value;

test('leave that ends before it begins is refused at its end date, also in a draft', async () => {
  for (const way of [submit, save]) {
    const { code, data } = await ask({ from: '2026-11-27', to: '2026-11-24', days: 1 }, way);
    expect([code, data]).toEqual([4000, { errors: [{ field: 'to', label: '结束日期', msg: '不能早于“开始日期”' }] }]);
  }
  expect((await ask({ from: '2026-11-24', to: '2026-11-24', days: 1 })).code).toBe(0);
});

test('the days of leave are counted from its dates inclusively, and a different number is refused', async () => {
  const counted = await ask({});
  expect(await daysOf(counted.data.id)).toBe(4);
  const fewer = await ask({ days: 0.5 });
  expect(await daysOf(fewer.data.id)).toBe(4);
  const told = async (days: number) => errorsOf(await ask({ days })).map(({ msg }) => msg);
  expect(await told(5)).toEqual(['“开始日期”到“结束日期”共 4 天，不能填 5 天']);
  for (const days of [0, -5]) expect(await told(days)).toEqual(['不能小于 0.5']);
});

test('half days are set at both ends, and days on which nobody works are no days of leave', async () => {
  const half = await ask({ from_half: 'pm', to_half: 'am' });
  expect(await daysOf(half.data.id)).toBe(3);
  // From a Friday to a Monday.
  const weekend = await ask({ to: '2026-11-30', from: '2026-11-27' });
  expect(await daysOf(weekend.data.id)).toBe(2);
  const none = await ask({ from: '2026-11-28', to: '2026-11-29' });
  expect(errorsOf(none)).toEqual([{ field: 'days', label: '天数', msg: '为 0 天：所选日期都不是工作日，请检查日期' }]);
  const noTime = await ask({ to: '2026-11-24', from_half: 'pm', to_half: 'am' });
  expect(errorsOf(noTime)).toEqual([{ field: 'days', label: '天数', msg: turnedRound }]);
  const sunday = await ask({ from: '2026-11-29', to: '2026-11-29', from_half: 'pm', to_half: 'am', days: 0 });
  expect(errorsOf(sunday)).toEqual([{ field: 'days', label: '天数', msg: notWorked }]);
  const draft = await ask({ from: '2026-11-28', to: '2026-11-29' }, save);
  const sent = await who.ask(tickets.handle, {
    params: { id: draft.data.id },
    body: { transition_id: submit, suggestion: '' },
  });
  expect(errorsOf(sent)).toEqual([{ field: 'days', label: '天数', msg: notWorked }]);
});

test('a start that would be refused for its days or dates is previewed as leading nowhere, with the same reason', async () => {
  const foreseen = async (more: object) => {
    const { reason: _reason, transition_id: _button, ...values } = { ...body, ...more };
    const { steps, stop } = await who.get(tickets.foresee, { body: { workflow_id, values } });
    return [steps.length, stop];
  };
  const weekend = { from: '2026-11-28', to: '2026-11-29' };
  for (const [more, msg] of [
    [weekend, notWorked],
    [{ ...weekend, days: 0 }, notWorked],
    [{ to: '2026-11-24', from_half: 'pm', to_half: 'am' }, turnedRound],
    [{ days: 0 }, '不能小于 0.5'],
    [{ days: -5 }, '不能小于 0.5'],
    [{ days: 5 }, '“开始日期”到“结束日期”共 4 天，不能填 5 天'],
    [{ from: '2026-11-27', to: '2026-11-24' }, '不能早于“开始日期”'],
  ] as const) {
    expect(await foreseen(more), JSON.stringify(more)).toEqual([0, expect.stringContaining(msg) as string]);
    expect(errorsOf(await ask(more)).map((error) => error.msg)).toContain(msg);
  }
  expect((await foreseen({}))[1]).toBe('');
});

test('a make-up Saturday counts as a day of leave, and half of it as half a day', async () => {
  // 2026-02-14 is a working day in exchange for a day of 春节.
  const { data } = await ask({ from: '2026-02-14', to: '2026-02-14', to_half: 'am' });
  expect(await daysOf(data.id)).toBe(0.5);
});

test('a month of leave goes to the leader in the preview and in fact, whatever number of days is sent with it', async () => {
  const month = { from: '2026-12-01', to: '2026-12-31' };
  const { head, leave: id } = cast;
  for (const more of [{}, { days: 1 }, { days: 31 }]) {
    const { steps } = await cast.staff.get(tickets.foresee, {
      body: { workflow_id: id, values: { ...month, ...more } },
    });
    expect(steps.map((step) => step.state_name)).toContain('分管领导审批');
  }
  const { data } = await cast.staff.ask(tickets.start, { body: { ...body, ...month, workflow_id: id, days: 1 } });
  await head.get(tickets.handle, { params: { id: data.id }, body: { transition_id: 3, suggestion: '好' } });
  expect((await cast.detail(head, data.id)).state.state_name).toBe('分管领导审批');
});

test('a handler who moves the end date gets the days recalculated, must give a reason, and cannot send the number', async () => {
  const flow = await addFlow(app, 'moved', {
    ...leave.definition,
    name: '可改的请假',
    states: leave.definition.states.map((state) =>
      state.id === 2 ? { ...state, access: { ...state.access, to: 3, days: 3 } } : state,
    ),
    settings: { ...leave.definition.settings, number_rule: { prefix: 'KG', digits: 4, period: 'day' } },
  } as never);
  const { staff, head, detail } = cast;
  const begun = async () =>
    (await staff.ask(tickets.start, { body: { ...body, workflow_id: flow } })).data.id as number;
  const agree = (id: number, more: object) =>
    head.ask(tickets.handle, { params: { id }, body: { transition_id: 3, suggestion: '', ...more } });
  const first = await begun();
  expect((await agree(first, { days: 1 })).code).toBe(0);
  expect((await detail(head, first)).state.state_name).toBe('分管领导审批');
  const second = await begun();
  expect(errorsOf(await agree(second, { to: '2026-11-24' }))).toEqual([
    { field: 'suggestion', label: '意见', msg: '“天数”由 4 改为 1，请在意见里写明原因' },
  ]);
  expect((await agree(second, { to: '2026-11-24', suggestion: '只能准一天' })).code).toBe(0);
  expect(await daysOf(second, head)).toBe(1);
});

test('days between two times are counted in half days, and computed dates are counted too', async () => {
  const { fields } = leave.definition;
  const nights = { id: 31, key: 'nights', name: '晚数', type: fieldType.int };
  const flow = await addFlow(app, 'moments', {
    ...leave.definition,
    name: '外出',
    fields: [
      nights,
      ...fields.map((field) =>
        field.key === 'from'
          ? { ...field, type: fieldType.datetime }
          : field.key === 'to'
            ? {
                ...field,
                formula: {
                  op: 'after',
                  of: [
                    { op: 'field', field: 'from' },
                    { op: 'field', field: 'nights' },
                  ],
                },
              }
            : field.key === 'days'
              ? { ...field, days_between: { from: 'from', to: 'to' } }
              : field,
      ),
    ],
    states: leave.definition.states.map((state) => ({ ...state, access: { ...state.access, nights: 3 } })),
    settings: { ...leave.definition.settings, number_rule: { prefix: 'WC', digits: 4, period: 'day' } },
  } as never);
  const { to: _to, ...rest } = body;
  const begin = (from: string, count: number) =>
    who.ask(tickets.start, { body: { ...rest, workflow_id: flow, from, nights: count, days: 1 } });
  expect(await daysOf((await begin('2026-11-24 13:30:00', 30)).data.id)).toBe(30.5);
  expect(await daysOf((await begin('2026-11-24 08:00:00', 2)).data.id)).toBe(3);
});

test('a required number of days is demanded by its dates when they are missing or in the wrong order', async () => {
  const flow = await addFlow(app, 'loose', {
    ...leave.definition,
    name: '松散的请假',
    fields: leave.definition.fields.map((field) =>
      field.key === 'to' ? { ...field, not_before: undefined, away: undefined } : field,
    ),
    states: leave.definition.states.map((state) => ({ ...state, access: { ...state.access, to: 3 } })),
    settings: { ...leave.definition.settings, number_rule: { prefix: 'SS', digits: 4, period: 'day' } },
  } as never);
  const told = async (to: string | null) => {
    const answer = await who.ask(tickets.start, { body: { ...body, workflow_id: flow, to, days: 1 } });
    return errorsOf(answer).map(({ field, msg }) => [field, msg]);
  };
  expect(await told(null)).toEqual([['days', '由“开始日期”和“结束日期”算出，请先填写日期']]);
  expect(await told('2026-11-23')).toEqual([['days', '算不出：“结束日期”早于“开始日期”']]);
});

test('a saved draft is refused for wrong dates and days when it is submitted', async () => {
  const { data } = await ask({ days: 4 }, save);
  const handle = (more: object) =>
    who.ask(tickets.handle, { params: { id: data.id }, body: { transition_id: submit, suggestion: '', ...more } });
  expect((await handle({ to: '2026-11-23' })).data).toMatchObject({ errors: [{ field: 'to' }] });
  expect((await handle({ to: '2026-11-25', days: 3 })).data).toMatchObject({ errors: [{ field: 'days' }] });
  expect((await handle({ to: '2026-11-25' })).code).toBe(0);
  expect(await daysOf(data.id)).toBe(2);
});

const trips = (columns: object[]) => ({ id: 9, key: 'trips', name: '行程', type: fieldType.table, columns });
const out = { key: 'out', name: '出发', type: fieldType.date };
const back = { key: 'back', name: '返回', type: fieldType.date, not_before: 'out' };
const nights = { key: 'nights', name: '天数', type: fieldType.int, days_between: { from: 'out', to: 'back' } };

test('dates in table rows are checked and counted like those of the form, and the message names row and column', async () => {
  const flow = await addFlow(app, 'tour', {
    ...leave.definition,
    name: '行程单',
    fields: [...leave.definition.fields, trips([out, back, { ...nights, required: true }])],
    states: leave.definition.states.map((state) => ({ ...state, access: { ...state.access, trips: 3 } })),
    settings: { ...leave.definition.settings, number_rule: { prefix: 'XC', digits: 4, period: 'day' } },
  } as never);
  const row = { out: '2026-11-24', back: '2026-11-27' };
  const send = (...rows: object[]) => ask({ workflow_id: flow, trips: rows });
  const told = async (...rows: object[]) => (await send(...rows)).data;
  const error = (msg: string) => ({ errors: [{ field: 'trips', label: '行程', msg }] });
  expect(await told(row, { ...row, back: '2026-11-23', nights: 1 })).toEqual(error('第 2 行“返回”不能早于“出发”'));
  expect(await told({ ...row, nights: 5 })).toEqual(error('第 1 行“天数”“出发”到“返回”共 4 天，不能填 5 天'));
  expect(await told({ ...row, nights: 0 })).toEqual(error('第 1 行“天数”不能是 0 天，请检查“出发”和“返回”'));
  expect(await told({ out: row.out })).toEqual(error('请填写第 1 行“天数”'));
  const { data } = await send(row, { ...row, nights: 2 });
  const { field_list } = (await who.get(tickets.get, { params: { id: data.id } })).value;
  expect(field_list.find((item) => item.field_key === 'trips')!.field_value).toEqual([
    { ...row, nights: 4 },
    { ...row, nights: 4 },
  ]);
});

test('a workflow is not published when a column refers to dates that are not in its table', () => {
  const columns = [
    { ...out, days_between: { from: 'out', to: 'back' } },
    { ...back, not_before: 'from' },
    { key: 'where', name: '地点', type: fieldType.string, not_before: 'out' },
  ];
  const { fields, ...rest } = leave.definition;
  const definition = Definition.parse({ ...rest, fields: [...fields, trips(columns)] });
  expect(publishProblems(definition).map(({ msg }) => msg)).toEqual([
    '表格“行程”的列“出发”对照的“out”不是另一个日期列',
    '表格“行程”的列“出发”不是数字，不能按日期计算天数',
    '表格“行程”的列“返回”对照的“from”不是另一个日期列',
    '表格“行程”的列“地点”不是日期，不能要求不早于别的日期',
  ]);
});

test('a workflow is not published when a field refers to dates that are not date fields', () => {
  const { definition } = leave;
  const fields = definition.fields.map((field) =>
    field.key === 'to'
      ? { ...field, not_before: 'reason' }
      : field.key === 'proof'
        ? { ...field, days_between: { from: 'from', to: 'to' } }
        : field,
  );
  const found = publishProblems({ ...definition, fields }).map(({ msg }) => msg);
  expect(found).toEqual([
    '字段“结束日期”对照的“reason”不是另一个日期字段',
    '字段“证明材料”不是数字，不能按日期计算天数',
  ]);
});

test('a workflow with two absences in its form is not published', () => {
  const { definition } = leave;
  const again = [
    { id: 31, key: 'out', name: '外出日期', type: fieldType.date },
    { id: 32, key: 'in', name: '回来日期', type: fieldType.date, not_before: 'out', away: 'trip' },
  ];
  const more = Definition.parse({ ...definition, fields: [...definition.fields, ...again] });
  expect(publishProblems(more).map(({ msg }) => msg)).toEqual([
    '“结束日期”已表示期间不在岗，一张工单只能有一段，请去掉“回来日期”的',
  ]);
});

test('a workflow that records absences is not published without the day on which they begin', () => {
  const { definition } = leave;
  const fields = definition.fields.map((field) => (field.key === 'to' ? { ...field, not_before: undefined } : field));
  expect(publishProblems({ ...definition, fields }).map(({ msg }) => msg)).toEqual([
    '字段“结束日期”表示期间不在岗，请先为它选好“不早于”的开始日期',
  ]);
});

test('a list filtered by a period that ends before it begins is refused with a sentence', async () => {
  const { code, data } = await who.ask(tickets.list, {
    query: { create_start: '2026-11-27', create_end: '2026-11-24' },
  });
  expect([code, data]).toMatchObject([
    4000,
    { errors: [{ field: 'create_end', msg: '结束日期 2026-11-24 早于开始日期 2026-11-27，请重新选择' }] },
  ]);
  const { admin } = app;
  expect((await admin.ask(audit.list, { query: { created_from: '2026-11-27', created_to: '2026-11-24' } })).code).toBe(
    4000,
  );
});
