import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSchool, type School } from '#apps/server/testing/school.ts';
import type { Client } from '#apps/server/testing.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { addFlow } from './testing/flow.ts';

let school: School;
let workflow_id: number;
/** The head sees the purpose, the leader the amount; the worker can return it. The secret is visible to the applicant only. */
const purchase = ({ head, leader, worker }: School): DefinitionInput => ({
  name: '采购',
  fields: [
    { id: 1, key: 'use', name: '用途', type: 5 },
    { id: 2, key: 'amount', name: '金额', type: 16 },
    { id: 3, key: 'secret', name: '底价', type: 16 },
    {
      id: 4,
      key: 'total',
      name: '合计',
      type: 16,
      formula: {
        op: 'add',
        of: [
          { op: 'field', field: 'amount' },
          { op: 'field', field: 'secret' },
        ],
      },
    },
  ],
  settings: { title_template: '采购', number_rule: { prefix: 'CG', digits: 4, period: 'day' } },
  states: [
    { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { use: 3, amount: 3, secret: 3, total: 2 } },
    ...(
      [
        ['head', head, { use: 1 }],
        ['leader', leader, { amount: 1 }],
        ['buyer', worker, { use: 1 }],
      ] as const
    ).map(([key, { userId: user }, access], index) => ({
      id: index + 2,
      key,
      name: key,
      kind: 'approve' as const,
      order: index + 2,
      participants: [{ type: 1 as const, user }],
      access,
      actions: ['return' as const, 'retreat' as const],
      keep_unchanged: key !== 'buyer',
    })),
    { id: 5, key: 'end', name: '结束', kind: 'end', order: 5 },
  ],
  transitions: [
    { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
    { id: 2, key: 't2', name: '同意', source: 2, destination: 3, attribute: 1 },
    { id: 3, key: 't3', name: '同意', source: 3, destination: 4, attribute: 1 },
    { id: 4, key: 't4', name: '同意', source: 4, destination: 5, attribute: 1 },
  ],
});
beforeAll(async () => {
  school = await openSchool();
  workflow_id = await addFlow(school.office, 'purchase', purchase(school));
}, 180_000);
afterAll(() => school.office.close());

const handle = (who: Client, id: number, transition_id: number, fields: object = {}) =>
  who.get(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...fields } });
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const holder = async (id: number) => (await detail(school.staff, id)).participant_info.participant_alias;

async function returned(fields: object): Promise<number> {
  const { head, leader, staff, worker } = school;
  const body = { workflow_id, transition_id: 1, ...fields };
  const { ticket_id: id } = await staff.get(tickets.start, { body });
  await handle(head, id, 2);
  await handle(leader, id, 3);
  await worker.get(ticketActions.giveBack, { params: { id }, body: { state_id: 1, suggestion: '请改' } });
  return id;
}

test('after a return only people for whom something visible changed are asked again, and they are shown the change', async () => {
  const { leader, staff, worker, head } = school;
  const id = await returned({ use: '电脑', amount: 5000, secret: 4000 });
  await handle(staff, id, 1, { amount: 6000, secret: 4500 });
  expect(await holder(id)).toBe((await detail(leader, id)).participant_info.participant_alias);
  const { since_decided, field_list } = await detail(leader, id);
  expect(since_decided).toEqual({ was: { amount: 5000 }, people: {} });
  expect(field_list.map((item) => [item.field_key, item.field_value])).toEqual([['amount', 6000]]);
  expect((await detail(head, id)).since_decided, 'nothing waits for who is not asked').toBe(null);
  const { value } = await staff.get(tickets.flowlogs, {
    params: { id },
    query: { per_page: 50, order_by: 'seq' } as never,
  });
  const kept = value.find((row) => row.action === 'keep');
  expect(kept?.transition.transition_name).toBe('沿用原意见');
  expect(kept?.reasons.join()).toContain('看到的内容没有变化，沿用原来的意见');
  await handle(leader, id, 3);
  expect((await detail(worker, id)).since_decided).toEqual({ was: {}, people: {} });
  expect(
    (await worker.ask(tickets.handle, { params: { id }, body: { transition_id: 4, suggestion: '好' } })).data.act_state,
  ).toBe(4);
});

test('an unchanged returned ticket goes straight back to the person who returned it, and may still be withdrawn', async () => {
  const { staff, worker } = school;
  const id = await returned({ use: '电脑', amount: 5000 });
  await handle(staff, id, 1);
  expect((await detail(worker, id)).transitions.some((offer) => offer.code === 'approve')).toBe(true);
  const seen = await detail(staff, id);
  expect(seen.actions).toContain('retreat');
});

test('a required computed field may stay empty, since nobody could fill it in', async () => {
  const { code, msg } = await school.staff.ask(tickets.start, { body: { workflow_id, transition_id: 1, use: '纸' } });
  expect(code, msg).toBe(0);
});
