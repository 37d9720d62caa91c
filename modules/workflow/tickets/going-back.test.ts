import { afterAll, describe, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { tickets } from './contract.ts';
import { headAgrees, leaderAgrees, repairCast, submit } from './testing/repair.ts';

const app = await openTestApp();
const cast = await repairCast(app);
const { act, codesOf, offerOf, waiting } = cast;
afterAll(() => app.close());

describe('returning a ticket', () => {
  test('is offered to states visited in this round, needs an opinion, and comes straight back if nothing important changed', async () => {
    const { head, leader, staff } = cast;
    const id = await waiting({ amount: 6000 });
    await cast.does(head, id, headAgrees);
    const offer = await offerOf(leader, id, 'return');
    expect(offer.states.map((state) => state.state_name)).toEqual(['提交', '部门负责人审批']);
    expect((await act(leader, 'giveBack', id, { state_id: 2, suggestion: ' ' })).code).toBe(4000);
    expect((await act(leader, 'giveBack', id, { state_id: 4, suggestion: '退回' })).msg).toMatch(
      /^不能退回到“.+”，现在可以退回到的环节有“提交”、“部门负责人审批”/,
    );
    await act(leader, 'giveBack', id, { state_id: offer.states[0]!.state_id, suggestion: '请补充', resubmit_mode: 2 });
    expect((await cast.detail(staff, id)).act_state_id).toBe(2);
    expect((await cast.does(staff, id, submit)).code).toBe(0);
    expect([await cast.duties(leader), await cast.duties(head)].map((list) => list.includes(id))).toEqual([
      true,
      false,
    ]);
    await act(leader, 'giveBack', id, { state_id: offer.states[0]!.state_id, suggestion: '再改', resubmit_mode: 2 });
    await cast.does(staff, id, submit, { amount: 9000 });
    expect([await cast.duties(leader), await cast.duties(head)].map((list) => list.includes(id))).toEqual([
      false,
      true,
    ]);
    const { value } = await staff.get(tickets.flowlogs, { params: { id }, query: { per_page: 50 } });
    expect(value.at(-1)!.reasons).toContain('重要内容有改动，不再直接回到“分管领导审批”');
  });

  test('is refused with its possible targets, not as too late, to somebody who returned the ticket before', async () => {
    const { head, leader, staff } = cast;
    const id = await waiting({ amount: 6000 });
    await cast.does(head, id, headAgrees);
    await act(leader, 'giveBack', id, { state_id: 1, suggestion: '请补充', resubmit_mode: 2 });
    await cast.does(staff, id, submit);
    const to = async (state_id: number) => (await act(leader, 'giveBack', id, { state_id, suggestion: '再退' })).msg;
    expect(await to(99)).toContain('里没有编号为 99 的环节');
    for (const state_id of [3, 4]) expect(await to(state_id)).toMatch(/^不能退回到“.+”，现在可以退回到/);
    // A decision that was made before is still reported as made.
    expect((await cast.does(head, id, headAgrees)).msg).toContain('已在');
  });

  test('by withdrawal is open to the creator where the state allows, and clears votes and added signers', async () => {
    const { head, helper, leader, staff } = cast;
    const id = await waiting({ amount: 6000 });
    await act(head, 'addNode', id, { target_username: [cast.username(helper)] });
    expect((await act(staff, 'retreat', id)).msg).toBe('已撤回');
    const seen = await cast.detail(staff, id);
    expect([seen.act_state_id, seen.in_add_node, seen.participant_info.participant_alias]).toEqual([3, false, '张三']);
    expect([await cast.duties(head), await cast.duties(helper)].flat()).not.toContain(id);
    await cast.does(staff, id, submit);
    expect((await cast.does(head, id, headAgrees)).code).toBe(0);
    expect(await codesOf(staff, id)).not.toContain('retreat');
    expect((await act(staff, 'retreat', id)).code).toBe(4010);
    expect(await cast.duties(leader)).toContain(id);
  });

  test('by retreat takes back a handler’s own last decision until somebody else acts', async () => {
    const { head, leader } = cast;
    const id = await waiting({ amount: 6000 });
    await cast.does(head, id, headAgrees);
    expect(await codesOf(head, id)).toContain('retreat');
    expect((await act(leader, 'retreat', id)).code).toBe(4010);
    expect((await act(head, 'retreat', id)).code).toBe(0);
    expect([await cast.duties(head), await cast.duties(leader)].map((list) => list.includes(id))).toEqual([
      true,
      false,
    ]);
    await cast.does(head, id, headAgrees);
    await cast.does(leader, id, leaderAgrees);
    const late = await act(head, 'retreat', id);
    expect([late.code, late.msg]).toEqual([4010, expect.stringMatching(/^王五已在 .*“同意”/)]);
  });
});
