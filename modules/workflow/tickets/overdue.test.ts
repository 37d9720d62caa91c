import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { sql } from 'drizzle-orm';
import { appoint, openSchool } from '#apps/server/testing/school.ts';
import type { Client, TestOffice } from '#apps/server/testing.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { timeoutAction } from '#modules/workflow/workflows/engine/codes.ts';
import { leave } from '#modules/workflow/workflows/engine/gallery/leave.ts';
import { hashOf } from '#modules/workflow/workflows/service.ts';
import { workflowTable, workflowVersionTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { actOnOverdue } from './automation/overdue.ts';
import { addFlow } from './testing/flow.ts';
import { stop } from './testing/stop.ts';

const form = { kind: 'personal', from: '2026-11-23', to: '2026-11-24', reason: '家中有事' };
type Action = (typeof timeoutAction)[keyof typeof timeoutAction];

let school: Awaited<ReturnType<typeof openSchool>>;
let app: TestOffice;
let staff: Client;
let head: Client;
let above: Client;
let dept: number;
const flows = new Map<Action | 'confirm' | 'signed', number>();

beforeAll(async () => {
  school = await openSchool({}, { head: '王五', librarian: '钱馆长' });
  ({ office: app, head: above, below: dept } = school);
  [staff, head] = [await school.hire('张三', { dept }), await school.hire('李四', { dept })];
  await appoint(app, dept, { leader: head });
  await app.services.databases.write(async (tx) => {
    for (const kind of [...Object.values(timeoutAction), 'confirm', 'signed'] as const) {
      const action = kind === 'confirm' ? timeoutAction.remind : kind === 'signed' ? timeoutAction.agree : kind;
      const actions = kind === 'signed' ? (['sign'] as const) : [];
      const label: Record<string, string> = kind === 'confirm' ? { finish: 'confirm' } : {};
      const definition = {
        ...leave.definition,
        states: leave.definition.states.map((state) =>
          state.id === 2
            ? {
                ...state,
                label,
                actions,
                timeout: {
                  hours: 4,
                  working_time: true,
                  action,
                  users: [above.userId],
                  every: 24,
                  times: kind === action ? 1 : 3,
                },
              }
            : state,
        ),
        settings: {
          ...leave.definition.settings,
          number_rule: {
            prefix: `TT${'ABCDEF'[action]}${kind === action ? '' : 'X'}`,
            digits: 4,
            period: 'day' as const,
          },
        },
      };
      const [flow] = await tx
        .insert(workflowTable)
        .values({ key: `timed${kind}`, name: `限时${kind}` })
        .returning({ id: workflowTable.id });
      flows.set(kind, flow!.id);
      await tx.insert(workflowVersionTable).values({
        workflow_id: flow!.id,
        no: 1,
        status: 'published',
        definition,
        hash: hashOf(definition),
        published_at: new Date().toISOString(),
      });
    }
  });
});
afterAll(() => app.close());

const begin = (action: Action | 'confirm' | 'signed', more: object = {}) =>
  staff
    .get(tickets.start, { body: { workflow_id: flows.get(action)!, transition_id: 2, ...form, ...more } })
    .then(({ id }) => id);
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const logs = async (id: number) => (await staff.get(tickets.flowlogs, { params: { id } })).value;
const later = () => new Date(Date.now() + 60 * 86_400_000);
/** Runs the job until nothing is left; returns how often it found something. */
async function run(at: Date, broken = stop): Promise<number> {
  for (let times = 0; ; times++)
    if (!(await app.services.databases.write((tx) => actOnOverdue(tx, at, broken)))) return times;
}

describe('an overdue state', () => {
  test('is left alone before its deadline, and reminded of exactly once', async () => {
    const id = await begin(timeoutAction.remind);
    expect(await run(new Date())).toBe(0);
    expect([await run(later()), await run(later())]).toEqual([1, 0]);
    const last = (await logs(id)).at(-1)!;
    expect([last.participant_info, last.on_behalf_of, last.transition.transition_name, last.intervene_type_id]).toEqual(
      [null, null, '催办', 15],
    );
    expect((await detail(head, id)).actions).toContain('approve');
    const { rows } = await app.db.execute(sql`select 1 from msg m join msg_user u on u.msg_id = m.id
      where m.event = 'TIMEOUT' and m.object_id = ${id} and u.user_id = ${head.userId}`);
    expect(rows).toHaveLength(1);
    expect((await detail(head, id)).version).toBe((await detail(staff, id)).version);
  });

  test('is approved by the system in the name of the late handler', async () => {
    const id = await begin(timeoutAction.agree);
    await run(later());
    const seen = await detail(staff, id);
    expect([seen.act_state_name, seen.due_at]).toEqual(['已通过', null]);
    const last = (await logs(id)).at(-1)!;
    expect([last.participant_info, last.on_behalf_of?.alias, last.suggestion, last.intervene_type_id]).toEqual([
      null,
      '李四',
      '超过办理时限，系统自动同意',
      15,
    ]);
  });

  test('that requires a handwritten signature is reminded of and not approved by the system', async () => {
    const id = await begin('signed');
    await run(later());
    expect((await detail(head, id)).actions).toContain('approve');
    expect((await logs(id)).map((log) => log.transition.transition_name)).toEqual(['提交', '催办']);
  });

  test('goes back to its creator', async () => {
    const id = await begin(timeoutAction.giveBack);
    await run(later());
    expect((await detail(staff, id)).act_state_id).toBe(2);
    expect((await logs(id)).at(-1)!.suggestion).toBe('超过办理时限，系统自动退回');
  });

  test('is passed to the handler’s superior, whatever actions the handler has', async () => {
    const id = await begin(timeoutAction.escalate);
    await run(later());
    expect((await detail(staff, id)).participant_info.participant_alias).toBe('王五');
    expect(
      (await above.ask(tickets.handle, { params: { id }, body: { transition_id: 3, suggestion: '好' } })).code,
    ).toBe(0);
  });

  test('that was escalated gets a new deadline and is escalated again when that passes, to nobody twice', async () => {
    const id = await begin(timeoutAction.escalate);
    const first = later();
    expect([await run(first), await run(first)]).toEqual([1, 0]);
    const due = (await detail(staff, id)).due_at!;
    expect(new Date(`${due.replace(' ', 'T')}+08:00`).getTime()).toBeGreaterThan(first.getTime());
    const after = (days: number) => new Date(first.getTime() + days * 86_400_000);
    expect(await run(after(30))).toBe(1);
    expect((await detail(staff, id)).participant_info.participant).toBe(school.leader.username);
    // The two heads of a department are each other's superiors: then the workflow's administrators are called, once.
    expect([await run(after(60)), await run(after(90))]).toEqual([1, 0]);
    const { rows } = await app.db.execute(sql`select assignee_id as id from ticket_task
      where ticket_id = ${id} and origin = 'stall' and status = 'todo'`);
    expect(rows).toContainEqual({ id: app.admin.userId });
  });

  test('with several candidates is passed to the head of each of them, and any one of the heads decides', async () => {
    const other = await school.hire('周九', { dept: school.elsewhere });
    const users = [head.userId, other.userId];
    const pooled = {
      participants: [{ type: 2, users }],
      distribution: { type: 1 },
      timeout: { hours: 4, action: timeoutAction.escalate },
    };
    const workflow_id = await addFlow(app, 'pooled', {
      ...leave.definition,
      name: '共同办理',
      states: leave.definition.states.map((state) => (state.id === 2 ? { ...state, ...pooled } : state)),
      settings: { ...leave.definition.settings, number_rule: { prefix: 'GT', digits: 4, period: 'day' } },
    } as never);
    const { id } = await staff.get(tickets.start, { body: { workflow_id, transition_id: 2, ...form } });
    await run(later());
    const asked = (await detail(staff, id)).participant_info.participant_alias.split('、');
    expect(asked.toSorted()).toEqual(['王五', '钱馆长'].toSorted());
    const body = { transition_id: 3, suggestion: '好' };
    expect((await school.librarian.ask(tickets.handle, { params: { id }, body })).code).toBe(0);
    expect((await detail(staff, id)).act_state_name).toBe('已通过');
  });

  test('is transferred to the person whom the state names', async () => {
    const id = await begin(timeoutAction.transfer);
    await run(later());
    expect((await detail(staff, id)).participant_info.participant_alias).toBe('王五');
    expect((await logs(id)).at(-1)!.suggestion).toBe('超过办理时限，按流程规定转办');
  });

  test('for which no successor is found becomes a task of the workflow’s administrators once, with the reason', async () => {
    // The people named by the state began the tickets themselves.
    const body = { workflow_id: flows.get(timeoutAction.transfer)!, transition_id: 2, ...form };
    const { id } = await above.get(tickets.start, { body });
    expect([await run(later()), await run(later())]).toEqual([1, 0]);
    const waits = (await detail(above, id)).waits.map((wait) => wait.why);
    expect(waits).toEqual(['超过办理时限，按流程规定的处理没有成功：没有可以转交的人，等流程管理员处理']);
    const { rows } = await app.db.execute(sql`select 1 from ticket_task
      where ticket_id = ${id} and origin = 'stall' and status = 'todo' and assignee_id = ${app.admin.userId}`);
    expect(rows).toHaveLength(1);
  });

  test('is reminded of as often as the state says, and then no more', async () => {
    await begin('confirm');
    const day = 86_400_000;
    const from = later().getTime();
    const found: number[] = [];
    for (const days of [0, 0.5, 1, 2, 3, 9]) found.push(await run(new Date(from + days * day)));
    expect(found).toEqual([1, 0, 1, 1, 0, 0]);
  });

  test('without a timeout action stays as it is', async () => {
    const id = await begin(timeoutAction.none);
    const before = (await logs(id)).length;
    await run(later());
    expect((await logs(id)).length).toBe(before);
  });

  test('that the system approved cannot be taken back by the late handler', async () => {
    const id = await begin(timeoutAction.agree, { to: '2026-11-27' });
    await run(later());
    expect((await detail(staff, id)).state.state_id).toBe(3);
    expect((await detail(head, id)).actions).not.toContain('retreat');
    const body = { suggestion: '再看看' };
    expect((await head.ask(ticketActions.retreat, { params: { id }, body })).code).toBe(4010);
  });

  test('is acted on again after a taken-back decision starts a new stay', async () => {
    const id = await begin(timeoutAction.remind, { to: '2026-11-27' });
    await run(later());
    await head.get(tickets.handle, { params: { id }, body: { transition_id: 3, suggestion: '好' } });
    await head.get(ticketActions.retreat, { params: { id }, body: { suggestion: '再看看' } });
    await run(later());
    expect((await logs(id)).filter((log) => log.intervene_type_id === 15)).toHaveLength(2);
  });

  test('is reminded of also where the end has to be confirmed', async () => {
    const id = await begin('confirm');
    expect((await detail(staff, id)).act_state_id).toBe(6);
    await run(later());
    expect((await logs(id)).at(-1)!.transition.transition_name).toBe('催办');
  });

  test('of a broken ticket does not keep the timeouts of other tickets from being acted on', async () => {
    const [first, second] = [await begin(timeoutAction.remind), await begin(timeoutAction.remind)];
    const stands = (at: number) =>
      app.services.databases.write((tx) =>
        tx.execute(sql`update ticket_token set state_id = ${at} where ticket_id = ${first}`),
      );
    await stands(99);
    const broken: number[] = [];
    await run(later(), (_error, ticket) => broken.push(ticket));
    await stands(2);
    expect([broken, (await logs(second)).at(-1)!.transition.transition_name]).toEqual([[first], '催办']);
    const { rows } = await app.db.execute(sql`select m.content from msg m join msg_user u on u.msg_id = m.id
      where m.event = 'INCIDENT' and m.object_id = ${first} and u.user_id = ${app.admin.userId}`);
    expect(rows, 'and whoever administers its workflow is told').toEqual([
      { content: '处理超过时限的待办时系统出错，未成功，请联系系统维护人员；之后请调整环节或关闭工单' },
    ]);
    expect(await run(later(), stop), 'it is not tried on unseen').toBe(0);
  });

  test('is acted on once by several nodes', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await begin(timeoutAction.remind);
      await Promise.all([run(later()), run(later()), run(later())]);
      expect((await logs(id)).filter((log) => log.intervene_type_id === 15)).toHaveLength(1);
    }
  });
});

describe('the tasks of a leaver', () => {
  test('are listed and handed over by an administrator before the account is closed', async () => {
    const id = await begin(timeoutAction.none);
    const stranger = await app.clerk(
      { 'system/user': ['Retrieve', 'Update'] },
      { dataScope: 3, dept: await app.dept() },
    );
    const users = await app.admin.get(lookups.simpleUsers, { query: { search_value: '王五', limit: 20 } });
    const target_username = users[0]!.username;
    const params = { id: head.userId };
    const listed = async () =>
      (await app.admin.get(leaving.open, { params })).value.find((kind) => kind.key === 'tasks')!.rows;
    expect((await listed()).map((row) => Math.floor(row.id / 1000))).toContain(id);
    expect(JSON.stringify(await listed())).not.toContain('家中有事');
    expect((await stranger.ask(leaving.open, { params })).code).toBe(4004);
    expect((await stranger.ask(leaving.handOver, { params, body: { target_username } })).code).toBe(4004);
    const before = (await listed()).length;
    const done = await app.admin.get(leaving.handOver, { params, body: { target_username, kinds: ['tasks'] } });
    expect([done.moved + done.kept.length, (await listed()).length]).toEqual([before, done.kept.length]);
    expect((await detail(above, id)).actions).toContain('approve');
    const last = (await logs(id)).at(-1)!;
    expect([last.transition.transition_name, last.on_behalf_of?.alias]).toEqual(['转交', '李四']);
    const none = await app.admin.ask(leaving.handOver, { params, body: { target_username: 'nobody' } });
    expect(none.msg).toMatch(/“nobody”不存在或已停用/);
  });
});
