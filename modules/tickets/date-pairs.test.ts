import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { publishProblems } from '#modules/workflows/engine/check/publish-check.ts';
import { fieldType } from '#modules/workflows/engine/codes.ts';
import { Definition } from '#modules/workflows/engine/definition.ts';
import { leave } from '#modules/workflows/engine/gallery/leave.ts';
import { workflows } from '#modules/workflows/contract.ts';
import { audit } from '#modules/audit/contract.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

const [save, submit] = [1, 2];
let app: TestOffice;
let who: Client;
let workflow_id: number;
beforeAll(async () => {
  app = await openTestApp();
  who = await app.clerk({ 'ticket/new': ['Create'] }, { dept: await app.dept(), dataScope: 5 });
  workflow_id = (await who.get(workflows.list)).value.find((flow) => flow.key === 'leave')!.id;
}, 180_000);
afterAll(() => app.close());

const ask = (more: object, transition_id = submit) =>
  who.ask(tickets.start, {
    body: {
      workflow_id,
      transition_id,
      kind: 'personal',
      reason: '家中有事',
      from: '2026-11-24',
      to: '2026-11-27',
      ...more,
    },
  });
const daysOf = async (id: number) =>
  (await who.get(tickets.get, { params: { id } })).value.field_list.find((item) => item.field_key === 'days')!
    .field_value;

test('a leave that ends before it begins is refused at the end, drafts too', async () => {
  for (const way of [submit, save]) {
    const { code, data } = await ask({ from: '2026-11-27', to: '2026-11-24', days: 1 }, way);
    expect([code, data]).toEqual([4000, { errors: [{ field: 'to', label: '结束日期', msg: '不能早于“开始日期”' }] }]);
  }
  expect((await ask({ from: '2026-11-24', to: '2026-11-24', days: 1 })).code).toBe(0);
});

test('its days are counted, both ends with them: fewer may be written, more are refused', async () => {
  const counted = await ask({});
  expect(await daysOf(counted.data.id)).toBe(4);
  const half = await ask({ days: 0.5 });
  expect(await daysOf(half.data.id)).toBe(0.5);
  const { code, data } = await ask({ days: 5 });
  expect([code, data]).toEqual([
    4000,
    { errors: [{ field: 'days', label: '天数', msg: '“开始日期”到“结束日期”共 4 天，不能填 5 天' }] },
  ]);
});

test('a draft that is sent later meets the same', async () => {
  const { data } = await ask({ days: 4 }, save);
  const handle = (more: object) =>
    who.ask(tickets.handle, { params: { id: data.id }, body: { transition_id: submit, suggestion: '', ...more } });
  expect((await handle({ to: '2026-11-23' })).data).toMatchObject({ errors: [{ field: 'to' }] });
  expect((await handle({ to: '2026-11-25' })).data).toMatchObject({ errors: [{ field: 'days' }] });
  expect((await handle({ to: '2026-11-25', days: 2 })).code).toBe(0);
});

const trips = (columns: object[]) => ({ id: 9, key: 'trips', name: '行程', type: fieldType.table, columns });
const out = { key: 'out', name: '出发', type: fieldType.date };
const back = { key: 'back', name: '返回', type: fieldType.date, not_before: 'out' };
const nights = { key: 'nights', name: '天数', type: fieldType.int, days_between: { from: 'out', to: 'back' } };

test('in the rows of a table a date is held to the other, and days are counted; the row and the column are named', async () => {
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
  expect(await told({ out: row.out })).toEqual(error('请填写第 1 行“天数”'));
  const { data } = await send(row, { ...row, nights: 2 });
  const { field_list } = (await who.get(tickets.get, { params: { id: data.id } })).value;
  expect(field_list.find((item) => item.field_key === 'trips')!.field_value).toEqual([
    { ...row, nights: 4 },
    { ...row, nights: 2 },
  ]);
});

test('publishing asks that the dates a column hangs on are dates of its table', () => {
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

test('publishing asks that the dates a field hangs on are dates', () => {
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

test('a list that is asked for a period which ends before it begins says so', async () => {
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
