import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { workflows } from './contract.ts';
import { designCalls } from './contract/design.ts';
import { releaseCalls } from './contract/release.ts';
import { openPublishing, withSecond, type Definition } from './testing/publishing.ts';

const { app, keeper, staff, head, leader, publish, flow, edit, begin, does, close } = await openPublishing();
afterAll(close);

describe('publishing a workflow', () => {
  test('reports warnings and publishes all the same', async () => {
    const id = await flow(withSecond({}));
    const { data } = await publish(id);
    expect(data.published).toBe(true);
    expect(data.warnings).toEqual([
      { kind: 'state', key: 'second', msg: expect.stringContaining('发起人可以审批自己的工单') },
    ]);
  });

  test('warns of a state that is always skipped because nobody has its role', async () => {
    const asked = (participants: readonly object[]) => (definition: Definition) =>
      ({
        ...definition,
        states: definition.states.map((state) =>
          state.key === 'approve' ? { ...state, participants, on_empty: 1 } : state,
        ),
      }) as Definition;
    const nobody = { type: 4, roles: ['photo_admin'] };
    const { data } = await publish(await flow(asked([nobody])));
    expect(data.published).toBe(true);
    expect(data.warnings).toContainEqual({
      kind: 'state',
      key: 'approve',
      msg: '环节“审批”的办理人现在一个也找不到，工单到这里会自动通过；要有人办理，请先安排人员',
    });
    const two = await publish(await flow(asked([nobody, { type: 5, variable: 'creator_select' }])));
    expect(two.data.warnings.filter(({ msg }) => msg.includes('一个也找不到'))).toEqual([]);
  });

  test('freezes the draft as the next version, and a ticket of version 1 keeps version 1', async () => {
    const id = await flow();
    expect((await publish(id, { note: '首次发布' })).data).toMatchObject({ published: true, no: 1, problems: [] });
    const nothing = await publish(id);
    expect([nothing.code, nothing.msg]).toEqual([-1, '草稿与第 1 版相同，没有需要发布的改动']);
    const old = await begin(id);
    const dept_ld = [{ type: 5 as const, variable: 'dept_ld' as const }];
    await edit(id, withSecond({ participants: dept_ld }));
    expect((await publish(id)).data.no).toBe(2);
    const fresh = await begin(id);
    expect((await does(head, old.id, 3)).data.act_state).toBe(4);
    expect((await does(head, fresh.id, 3)).data.act_state).toBe(1);
    expect((await does(leader, fresh.id, 5)).data.act_state).toBe(4);
    const { value } = await keeper.get(releaseCalls.versions, { params: { id } });
    expect(value.map(({ no, status, tickets: all, running, note }) => [no, status, all, running, note])).toEqual([
      [2, 'published', 1, 0, ''],
      [1, 'retired', 1, 0, '首次发布'],
    ]);
    const [first] = (await keeper.get(releaseCalls.versions, { params: { id }, query: { no: 1 } })).value;
    expect([first!.definition!.states.length, first!.published_by_alias]).toEqual([3, '流程员']);
    const altered = app.services.databases.write((tx) =>
      tx.execute(sql`update workflow_version set definition = '{}' where workflow_id = ${id} and no = 1`),
    );
    await expect(altered).rejects.toMatchObject({ cause: { message: expect.stringContaining('immutable') as string } });
  });

  test('only checks in a dry run, and refuses an old version of the draft', async () => {
    const id = await flow((definition) => ({ ...definition, transitions: definition.transitions.slice(0, 2) }));
    const checked = await publish(id, { dry_run: true });
    expect([checked.code, checked.data.published, checked.data.no]).toEqual([0, false, 1]);
    expect(checked.data.problems[0]).toEqual({
      kind: 'state',
      key: 'approve',
      msg: '环节“审批”没有出口，工单会停在这里',
    });
    expect((await publish(id)).code).toBe(-1);
    expect((await publish(id, { version: 0 })).code).toBe(4011);
    expect((await staff.ask(workflows.initState, { params: { id } })).code).toBe(4004);
  });

  test('finds people, roles, departments and notice channels that do not exist', async () => {
    const problemsOf = async (change: (definition: Definition) => Definition) =>
      (await publish(await flow(change), { dry_run: true })).data.problems.map((one) => one.msg);
    const approve = (more: object) => (definition: Definition) => ({
      ...definition,
      states: definition.states.map((state) => (state.key === 'approve' ? { ...state, ...more } : state)),
    });
    expect(await problemsOf(approve({ participants: [{ type: 1, user: 777_777 }] }))).toEqual([
      '环节“审批”的办理人里，用户 777777 不存在或已停用',
    ]);
    expect(await problemsOf(approve({ participants: [{ type: 4, roles: ['nobody_has_it'] }] }))).toEqual([
      '环节“审批”的办理人里，角色“nobody_has_it”不存在或已停用',
    ]);
    expect(await problemsOf(approve({ participants: [{ type: 4, roles: ['photo_admin'] }], on_empty: 2 }))).toEqual([
      '环节“审批”的办理人现在一个也找不到，请先安排人员，或设置没有办理人时由谁处理',
    ]);
    // Above there are heads, so a state that goes up finds somebody all the same.
    expect(await problemsOf(approve({ participants: [{ type: 4, roles: ['photo_admin'] }], on_empty: 5 }))).toEqual([]);
    expect(
      await problemsOf((definition) => ({
        ...definition,
        settings: { ...definition.settings, notices: [55], limit: { ...definition.settings.limit, depts: [888] } },
      })),
    ).toEqual(['发起范围里，部门 888 不存在或已停用', '通知方式 55 不存在，请重新选择']);
    await app.person({ dept: await app.dept('无人分管处') });
    const gap = await problemsOf(withSecond({ participants: [{ type: 5, variable: 'dept_ld' }], on_empty: 2 }));
    expect(gap).toEqual([
      '部门“图书馆”“无人分管处”没有分管领导，那里发起的工单到了环节“复审”没有人办理，只能交给流程管理员；请补上人员，或设置没有办理人时由谁处理',
    ]);
    const crowd = await app.dept('人数众多处');
    await app.services.databases.write((tx) =>
      tx.execute(sql`insert into app_user (username, alias, password, dept_id)
        select 'crowd' || n, '众' || n, 'x', ${crowd} from generate_series(1, 501) n`),
    );
    expect(await problemsOf(approve({ participants: [{ type: 3, depts: [crowd] }] }))).toEqual([
      '环节“审批”的办理人现在有 501 人，超过了上限 500 人，请缩小范围',
    ]);
  });
});

describe('a workflow with tickets', () => {
  test('is disabled instead of deleted; one without tickets is deleted', async () => {
    const id = await flow();
    await publish(id);
    await begin(id);
    const refused = await keeper.ask(designCalls.remove, { params: { id } });
    expect([refused.code, refused.msg]).toEqual([-1, '这个流程已有 1 张工单，不能删除，请改为停用']);
    await keeper.get(designCalls.change, { params: { id }, body: { status: 0 } });
    const stopped = await staff.ask(tickets.start, { body: { workflow_id: id, transition_id: 2, title: '再来' } });
    expect(stopped.code).toBe(4004);
    const empty = await flow();
    expect((await keeper.ask(designCalls.remove, { params: { id: empty } })).code).toBe(0);
    expect((await keeper.ask(designCalls.get, { params: { id: empty } })).code).toBe(4004);
  });
});

describe('a simulation', () => {
  const repairFlow = async () =>
    (await keeper.get(workflows.list, { query: { search_value: '信息化服务' } })).value.find(
      (one) => one.key === 'it_service',
    )!;
  const simulate = (id: number, body: { applicant: string; [more: string]: unknown }) =>
    keeper.ask(releaseCalls.simulate, { params: { id }, body });

  test('shows path, people and reasons, and a real ticket takes the same path', async () => {
    const repair = await repairFlow();
    const values = {
      title: '漏水',
      category: 'network',
      place: '301',
      urgency: 'soon',
      description: '坏',
      amount: 6000,
    };
    const { data } = await simulate(repair.id, { applicant: staff.username, values: { ...values, nope: 1 } });
    expect(data.steps.map((step) => [step.state_key, step.outcome, step.people.map((one) => one.alias)])).toEqual([
      ['submit', 'decided', ['张三']],
      ['dept_fzr', 'decided', ['李四']],
      ['dept_ld', 'decided', ['王五']],
      ['service', 'decided', ['系统管理员']],
      ['done', 'ended', []],
    ]);
    expect([data.no, data.title, data.finishes, data.act_state_name, data.stop]).toEqual([
      1,
      '漏水',
      true,
      '已通过',
      '',
    ]);
    expect(data.ignored).toEqual([{ field_key: 'nope', msg: '流程里没有这个字段' }]);
    expect(data.steps[1]!.reasons).toEqual([
      '办理人：发起人部门的负责人',
      '条件“预计金额 大于 5000”成立（预计金额为 6000），转到“分管领导审批”',
    ]);
    expect(data.steps[3]!.reasons).toEqual(['办理人：角色“维修人员”的成员', '没有办理人，由指定的人处理']);
    const real = await staff.get(tickets.start, { body: { workflow_id: repair.id, transition_id: 2, ...values } });
    await does(head, real.id, 3);
    const now = (await staff.get(tickets.get, { params: { id: real.id } })).value;
    expect([now.state.state_name, now.participant_info.participant_alias]).toEqual(['分管领导审批', '王五']);
  });

  test('shows skipped people, missing values, other decisions and where it stops', async () => {
    const repair = await repairFlow();
    const own = (await simulate(repair.id, { applicant: head.username, values: {} })).data;
    expect([own.steps[1]!.outcome, own.steps[1]!.left_out.map((one) => one.alias)]).toEqual(['decided', ['李四']]);
    expect(own.steps[1]!.reasons).toContain('办理人是发起人本人，转由上级或流程管理员处理');
    expect(own.steps[1]!.reasons).toContain('条件“预计金额 大于 5000”不成立：预计金额没有填写');
    const passing = await flow(withSecond({ participants: [{ type: 5, variable: 'creator' }], on_self: 2 }));
    const passed = (await simulate(passing, { applicant: staff.username, values: { title: '申请' } })).data;
    expect(passed.steps[2]).toMatchObject({ state_name: '复审', outcome: 'skipped' });
    expect(passed.steps[2]!.reasons).toContain('办理人是发起人本人，自动跳过');
    const refused = (await simulate(repair.id, { applicant: staff.username, decisions: { dept_fzr: 'fzr_refuse' } }))
      .data;
    expect(refused.steps.map((step) => [step.state_key, step.visit])).toEqual([
      ['submit', 1],
      ['dept_fzr', 1],
      ['submit', 2],
      ['dept_fzr', 2],
      ['service', 1],
      ['done', 1],
    ]);
    const nobody = await flow(withSecond({ participants: [{ type: 4, roles: ['photo_admin'] }], on_empty: 2 }));
    const stopped = (await simulate(nobody, { applicant: staff.username, values: { title: '申请' } })).data;
    expect([stopped.no, stopped.finishes, stopped.stop]).toEqual([
      null,
      false,
      '环节“复审”找不到办理人，工单会交给流程管理员处理',
    ]);
    expect(stopped.steps.at(-1)!.outcome).toBe('undecided');
    expect((await simulate(nobody, { applicant: 'no.such' })).msg).toBe('发起人：用户“no.such”不存在或已停用');
    expect((await simulate(nobody, { applicant: staff.username, no: 9 })).code).toBe(-1);
  });
});
