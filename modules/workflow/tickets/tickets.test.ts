import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { workflows } from '#modules/workflow/workflows/contract.ts';
import { tickets } from './contract.ts';
import {
  finish,
  form,
  giveBack,
  headAgrees,
  headRefuses,
  leaderAgrees,
  leaderRefuses,
  repairCast,
  save,
  submit,
} from './testing/repair.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let other: Client;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  other = await cast.clerk('钱七', { roles: ['order_handler'] });
}, 180_000);
afterAll(() => app.close());

describe('a service order, over HTTP,', () => {
  test('goes by way of the head to the person who claims it, and ends', async () => {
    const { staff, head, worker, begin, does, detail, duties } = cast;
    const { id, sn, act_state } = await begin({ amount: 300 });
    expect(act_state).toBe(1);
    expect(sn).toMatch(/^FW\d{8}\d{4}$/);
    expect(await duties(head)).toContain(id);
    expect((await does(head, id, headAgrees)).msg).toBe('处理成功');
    expect(await duties(head)).not.toContain(id);
    expect(await duties(worker)).toContain(id);
    expect(await duties(other)).toContain(id);
    expect((await worker.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
    expect(await duties(other)).not.toContain(id);
    const done = await does(worker, id, finish, { result: '换了垫圈', actual_amount: 12.5 });
    expect([done.code, done.data.act_state]).toEqual([0, 4]);
    const seen = await detail(staff, id);
    expect([seen.act_state_name, seen.state.state_name, seen.finished_at !== null, seen.actions]).toEqual([
      '已通过',
      '完成',
      true,
      ['cc', 'comment'],
    ]);
    const { value } = await staff.get(tickets.flowlogs, { params: { id } });
    expect(value.map((row) => row.transition.transition_name)).toEqual(['提交', '同意', '接单', '完成']);
    expect(value.map((row) => row.participant_info?.alias)).toEqual(['张三', '李四', '赵六', '赵六']);
    const steps = await staff.get(tickets.flowsteps, { params: { id } });
    expect(steps.value.filter((step) => step.is_current).map((step) => step.state_name)).toEqual(['完成']);
    const passed = steps.value.filter((step) => step.is_passed).map((step) => step.state_name);
    expect(passed).toEqual(['提交', '部门负责人审批', '服务处理']);
  });

  test('also goes to the leader in charge above 5000 yuan', async () => {
    const { staff, head, leader, worker, begin, does, detail, duties } = cast;
    const { id } = await begin({ amount: 5001 });
    await does(head, id, headAgrees);
    expect(await duties(leader)).toContain(id);
    expect((await detail(staff, id)).participant_info.participant_alias).toBe('王五');
    expect((await does(leader, id, leaderAgrees)).code).toBe(0);
    expect(await duties(worker)).toContain(id);
  });

  test('comes back to its creator with an opinion when refused, and starts a new round', async () => {
    const { staff, head, leader, worker, begin, does, detail, duties } = cast;
    const { id } = await begin({ amount: 6000 });
    const wordless = await does(head, id, headRefuses, { suggestion: ' ' });
    expect([wordless.code, wordless.msg]).toEqual([4000, '意见：“拒绝”需要填写意见']);
    await does(head, id, headAgrees);
    const refused = await does(leader, id, leaderRefuses, { suggestion: '请补充报价' });
    expect(refused.data.act_state).toBe(2);
    expect(await duties(staff)).toContain(id);
    expect((await detail(staff, id)).actions.toSorted()).toEqual(['cc', 'close', 'comment', 'save', 'submit']);
    const again = await does(staff, id, submit, { amount: 100 });
    expect([again.code, again.data.act_state]).toEqual([0, 1]);
    expect((await detail(head, id)).round).toBe(2);
    await does(head, id, headAgrees);
    await worker.ask(tickets.accept, { params: { id }, body: {} });
    expect((await does(worker, id, giveBack, { suggestion: '地点不清' })).data.act_state).toBe(2);
  });

  test('is claimed by exactly one of two who try at once', async () => {
    const { head, worker, begin, does } = cast;
    for (let round = 0; round < 5; round++) {
      const { id } = await begin();
      await does(head, id, headAgrees);
      const answers = await Promise.all(
        [worker, other].map((who) => who.ask(tickets.accept, { params: { id }, body: {} })),
      );
      expect(answers.map((answer) => answer.code).toSorted()).toEqual([0, 4010]);
      const late = answers.find((answer) => answer.code === 4010)!;
      expect(late.msg).toMatch(/^(赵六|钱七)已在 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d“接单”/);
      expect(late.data).toEqual({ act_state: 1, actions: ['comment'] });
    }
  });
});

describe('a draft', () => {
  test('is visible only to its creator, who may delete it', async () => {
    const { staff, head, begin } = cast;
    const { id, act_state } = await begin({ title: '还没写完' }, save);
    expect(act_state).toBe(0);
    for (const who of [head, app.admin]) expect((await who.ask(tickets.get, { params: { id } })).code).toBe(4004);
    expect((await staff.ask(tickets.remove, { params: { id } })).code).toBe(0);
    expect((await staff.ask(tickets.get, { params: { id } })).code).toBe(4004);
  });

  test('keeps what was entered and demands the missing fields when it is submitted', async () => {
    const { staff, begin, does } = cast;
    const { id } = await begin({ title: '半成品', description: '' }, save);
    const early = await does(staff, id, submit);
    expect([early.code, early.msg]).toEqual([4000, '说明：请填写']);
    expect((await does(staff, id, submit, { description: '都在这里' })).data.act_state).toBe(1);
  });
});

test('a leave request of a head goes to their superior, and the log says why', async () => {
  const { head, detail, leave } = cast;
  const body = {
    workflow_id: leave,
    transition_id: 2,
    kind: 'sick',
    from: '2026-11-23',
    to: '2026-11-24',
    days: 2,
    reason: '感冒',
  };
  const { id } = await head.get(tickets.start, { body });
  expect((await detail(head, id)).title).toBe('李四 病假 2 天');
  expect((await detail(head, id)).participant_info.participant_alias).toBe('王五');
  const { value } = await head.get(tickets.flowlogs, { params: { id } });
  expect(value[0]!.reasons).toEqual([
    '“部门负责人审批”由 王五 办理，办理人：发起人部门的负责人',
    '办理人是发起人本人，转由上级或流程管理员处理',
  ]);
});

describe('the workflows of the system', () => {
  test('tell how a ticket begins, and show conditions only to those who administer them', async () => {
    const { staff, repair } = cast;
    const start = await staff.get(workflows.initState, { params: { id: repair } });
    expect(start.field_list.map((field) => field.field_attribute)).toEqual([2, 2, 2, 3, 2, 2, 3]);
    expect(start.transition.map((offer) => offer.code)).toEqual(['save', 'submit']);
    const conditions = async (who: Client) =>
      (await who.get(workflows.simpleDescription, { params: { id: repair } })).workflow_transition_info.flatMap(
        (transition) => transition.condition_expression.map((condition) => condition.text),
      );
    expect([await conditions(staff), await conditions(app.admin)]).toEqual([[], ['预计金额 大于 5000']]);
    expect(await staff.get(workflows.canIntervene, { params: { id: repair } })).toEqual({ can_intervene: false });
  });

  test('cannot change a published version, and the ticket log cannot be changed or deleted', async () => {
    const { pool } = app.services.databases;
    await expect(pool.query(`update workflow_version set definition = '{}'`)).rejects.toThrow('immutable');
    await expect(pool.query('delete from ticket_log')).rejects.toThrow('append-only');
    await expect(pool.query(`update ticket_log set suggestion = 'x'`)).rejects.toThrow('append-only');
  });
});

test('a start sent twice with the same idempotency key creates one ticket (I9)', async () => {
  const { staff, repair } = cast;
  const body = { workflow_id: repair, transition_id: submit, ...form };
  const send = () => staff.ask(tickets.start, { body }, { 'idempotency-key': 'one-ticket-once' });
  const [first, second] = await Promise.all([send(), send()]);
  expect(second.data).toEqual(first.data);
  expect((await staff.get(tickets.list, { query: { sn: first.data.sn } as never })).total).toBe(1);
});
