import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import { designCalls } from '#modules/workflow/workflows/contract/design.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { tickets } from './contract.ts';
import { cannotCopy } from './contract/refusals.ts';
import { addFlow } from './testing/flow.ts';

let school: School;
let workflow_id: number;
const flow = (head: number): DefinitionInput => ({
  name: '采购',
  fields: [
    { id: 1, key: 'what', name: '物品', type: 5 },
    {
      id: 2,
      key: 'rows',
      name: '明细',
      type: 90,
      columns: [
        { key: 'price', name: '单价', type: 16 },
        { key: 'by', name: '经办人', type: 60 },
      ],
    },
    { id: 3, key: 'total', name: '总额', type: 16, formula: { op: 'sum', table: 'rows', column: 'price' } },
    { id: 4, key: 'supplier', name: '供应商', type: 5 },
    { id: 5, key: 'old', name: '旧编号', type: 5 },
    {
      id: 6,
      key: 'kind',
      name: '类别',
      type: 35,
      choices: [
        { value: 'a', label: '甲' },
        { value: 'b', label: '乙' },
      ],
    },
  ],
  settings: {
    title_template: '采购{what}',
    display_form: ['what'],
    number_rule: { prefix: 'CG', digits: 4, period: 'day' },
  },
  states: [
    {
      id: 1,
      key: 'start',
      name: '填写',
      kind: 'start',
      order: 1,
      access: { what: 2, rows: 3, total: 1, supplier: 4, old: 3, kind: 3 },
    },
    {
      id: 2,
      key: 'head',
      name: '部门审批',
      kind: 'approve',
      order: 2,
      participants: [{ type: 1, user: head }],
      access: { what: 1, supplier: 3 },
    },
    { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
  ],
  transitions: [
    { id: 1, key: 'save', name: '保存', source: 1, destination: 1, attribute: 3 },
    { id: 2, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
    { id: 3, key: 'agree', name: '同意', source: 2, destination: 3, attribute: 1 },
  ],
});
beforeAll(async () => {
  school = await openSchool();
  workflow_id = await addFlow(school.office, 'buying', flow(school.head.userId));
}, 60_000);
afterAll(() => school.office.close());

const filled = () => ({
  what: '投影仪',
  rows: [{ price: 12.5, by: school.colleague.username }],
  old: 'A-1',
  kind: 'b',
});
const begin = async (transition_id = 2) =>
  (await school.staff.get(tickets.start, { body: { workflow_id, transition_id, ...filled() } as never })).ticket_id;
const copy = (id: number, who = school.staff) => who.ask(tickets.copy, { params: { id } });
const copiesTo = async (id: number, who = school.staff) =>
  (await who.get(tickets.get, { params: { id } })).value.copies_to;

describe('a ticket copied from an own one', () => {
  test('begins with the creator’s own values and people’s names, without values that others wrote or that are computed', async () => {
    const id = await begin();
    await school.head.get(tickets.handle, {
      params: { id },
      body: { transition_id: 3, suggestion: '好', supplier: '某公司' } as never,
    });
    expect(await copiesTo(id)).toBe(workflow_id);
    const { data } = await copy(id);
    expect(data).toEqual({
      workflow_id,
      values: filled(),
      people: { [school.colleague.username]: '孙八' },
      left: 0,
    });
    const again = await school.staff.ask(tickets.start, {
      body: { workflow_id, transition_id: 2, ...data.values } as never,
    });
    expect(again.code, again.msg).toBe(0);
    const { value } = await school.staff.get(tickets.get, { params: { id: again.data.ticket_id } });
    expect([value.title, value.field_list.find((item) => item.field_key === 'total')!.field_value]).toEqual([
      '采购投影仪',
      12.5,
    ]);
  });

  test('cannot be made from a draft or from another person’s ticket', async () => {
    const [draft, sent] = [await begin(1), await begin()];
    expect(await copiesTo(draft)).toBeNull();
    expect(await copy(draft)).toRefuse(cannotCopy);
    expect(await copiesTo(sent, school.head)).toBeNull();
    expect(await copy(sent, school.head)).toRefuse(cannotCopy);
    expect((await copy(sent, school.stranger)).code).toBe(4004);
  });

  test('takes over only values whose fields still exist and accept them', async () => {
    const id = await begin();
    const { definition } = await school.office.admin.get(designCalls.get, { params: { id: workflow_id } });
    const fields = definition.fields
      .filter((field) => field.key !== 'old')
      .map((field) => (field.key === 'kind' ? { ...field, choices: field.choices.slice(0, 1) } : field));
    const states = definition.states.map((state) => {
      const { old: _old, ...access } = state.access;
      return { ...state, access };
    });
    await school.office.admin.get(designCalls.change, {
      params: { id: workflow_id },
      body: { definition: { ...definition, fields, states } },
    });
    const published = await school.office.admin.get(releaseCalls.publish, { params: { id: workflow_id }, body: {} });
    expect(published.problems).toEqual([]);
    const { what, rows } = filled();
    expect((await copy(id)).data.values).toEqual({ what, rows });
    await school.office.admin.get(designCalls.change, { params: { id: workflow_id }, body: { status: 0 } });
    expect((await copy(id)).code).toBe(4004);
  });
});
