import { afterAll, describe, expect, test } from 'vitest';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { releaseCalls } from './contract/release.ts';
import { openPublishing, withSecond } from './testing/publishing.ts';

const { keeper, staff, head, leader, publish, flow, edit, begin, does, close } = await openPublishing();
afterAll(close);

describe('moving tickets to the published version', () => {
  test('first reports what would happen to each, then moves those that can be moved', async () => {
    const id = await flow(withSecond({ participants: [{ type: 5, variable: 'dept_ld' }] }));
    await publish(id);
    const [first, second, over] = [await begin(id, '甲'), await begin(id, '乙'), await begin(id, '丙')];
    await does(head, second.id, 3);
    for (const who of [head, leader]) await does(who, over.id, who === head ? 3 : 5);
    await edit(id, (definition) => ({
      ...definition,
      states: definition.states
        .filter((state) => state.key !== 'second')
        .map((state) => (state.key === 'approve' ? { ...state, name: '部门审批' } : state)),
      transitions: definition.transitions
        .filter((one) => one.key !== 'agree2')
        .map((one) => (one.key === 'agree' ? { ...one, destination: 3 } : one)),
    }));
    await publish(id);
    const ask = (body: object) => keeper.get(releaseCalls.migrate, { params: { id }, body });
    const dry = await ask({});
    expect(dry).toMatchObject({ dry_run: true, to_no: 2, total: 2, can_move: 1, moved: 0, next_after: null });
    expect(dry.value.map(({ ticket_id, can_move, moved, msgs }) => [ticket_id, can_move, moved, msgs])).toEqual([
      [first.id, true, false, ['当前环节“审批”改名为“部门审批”']],
      [second.id, false, false, ['当前环节“复审”在新版本里没有了，请选择对应的新环节，或先办完这个环节']],
    ]);
    const before = (await staff.get(tickets.get, { params: { id: first.id } })).value.version;
    const done = await ask({ dry_run: false, ticket_ids: [first.id, second.id, over.id] });
    expect([done.moved, done.value[0]!.moved, done.value[1]!.moved]).toEqual([1, true, false]);
    const seen = (await staff.get(tickets.get, { params: { id: first.id } })).value;
    expect([seen.version, seen.state.state_name]).toEqual([before + 1, '部门审批']);
    const { value: log } = await staff.get(tickets.flowlogs, { params: { id: first.id } });
    expect(log.map((row) => [row.action, row.suggestion]).at(-1)).toEqual(['migrate', '流程从第 1 版改到第 2 版']);
    expect((await ask({})).total).toBe(1);
    expect((await does(head, first.id, 3)).data.act_state).toBe(4);
    expect((await does(leader, second.id, 5)).data.act_state).toBe(4);
    expect((await keeper.ask(releaseCalls.migrate, { params: { id }, body: { from_no: 2 } })).msg).toBe(
      '第 2 版不存在，请刷新后重新选择',
    );
    expect((await keeper.ask(releaseCalls.migrate, { params: { id: await flow() }, body: {} })).msg).toBe(
      '流程还没有发布，没有可以迁移到的版本',
    );
  });

  test('keeps both a decision and a move that happen at once', async () => {
    const id = await flow();
    await publish(id);
    const ids = [];
    for (let n = 0; n < 4; n++) ids.push((await begin(id)).id);
    await edit(id, (definition) => ({ ...definition, settings: { ...definition.settings, content_template: '新' } }));
    await publish(id);
    const [moved] = await Promise.all([
      keeper.get(releaseCalls.migrate, { params: { id }, body: { dry_run: false } }),
      ...ids.map((ticket) => does(head, ticket, 3)),
    ]);
    for (const ticket of ids) {
      const { value } = await staff.get(tickets.flowlogs, { params: { id: ticket } });
      const row = moved.value.find((one) => one.ticket_id === ticket);
      expect(value.map((one) => one.seq)).toEqual(value.map((_one, index) => index + 1));
      expect(value.filter((one) => one.action === 'migrate').length).toBe(row?.moved ? 1 : 0);
      expect((await staff.get(tickets.get, { params: { id: ticket } })).value.act_state_id).toBe(4);
    }
  });
});
