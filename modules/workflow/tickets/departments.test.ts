import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

let school: School;
let workflow_id: number;
const way = (id: number, source: number, destination: number, more: object = {}) => ({
  id,
  key: `t${id}`,
  name: '同意',
  source,
  destination,
  attribute: 1 as const,
  ...more,
});
/** The heads of the departments that a form names decide. */
const flow = (library: number): DefinitionInput => ({
  name: '借用',
  fields: [
    { id: 1, key: 'owner', name: '管理部门', type: 65 },
    { id: 2, key: 'others', name: '相关部门', type: 75, max: 2 },
    { id: 3, key: 'rows', name: '明细', type: 90, columns: [{ key: 'from', name: '来自', type: 65 }] },
  ],
  settings: {
    title_template: '借用{owner}的设备',
    content_template: '{title}，另有{others}',
    number_rule: { prefix: 'JY', digits: 4, period: 'day' },
    display_form: ['owner', 'others', 'rows'],
  },
  states: [
    { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { owner: 2, others: 3, rows: 3 } },
    {
      id: 2,
      key: 'heads',
      name: '部门审批',
      kind: 'approve',
      order: 2,
      participants: [
        { type: 6, field: 'owner' },
        { type: 6, field: 'others' },
      ],
      distribution: { type: 4, reject_rule: 1 },
      on_empty: 4,
      access: { owner: 1, others: 1 },
    },
    { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
  ],
  transitions: [
    way(1, 1, 2, {
      conditions: [
        { expression: { op: 'eq', field: 'owner', value: library }, target_state_id: 2 },
        { expression: { op: 'contains', field: 'others', value: library }, target_state_id: 2 },
      ],
    }),
    way(2, 2, 3),
  ],
});

beforeAll(async () => {
  school = await openSchool();
  workflow_id = await addFlow(school.office, 'lending', flow(school.elsewhere));
}, 180_000);
afterAll(() => school.office.close());

const start = (fields: object) =>
  school.staff.ask(tickets.start, { body: { workflow_id, transition_id: 1, ...fields } as never });

test('departments are chosen in a form by name, and their heads become handlers', async () => {
  const { dept, elsewhere, staff, head, librarian } = school;
  const { data, code } = await start({ owner: elsewhere, others: [dept], rows: [{ from: dept }] });
  expect(code).toBe(0);
  const { value } = await staff.get(tickets.get, { params: { id: data.id } });
  expect(value.title).toBe('借用图书馆的设备');
  const shown = (key: string) => value.field_list.find((field) => field.field_key === key)!;
  expect([shown('owner').field_display, shown('others').field_display]).toEqual(['图书馆', '教务处']);
  expect(shown('rows').field_people).toEqual({ [`dept:${dept}`]: '教务处' });
  expect(value.participant_info.participant_alias.split('、').toSorted()).toEqual(['周馆长', '李四'].toSorted());
  const agree = { params: { id: data.id }, body: { transition_id: 2 } };
  expect((await librarian.get(tickets.handle, agree)).act_state).toBe(1);
  expect((await head.get(tickets.handle, agree)).act_state).toBe(4);
});

test('an unknown department, or more departments than the field allows, is refused with the field’s name', async () => {
  const { dept, below, elsewhere } = school;
  expect((await start({ owner: 999_999 })).msg).toBe('管理部门：所选部门已不存在，请重新选择');
  expect((await start({ owner: '图书馆' })).msg).toBe('管理部门：请选择部门');
  expect((await start({ owner: dept, others: [dept, below, elsewhere] })).msg).toBe('相关部门：最多 2 项，现在有 3 项');
  expect((await start({ owner: dept, others: [dept, dept] })).msg).toBe('相关部门：不能重复');
});

test('publishing reports heads asked of a field that is no department, and a department compared with text', () => {
  const wrong = flow(1);
  const problems = (definition: DefinitionInput) => publishProblems(Definition.parse(definition)).map((one) => one.msg);
  expect(
    problems({
      ...wrong,
      fields: wrong.fields!.map((field) => ({ ...field, type: field.id === 1 ? 60 : field.type })),
    }),
  ).toContain('环节“部门审批”的办理人字段“管理部门”不是部门字段');
  const [first, ...rest] = wrong.transitions;
  const conditions = [{ expression: { op: 'eq' as const, field: 'owner', value: '图书馆' }, target_state_id: 2 }];
  expect(problems({ ...wrong, transitions: [{ ...first!, conditions }, ...rest] })).toContain(
    '环节“填写”的流转“同意”的条件里，字段“管理部门”不能与“图书馆”比较，请选择部门',
  );
});
