import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';

let school: School;
let workflow_id: number;
const field = (key: string) => ({ op: 'field' as const, field: key });
const over = { op: 'gt' as const, field: 'total', value: 1000 };
/** Above a thousand the leader decides after the head, and a reason is required; also above a limit that the head does not see. */
const expense = (head: number, leader: number): DefinitionInput => ({
  name: '报销',
  fields: [
    {
      id: 1,
      key: 'rows',
      name: '明细',
      type: 90,
      columns: [
        { key: 'price', name: '单价', type: 16 },
        { key: 'count', name: '数量', type: 10 },
        { key: 'cost', name: '小计', type: 16, formula: { op: 'mul', of: [field('price'), field('count')] } },
      ],
    },
    { id: 2, key: 'total', name: '总额', type: 16, formula: { op: 'sum', table: 'rows', column: 'cost' } },
    { id: 3, key: 'capital', name: '大写', type: 5, formula: { op: 'capitals', of: [field('total')] } },
    { id: 4, key: 'reason', name: '超额说明', type: 5, shown_when: over, required_when: over },
    { id: 5, key: 'budget', name: '预算', type: 16 },
    { id: 6, key: 'phone', name: '联系电话', type: 6 },
    { id: 7, key: 'person', name: '身份证号', type: 7 },
    { id: 8, key: 'stars', name: '满意度', type: 12 },
    { id: 9, key: 'hint', name: '说明', type: 1, description: '附发票' },
  ],
  settings: {
    title_template: '报销{total}元',
    number_rule: { prefix: 'BX', digits: 4, period: 'day' },
    display_form: ['total'],
    checks: [{ left: field('budget'), op: 'gte', right: field('total'), message: '总额超过了预算' }],
  },
  states: [
    {
      id: 1,
      key: 'start',
      name: '填写',
      kind: 'start',
      order: 1,
      access: { rows: 2, total: 1, capital: 1, reason: 3, budget: 3, phone: 3, person: 3, stars: 3, hint: 2 },
    },
    {
      id: 2,
      key: 'head',
      name: '部门审批',
      kind: 'approve',
      order: 2,
      participants: [{ type: 1, user: head }],
      access: { rows: 1, total: 1 },
    },
    {
      id: 3,
      key: 'leader',
      name: '领导审批',
      kind: 'approve',
      order: 3,
      participants: [{ type: 1, user: leader }],
      access: { rows: 1 },
    },
    { id: 4, key: 'end', name: '结束', kind: 'end', order: 4 },
  ],
  transitions: [
    { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
    {
      id: 2,
      key: 't2',
      name: '同意',
      source: 2,
      destination: 4,
      attribute: 1,
      conditions: [
        {
          expression: { op: 'and', of: [over, { op: 'not_empty', field: 'budget' }] },
          target_state_id: 3,
        },
        { expression: over, target_state_id: 3 },
      ],
    },
    { id: 3, key: 't3', name: '同意', source: 3, destination: 4, attribute: 1 },
  ],
});
beforeAll(async () => {
  school = await openSchool();
  workflow_id = await addFlow(school.office, 'expense', expense(school.head.userId, school.leader.userId));
}, 180_000);
afterAll(() => school.office.close());

const start = (fields: object) =>
  school.staff.ask(tickets.start, { body: { workflow_id, transition_id: 1, ...fields } as never });
const row = { price: 600.1, count: 2 };

test('computed fields are calculated by the server, whatever the browser sends for them', async () => {
  const { data, msg, code } = await start({
    rows: [{ ...row, cost: 1 }],
    total: 5,
    capital: '一分',
    reason: '展会',
    stars: 4,
  });
  expect(code, msg).toBe(0);
  const {
    value: { field_list, title },
  } = await school.staff.get(tickets.get, { params: { id: data.ticket_id } });
  const value = (key: string) => field_list.find((item) => item.field_key === key)?.field_value;
  expect([title, value('total'), value('capital')]).toEqual(['报销1,200.20元', 1200.2, '人民币壹仟贰佰元零贰角整']);
  expect(value('rows')).toEqual([{ ...row, cost: 1200.2 }]);
});

test('a conditional field is required while its condition holds, and is empty while it is not shown', async () => {
  const { msg } = await start({ rows: [row] });
  expect(msg).toContain('超额说明');
  const small = await start({ rows: [{ price: 1, count: 1 }], reason: '留下的字' });
  const {
    value: { field_list },
  } = await school.staff.get(tickets.get, { params: { id: small.data.ticket_id } });
  expect(field_list.find((item) => item.field_key === 'reason')?.field_value ?? null).toBe(null);
});

test('a failed check across fields answers with its own message, and is skipped while a field is missing', async () => {
  expect((await start({ rows: [{ price: 10, count: 1 }], budget: 9.99 })).msg).toContain('总额超过了预算');
  expect((await start({ rows: [{ price: 10, count: 1 }], budget: 10 })).code).toBe(0);
});

test('phone, identity number, amount and rating fields refuse malformed values, and an explanatory text cannot be filled in', async () => {
  const says = async (fields: object) => (await start({ rows: [{ price: 1, count: 1 }], ...fields })).msg;
  expect(await says({ phone: '12345' })).toContain('手机号');
  expect(await says({ person: '11010519491231002Y' })).toContain('身份证号不正确');
  expect(await says({ person: '110105194912310021' })).toContain('身份证号不正确');
  expect(await says({ stars: 6 })).toContain('不能大于 5');
  expect(await says({ budget: -1 })).toContain('不能小于 0');
  expect(await says({ budget: 1.005 })).toContain('最多 2 位小数');
  expect(await says({ hint: 'x' })).toContain('不能填写');
  for (const [phone, person] of [
    ['13800138000', '11010519491231002x'],
    ['+86 138 0013 8000', '110105 19491231 002x'],
    ['１３８００１３８０００', '１１０１０５１９４９１２３１００２ｘ'],
  ]) {
    const good = await start({ rows: [row], reason: '展会', phone, person });
    expect(good.code, good.msg).toBe(0);
    const { value } = await school.staff.get(tickets.get, { params: { id: good.data.ticket_id } });
    const kept = (key: string) => value.field_list.find((field) => field.field_key === key)?.field_value;
    // Stored in one format, however it was typed.
    expect([kept('phone'), kept('person')]).toEqual(['13800138000', '11010519491231002X']);
  }
});

test('the log says which condition and values led to a state and why its people are asked, without fields the reader may not see', async () => {
  const { data } = await start({ rows: [row], reason: '展会', budget: 5000 });
  const id = data.ticket_id;
  await school.head.get(tickets.handle, { params: { id }, body: { transition_id: 2, suggestion: '好' } });
  const reasons = async (who: typeof school.staff) =>
    (await who.get(tickets.flowlogs, { params: { id }, query: { desc: true } })).value[0]!.reasons;
  expect(await reasons(school.staff)).toEqual([
    '符合条件“总额 大于 1000 且 预算 不为空”（当时总额为 1,200.20，预算为 5,000.00），转到“领导审批”',
    '“领导审批”由 王五 办理，办理人：流程指定的人',
  ]);
  // The head has never seen the budget.
  expect((await reasons(school.head))[0]).toBe('符合条件，转到“领导审批”');
});

test('a form does not reveal the fields from which a value is computed if they are hidden', async () => {
  const { field_list } = await school.staff.get(workflows.initState, { params: { id: workflow_id } });
  expect(field_list.find((item) => item.field_key === 'total')?.formula).toEqual({
    op: 'sum',
    table: 'rows',
    column: 'cost',
  });
  const { data } = await start({ rows: [row], reason: '展会' });
  const { value: seen } = await school.head.get(tickets.get, { params: { id: data.ticket_id } });
  expect(seen.field_list.map((item) => [item.field_key, item.formula !== null])).toEqual([
    ['rows', false],
    ['total', true],
  ]);
});
