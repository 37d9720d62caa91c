import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { workflows } from '#modules/workflows/contract.ts';
import { distributeType, onEmpty, participantType } from '#modules/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflows/tables.ts';
import { ticketActions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { addFlow } from './testing/flow.ts';
import { headAgrees, headRefuses, repairCast, save, submit } from './testing/repair.ts';

/*
 * What went wrong in the engine whose calls these are, as its users reported it: each test is named by the hole. Others have their test
 * where the deed is proved: split votes (engine/branches), two who accept (tickets), hand-over, added signers and mentions (actions),
 * answers from outside (answering), what a stranger reads (seeing), copied numbers (races).
 */

let office: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  office = await openTestOffice();
  cast = await repairCast(office);
}, 60_000);
afterAll(() => office.close());

const act = (who: Client, action: Exclude<keyof typeof ticketActions, 'batch'>, id: number, body: object = {}) =>
  who.ask(ticketActions[action] as typeof ticketActions.deliver, { params: { id }, body: body as never });
const count = async (table: string) =>
  Number((await office.db.$client.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]!.count);
const grant = (who: Client, workflow_id: number, permission: 'intervene' | 'admin') =>
  office.services.databases.write((tx) =>
    tx.insert(workflowGrantTable).values({ workflow_id, permission, holder_type: 'user', holder: String(who.userId) }),
  );
/** A workflow of one state that asks the head and two others in some way; its first button agrees. */
const flowOf = (key: string, distribution: object, more: object = {}): Promise<number> => {
  const { head, helper, second } = cast;
  const users = [head, helper, second].map((who) => who.userId);
  const definition: DefinitionInput = {
    name: key,
    fields: [{ id: 1, key: 'title', name: '标题', type: 5 }],
    settings: { display_form: ['title'] },
    states: [
      { id: 1, key: 'start', name: '开始', kind: 'start', order: 1, access: { title: 2 } },
      {
        id: 2,
        key: 'sign',
        name: '会签',
        kind: 'approve',
        order: 2,
        participants: [{ type: participantType.users, users }],
        distribution: distribution as never,
        actions: ['deliver'],
        ...more,
      },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { id: 1, key: 'save', name: '保存', source: 1, destination: 1, attribute: 3, field_require_check: false },
      { id: 2, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 3, key: 'agree', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: 4, key: 'refuse', name: '拒绝', source: 2, destination: 1, attribute: 2 },
    ],
  };
  return addFlow(office, key, definition);
};
const begun = async (workflow_id: number, title = '试') =>
  (await cast.staff.get(tickets.start, { body: { workflow_id, transition_id: submit, title } })).id;

describe('creating', () => {
  test('is one transaction: refused at its last step it leaves no ticket, log, message or number', async () => {
    const participants = [{ type: participantType.role, roles: ['nobody_at_all'] }];
    const flow = await flowOf('nobody', { type: distributeType.direct }, { participants, on_empty: onEmpty.refuse });
    const tables = ['ticket', 'ticket_log', 'msg', 'delivery', 'graphile_worker._private_jobs'];
    const before = await Promise.all(tables.map(count));
    const body = { workflow_id: flow, transition_id: submit, title: '试' };
    const refused = await cast.staff.ask(tickets.start, { body });
    expect([refused.code, refused.msg]).toEqual([-1, expect.stringContaining('找不到处理人')]);
    expect(await Promise.all(tables.map(count))).toEqual(before);
  });
});

describe('handling', () => {
  test('refuses a required field that is sent empty (only its presence was looked at)', async () => {
    const { id } = await cast.begin({ description: '' }, save);
    for (const description of ['', '   ', null])
      expect((await cast.does(cast.staff, id, submit, { description })).msg).toBe('说明：不能为空');
  });

  test('goes to the last handler where the state remembers them (the comparison never held)', async () => {
    const flow = await flowOf('remembers', { type: distributeType.claim }, { remember_last: true });
    const id = await begun(flow);
    await act(cast.helper, 'comment', id, { suggestion: '我来' });
    await cast.helper.get(tickets.accept, { params: { id }, body: {} });
    await cast.does(cast.helper, id, 4, { suggestion: '请补充' });
    await cast.does(cast.staff, id, submit);
    const { participant_info } = await cast.detail(cast.staff, id);
    expect(participant_info.participant).toBe(cast.username(cast.helper));
  });

  test('draws one whole person by lot (a character of the list was drawn)', async () => {
    const flow = await flowOf('by_lot', { type: distributeType.random });
    const drawn = new Set<string>();
    for (let turn = 0; turn < 6; turn++) {
      const { participant_info } = await cast.detail(cast.staff, await begun(flow));
      drawn.add(participant_info.participant);
    }
    const names = [cast.head, cast.helper, cast.second].map(cast.username);
    expect([...drawn].filter((name) => !names.includes(name))).toEqual([]);
  });

  test('keeps the slot and vote of a task that was handed over among all (the table of votes kept the old name)', async () => {
    const id = await begun(await flowOf('all_sign', { type: distributeType.all, reject_rule: 1, pass_ratio: 100 }));
    expect((await act(cast.head, 'deliver', id, { target_username: cast.username(cast.helper) })).code).not.toBe(0);
    await act(cast.head, 'deliver', id, { target_username: cast.username(cast.leader) });
    for (const who of [cast.leader, cast.helper]) expect((await cast.does(who, id, 3)).data.act_state).toBe(1);
    expect((await cast.does(cast.head, id, 3)).code).toBe(4010);
    expect((await cast.does(cast.second, id, 3)).data.act_state).toBe(4);
  });

  test('takes no column of the ticket as a field, from whoever has the task or intervenes (any program could write them)', async () => {
    const { id } = await cast.begin({ amount: 300 });
    for (const field of ['state_id', 'participant', 'creator', 'is_deleted', 'act_state', 'sn'])
      expect((await cast.does(cast.head, id, headAgrees, { [field]: 1 })).msg).toBe(`${field}：当前环节没有这个字段`);
    const written = await office.admin.fetch(`/api/tickets/${id}/fields/`, { method: 'PATCH', body: '{"state_id":4}' });
    expect(written.status).toBe(404);
    expect((await cast.detail(cast.staff, id)).state_id).toBe(2);
  });
});

describe('going back', () => {
  test('by its creator clears votes and added signers, tells whom it disturbs, and is logged where it was', async () => {
    const { head, helper, staff } = cast;
    const { id } = await cast.begin({ amount: 300 });
    await act(head, 'addNode', id, { target_username: [cast.username(helper)] });
    await act(staff, 'retreat', id);
    const { value } = await staff.get(tickets.flowlogs, { params: { id } });
    expect([value.at(-1)!.intervene_type_id, value.at(-1)!.state.state_id]).toEqual([10, 2]);
    const { rows } = await office.db.$client.query<{ user_id: number }>(
      'select user_id from msg m join msg_user u on u.msg_id = m.id where m.object_id = $1 and m.event like $2',
      [id, '%WITHDRAWN%'],
    );
    expect(rows.map((row) => row.user_id)).toContain(helper.userId);
  });
});

describe('intervening', () => {
  test('asks for the grant of this workflow, and can_intervene says the same (anybody’s grant anywhere counted)', async () => {
    const { second, helper, repair, leave: other } = cast;
    await grant(second, other, 'admin');
    await grant(helper, repair, 'intervene');
    const may = async (who: Client, id: number) =>
      (await who.get(workflows.canIntervene, { params: { id } })).can_intervene;
    expect([await may(second, repair), await may(second, other)]).toEqual([false, true]);
    expect([await may(helper, repair), await may(helper, other)]).toEqual([true, false]);
  });

  test('by force of a state works the act state out anew and asks its people, who find it in their lists', async () => {
    const { head, helper, leader, staff } = cast;
    const { id } = await cast.begin({ amount: 300 });
    await cast.does(head, id, headRefuses);
    expect((await cast.detail(staff, id)).act_state_id).toBe(2);
    const to = { state_id: 3, suggestion: '直接审批', target_username: [cast.username(leader)] };
    expect((await act(helper, 'state', id, to)).data.act_state).toBe(1);
    for (const category of ['duty', 'relation'] as const) {
      const { value } = await leader.get(tickets.list, { query: { category, ticket_ids: String(id) } as never });
      expect([category, value.map((row) => row.id)]).toEqual([category, [id]]);
    }
    expect((await act(helper, 'state', id, { state_id: 5, suggestion: '直接办结' })).data.act_state).toBe(4);
  });

  test('by closing leaves no task, vote, added signer or timer', async () => {
    const { head, helper } = cast;
    const { id } = await cast.begin({ amount: 300 });
    await act(head, 'addNode', id, { target_username: [cast.username(cast.leader)] });
    expect((await act(helper, 'close', id, { suggestion: '不修了' })).data.act_state).toBe(5);
    const left = await office.db.$client.query<{ tasks: number; tokens: number; clocks: number }>(
      `select (select count(*)::int from ticket_task where ticket_id = $1 and status in ('todo', 'waiting')) as tasks,
        (select count(*)::int from ticket_token where ticket_id = $1 and status <> 'done') as tokens,
        (select count(*)::int from ticket_token where ticket_id = $1 and status = 'active' and timer_at is not null) as clocks`,
      [id],
    );
    expect(left.rows).toEqual([{ tasks: 0, tokens: 0, clocks: 0 }]);
  });
});
