import { afterAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client } from '#apps/server/testing.ts';
import { tooMany } from '#kernel/contract/refusal.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { finish, headAgrees, repairCast, save } from './testing/repair.ts';

const app = await openTestApp();
const cast = await repairCast(app);
const { act, to, codesOf, waiting } = cast;
afterAll(() => app.close());

const logOf = async (id: number) =>
  (await app.db.$client.query('select action, intervene_type from ticket_log where ticket_id = $1 order by seq', [id]))
    .rows as { action: string; intervene_type: number }[];

describe('handing a task over', () => {
  test('gives the task and its vote to another person, and the log names that person', async () => {
    const { head, helper, staff } = cast;
    const id = await waiting();
    expect((await act(head, 'deliver', id, { target_username: 'nobody_at_all' })).msg).toBe(
      '用户：用户“nobody_at_all”不存在或已停用',
    );
    expect((await act(head, 'deliver', id, to(head))).msg).toBe('用户：不能选择自己，请选择他人');
    expect((await act(head, 'deliver', id, to(staff))).msg).toContain('是工单的发起人，不能审批自己的工单');
    expect((await act(head, 'deliver', id, to(helper, { suggestion: '请代为处理' }))).msg).toBe('已转交');
    expect(await cast.duties(head)).not.toContain(id);
    expect(await cast.duties(helper)).toContain(id);
    const { value } = await staff.get(tickets.flowlogs, { params: { id } });
    expect([value.at(-1)!.reasons, value.at(-1)!.intervene_type_id]).toEqual([['转交给 孙八'], 1]);
    const late = await cast.does(head, id, headAgrees);
    expect([late.code, late.msg]).toEqual([4010, expect.stringMatching(/^您已在 .*“转交”/)]);
    expect((await cast.does(helper, id, headAgrees)).code).toBe(0);
    expect((await head.get(tickets.list, { query: { category: 'worked' } })).value.map((row) => row.id)).toContain(id);
  });

  test('writes no form field, whatever its body carries', async () => {
    const id = await waiting();
    await act(cast.head, 'deliver', id, to(cast.helper, { amount: 1, act_state: 4, creator: 'x', is_deleted: true }));
    const seen = await cast.detail(cast.staff, id);
    expect([seen.act_state_id, seen.field_list.find((field) => field.field_key === 'amount')?.field_value]).toEqual([
      1, 300,
    ]);
  });

  test('as a delegation asks the other person first and brings the task back with the answer', async () => {
    const { head, helper } = cast;
    const id = await waiting();
    expect((await act(head, 'delegate', id, to(helper))).code).toBe(0);
    expect((await cast.offerOf(helper, id, 'add_node_end')).transition_name).toBe('回复委派');
    expect((await cast.detail(helper, id)).in_add_node).toBe(true);
    expect((await cast.does(helper, id, headAgrees)).code).toBe(4010);
    expect((await act(helper, 'addNodeEnd', id, { suggestion: '没有问题' })).code).toBe(0);
    expect(await cast.duties(head)).toContain(id);
    expect((await cast.does(head, id, headAgrees)).code).toBe(0);
    expect(await answered(id)).toBe('回复委派');
  });

  test('is logged as 回复委派 when a delegated task is answered, and as 完成加签 when an added signer answers', async () => {
    const { head, helper, second } = cast;
    const [lent, added] = [await waiting(), await waiting()];
    await act(head, 'delegate', lent, to(helper));
    await act(helper, 'deliver', lent, to(second));
    await act(head, 'addNode', added, to(second));
    for (const id of [lent, added]) expect((await act(second, 'addNodeEnd', id, { suggestion: '可以' })).code).toBe(0);
    expect([await answered(lent), await answered(added)]).toEqual(['回复委派', '完成加签']);
  });
});

/** Returns the log's name for the answer of somebody who was asked for an opinion. */
async function answered(id: number): Promise<string | undefined> {
  const { value } = await cast.staff.get(tickets.flowlogs, { params: { id } });
  return value.find((row) => row.intervene_type_id === 3)?.transition.transition_name;
}

test('people are named with commas of either width, and more than fifty are counted, not called malformed', async () => {
  const id = await waiting();
  const names = [to(cast.helper), to(cast.second)].map((one) => one.target_username);
  const copy = (target_username: unknown) => act(cast.staff, 'cc', id, { target_username });
  expect((await copy(names.join('，'))).code).toBe(0);
  for (const many of [
    Array.from({ length: 51 }, (_, n) => `u${n}`),
    Array.from({ length: 51 }, (_, n) => `u${n}`).join(','),
  ])
    expect((await copy(many)).msg).toBe('用户：最多 50 人');
});

describe('intervening in a ticket', () => {
  test('is refused with a sentence that names who may do it, and an unknown button is called unknown', async () => {
    const id = await waiting();
    const { staff, head, does } = cast;
    expect((await act(staff, 'state', id, { state_id: 3, suggestion: 'x' })).msg).toMatch(
      /^调整环节由有干预权限的人操作/,
    );
    expect((await act(head, 'close', id, { suggestion: 'x' })).msg).toMatch(/^关闭工单由有干预权限的人操作/);
    const unknown = /^流程“.+”里没有这个按钮（编号 999）/;
    expect((await does(head, id, 999)).msg).toMatch(unknown);
    const begun = await staff.ask(tickets.start, {
      body: { workflow_id: cast.repair, transition_id: 999, title: '修' } as never,
    });
    expect(begun.msg).toMatch(unknown);
    const body = { workflow_id: cast.repair, transition_id: save, title: '修', parent_ticket_state_id: 1 };
    expect((await staff.ask(tickets.start, { body: body as never })).msg).toBe(
      '上级工单：填了上级环节的，请填写上级工单',
    );
  });

  test('is possible only with a grant for this very workflow, not with one for another', async () => {
    const { head, helper, repair, second, leader, staff } = cast;
    const other = (await staff.get(workflows.list)).value.find((flow) => flow.id !== repair)!.id;
    const grantTo = (who: Client, workflow_id: number, permission: 'view' | 'intervene' | 'admin') =>
      app.services.databases.write((tx) =>
        tx
          .insert(workflowGrantTable)
          .values({ workflow_id, permission, holder_type: 'user', holder: String(who.userId) }),
      );
    await grantTo(second, other, 'admin');
    await grantTo(second, repair, 'view');
    await grantTo(helper, repair, 'intervene');
    const id = await waiting({ amount: 6000 });
    expect(await codesOf(second, id)).toEqual(['comment']);
    for (const action of ['close', 'state'] as const)
      expect((await act(second, action, id, { state_id: 3, suggestion: '调整' })).code).toBe(4010);
    expect((await act(head, 'close', id, { suggestion: '关闭' })).code).toBe(4010);
    expect((await act(staff, 'close', id, { suggestion: '关闭' })).code).toBe(4010);
    await act(head, 'addNode', id, { target_username: [cast.username(leader)] });
    expect((await act(helper, 'state', id, { state_id: 3 })).code).toBe(4000);
    expect((await act(helper, 'state', id, { state_id: 99, suggestion: '调整' })).code).toBe(4010);
    expect((await act(helper, 'state', id, { state_id: 1, suggestion: '重填' })).data.act_state).toBe(2);
    expect((await cast.detail(staff, id)).in_add_node).toBe(false);
    const named = await act(helper, 'state', id, { state_id: 3, suggestion: '直接审批', ...to(leader) });
    expect([named.code, named.data.act_state]).toEqual([0, 1]);
    expect(await cast.duties(leader)).toContain(id);
    expect((await act(helper, 'close', id)).code).toBe(4000);
    expect((await act(helper, 'close', id, { suggestion: '不再需要' })).data.act_state).toBe(5);
    expect([await cast.duties(leader), await cast.duties(head), await cast.duties(staff)].flat()).not.toContain(id);
    expect((await act(helper, 'state', id, { state_id: 1, suggestion: '重开' })).code).toBe(4010);
    const { rows } = await app.db.$client.query(
      "select count(*)::int as left from ticket_task where ticket_id = $1 and status in ('todo', 'waiting')",
      [id],
    );
    expect(rows).toEqual([{ left: 0 }]);
  });

  test('a creator discards their own draft or returned ticket, and its record is kept', async () => {
    const { id } = await cast.begin({}, save);
    expect((await act(cast.staff, 'close', id)).data.act_state).toBe(5);
    expect((await cast.detail(cast.staff, id)).act_state_name).toBe('已关闭');
  });
});

describe('comments and copies', () => {
  test('are written by those who may see the ticket, and a person mentioned in a comment may see it from then on', async () => {
    const { head, staff, stranger } = cast;
    const id = await waiting();
    expect((await act(stranger, 'comment', id, { suggestion: '偷看' })).code).toBe(4004);
    for (const action of ['cc', 'urge', 'deliver', 'close', 'retreat', 'addNodeEnd'] as const)
      expect((await act(stranger, action, id, to(head, { suggestion: 'x' }))).code).toBe(4004);
    expect((await act(staff, 'comment', id, { suggestion: '' })).code).toBe(4000);
    const { version } = await cast.detail(head, id);
    await act(staff, 'comment', id, { suggestion: '请看', mentions: [cast.username(stranger)] });
    expect((await cast.detail(stranger, id)).actions).toEqual(['urge', 'comment']);
    expect((await cast.does(head, id, headAgrees, { version })).code).toBe(0);
  });

  test('open the ticket to the person copied, and tell when they read it', async () => {
    const { head, second, staff } = cast;
    const id = await waiting();
    expect((await act(head, 'cc', id, to(second, { suggestion: '请知悉' }))).code).toBe(0);
    expect((await cast.detail(staff, id)).copies).toMatchObject([
      { user: { alias: '周九' }, from: { alias: '李四' }, note: '请知悉', read_at: null },
    ]);
    expect((await second.get(tickets.list, { query: { category: 'cc' } })).value.map((row) => row.id)).toContain(id);
    await cast.detail(second, id);
    expect((await cast.detail(staff, id)).copies[0]!.read_at).not.toBeNull();
  });

  test('nobody is urged about the same ticket twice within four hours, but a person to whom it has gone meanwhile may be', async () => {
    const { head, helper, staff } = cast;
    const id = await waiting();
    expect(await codesOf(head, id)).not.toContain('urge');
    expect((await act(head, 'urge', id)).code).toBe(4010);
    expect((await act(staff, 'urge', id, { suggestion: '请尽快' })).code).toBe(0);
    for (const who of [staff, app.admin]) {
      expect(await codesOf(who, id)).not.toContain('urge');
      expect(await act(who, 'urge', id)).toRefuse(tooMany, '催办', 14_400);
    }
    expect((await act(head, 'deliver', id, cast.to(helper))).code).toBe(0);
    expect((await act(staff, 'urge', id)).code).toBe(0);
    const urged = await app.db.$client.query<{ user_id: number }>(
      `select r.user_id from msg m join msg_user r on r.msg_id = m.id where m.object_id = $1 and m.event = 'URGE' order by m.id`,
      [id],
    );
    expect(urged.rows.map((row) => row.user_id)).toEqual([head.userId, helper.userId]);
  });
});

test('a batch decides each ticket separately with all its checks and answers for each', async () => {
  const { head, helper, stranger, worker } = cast;
  const [good, gone, work] = [await waiting(), await waiting(), await waiting()];
  await cast.does(head, gone, headAgrees);
  await cast.does(head, work, headAgrees);
  await worker.ask(tickets.accept, { params: { id: work }, body: {} });
  const batch = (who: Client, ticket_ids: number[], action: 'agree' | 'refuse' | 'deliver', more: object = {}) =>
    who.ask(actions.batch, { body: { ticket_ids, action, ...more } });
  const { value } = (await batch(head, [gone, good, 999_999], 'agree', { suggestion: '同意' })).data;
  expect(value.map((row) => [row.id, row.ok, row.code])).toEqual([
    [gone, false, 4010],
    [good, true, 0],
    [999_999, false, 4004],
  ]);
  expect(value[0]!.msg).toMatch(/“同意”/);
  expect((await batch(worker, [work], 'agree')).data.value[0]).toMatchObject({ ok: false, code: 4010 });
  const next = await waiting();
  const wordless = (await batch(head, [next], 'refuse')).data.value[0]!;
  expect([wordless.code, wordless.msg]).toEqual([4000, '意见：“拒绝”需要填写意见']);
  expect((await batch(stranger, [next], 'agree')).data.value[0]!.code).toBe(4004);
  expect((await batch(head, [next], 'deliver')).code).toBe(4000);
  expect((await batch(head, [next], 'deliver', to(helper))).data.value[0]!.ok).toBe(true);
  expect((await cast.duties(helper)).includes(next)).toBe(true);
  expect(
    (
      await batch(
        head,
        Array.from({ length: 201 }, (_one, index) => index + 1),
        'agree',
      )
    ).code,
  ).toBe(4000);
  expect((await cast.does(worker, work, finish, { result: '好了' })).code).toBe(0);
});

test('a hand-over sent twice with the same idempotency key happens once (I9)', async () => {
  const id = await waiting();
  const body = to(cast.helper) as never;
  const send = () => cast.head.ask(actions.deliver, { params: { id }, body }, { 'idempotency-key': `hand-over-${id}` });
  const [first, again] = await Promise.all([send(), send()]);
  expect([first.code, again.data]).toEqual([0, first.data]);
  expect((await logOf(id)).filter((row) => row.action === 'deliver')).toHaveLength(1);
});

test('an action on an outdated version of a ticket is refused before anything is written', async () => {
  const id = await waiting();
  const { version } = await cast.detail(cast.head, id);
  await act(cast.head, 'addNode', id, { target_username: [cast.username(cast.helper)], type: 'parallel' });
  const late = await act(cast.head, 'deliver', id, to(cast.second, { version }));
  expect([late.code, (await logOf(id)).length]).toEqual([4011, 2]);
});
