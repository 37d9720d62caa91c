import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { releaseCalls } from '#modules/workflow/workflows/contract/release.ts';
import {
  distributeType,
  onEmpty,
  onSelf,
  participantType,
  timeoutAction,
} from '#modules/workflow/workflows/engine/codes.ts';
import { hashOf } from '#modules/workflow/workflows/service.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { tickets } from './contract.ts';
import { ticketActions } from './contract/actions.ts';
import { actOnOverdue } from './automation/overdue.ts';
import {
  addApproval,
  agree,
  approval,
  approvalOf,
  asks,
  done,
  end,
  jointly,
  refuse,
  standsInFor,
  submit,
} from './testing/approvals.ts';
import { repairCast } from './testing/repair.ts';
import { stop } from './testing/stop.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let serial = 0;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterAll(() => app.close());

const flow = (state: object) => addApproval(app, `eyes${++serial}`, state);
const begun = async (workflow_id: number, more: object = {}) =>
  (
    await cast.staff.get(tickets.start, {
      body: { workflow_id, transition_id: submit, title: '采购', ...more } as never,
    })
  ).id;
const offersOf = async (who: Client, id: number) => (await who.get(tickets.transitions, { params: { id } })).value;
const handlersOf = async (id: number) => {
  const { rows } = await app.db.$client.query<{ assignee_id: number }>(
    `select assignee_id from ticket_task where ticket_id = $1 and status = 'todo' order by no`,
    [id],
  );
  return rows.map((row) => row.assignee_id);
};
const nobody = { participants: [{ type: participantType.role, roles: ['nobody_at_all'] }] };

/** The applicant is offered no decision in favour, and is refused whatever they press. */
async function cannotApprove(id: number): Promise<void> {
  const codes = (await offersOf(cast.staff, id)).map((offer) => offer.code);
  expect(codes.filter((code) => code === 'approve' || code === 'other')).toEqual([]);
  for (const button of [agree, done]) expect((await cast.does(cast.staff, id, button)).code).not.toBe(0);
  expect((await cast.detail(cast.staff, id)).act_state_id).not.toBe(4);
}

describe('an applicant does not approve their own request', () => {
  test('when a field is empty and they are named to step in: the administrators get it with the reason', async () => {
    const id = await begun(
      await flow({
        participants: [{ type: participantType.field, field: 'who' }],
        on_empty: onEmpty.users,
        on_empty_users: [cast.staff.userId],
      }),
    );
    await cannotApprove(id);
    expect(await handlersOf(id)).not.toContain(cast.staff.userId);
    expect((await handlersOf(id)).length).toBeGreaterThan(0);
    const { rows } = await app.db.$client.query(`select trace from ticket_log where ticket_id = ${id}`);
    expect(JSON.stringify(rows)).toContain('指定的人不能办理，由流程管理员或上级处理');
  });

  test('when the workflow’s administrators step in and they are one of them, or the only one', async () => {
    const workflow_id = await flow({ ...nobody, on_empty: onEmpty.admins });
    const administers = (who: Client) =>
      app.services.databases.write((tx) =>
        tx
          .insert(workflowGrantTable)
          .values({ workflow_id, permission: 'admin', holder_type: 'user', holder: String(who.userId) }),
      );
    await administers(cast.staff);
    const alone = await begun(workflow_id);
    await cannotApprove(alone);
    expect(await handlersOf(alone)).toEqual([cast.head.userId]);
    await administers(cast.second);
    const id = await begun(workflow_id);
    expect(await handlersOf(id)).toEqual([cast.second.userId]);
    const forced = await cast.act(cast.staff, 'state', id, { state_id: end, suggestion: '直接办结' });
    expect(forced.code, 'nor by force').not.toBe(0);
    await cannotApprove(id);
    expect((await cast.does(cast.second, id, agree)).data.act_state).toBe(4);
  });

  test('by choosing themselves, which is refused, or by being named in a field, which goes to the administrators', async () => {
    const chosen = await flow({ participants: [{ type: participantType.variable, variable: 'creator_select' }] });
    const start = (who: Client[]) =>
      cast.staff.ask(tickets.start, {
        body: {
          workflow_id: chosen,
          transition_id: submit,
          title: '采购',
          choose: { [approval]: who.map(cast.username) },
        } as never,
      });
    for (const who of [[cast.staff], [cast.head, cast.staff]])
      expect((await start(who)).msg).toBe('审批：发起人不能审批自己的工单，请选择他人');
    const { id } = (await start([cast.head])).data;
    expect((await cast.does(cast.head, id, agree)).data.act_state).toBe(4);
    const field = await flow({ participants: [{ type: participantType.field, field: 'who' }], on_empty: onEmpty.pass });
    const named = await begun(field, { who: cast.username(cast.staff) });
    expect((await cast.detail(cast.staff, named)).act_state_id).toBe(1);
    await cannotApprove(named);
    expect((await handlersOf(named)).length).toBeGreaterThan(0);
  });

  test('as a delegate, by escalation, by a hand-over, as an added signer or by a claim', async () => {
    const { staff, head, helper } = cast;
    const late = { timeout: { hours: 1, working_time: false, action: timeoutAction.escalate } };
    const id = await begun(await flow({ ...asks(head), ...late }));
    for (const [action, more] of [
      ['deliver', {}],
      ['delegate', {}],
      ['addNode', { type: 'parallel' }],
      ['addNode', { type: 'after' }],
    ] as const) {
      const target_username = action === 'addNode' ? [cast.username(staff)] : cast.username(staff);
      expect([action, (await cast.act(head, action, id, { target_username, ...more })).msg]).toEqual([
        action,
        expect.stringContaining('是工单的发起人，不能审批自己的工单'),
      ]);
    }
    const tomorrow = new Date(Date.now() + 2 * 86_400_000);
    while (await app.services.databases.write((tx) => actOnOverdue(tx, tomorrow, stop)));
    await cannotApprove(id);
    const pool = await begun(
      await flow({ ...asks(staff, head, helper), distribution: { type: distributeType.claim } }),
    );
    expect((await cast.act(staff, 'deliver', pool, cast.to(head))).code).not.toBe(0);
    expect((await staff.ask(tickets.accept, { params: { id: pool }, body: {} })).code).not.toBe(0);
    await cannotApprove(pool);
    const lent = await begun(await flow(asks(cast.second)));
    await standsInFor(cast, cast.second, staff);
    await cannotApprove(lent);
  });

  test('by choosing the decider: as administrator they cannot hand on or add to a task of their own request', async () => {
    const { head, helper } = cast;
    const workflow_id = await flow(asks(head));
    const { id } = await app.admin.get(tickets.start, {
      body: { workflow_id, transition_id: submit, title: '采购' } as never,
    });
    const { value } = await app.admin.get(tickets.transitions, { params: { id } });
    expect(value.filter((one) => one.from_admin)).toEqual([]);
    for (const action of ['deliver', 'addNode'] as const) {
      const target_username = action === 'addNode' ? [cast.username(helper)] : cast.username(helper);
      const more = { from_admin: true, task_no: 2, ...(action === 'addNode' ? { type: 'parallel' } : {}) };
      expect((await cast.act(app.admin, action, id, { target_username, ...more })).msg).toContain(
        '这是本人发起的工单，不能由本人改派或加签',
      );
    }
  });

  test('when a leaver’s tasks are handed over to them: the task stays, and the reason is reported', async () => {
    const leaver = await cast.clerk('离岗人');
    const id = await begun(await flow(asks(leaver)));
    // If they were deactivated, the tasks would be passed on automatically, perhaps earlier.
    const { moved, kept } = await app.admin.get(leaving.handOver, {
      params: { id: leaver.userId },
      body: { target_username: cast.username(cast.staff) },
    });
    expect([moved, kept.map((one) => [one.id, one.msg.includes('发起人')])]).toEqual([0, [[id, true]]]);
    await cannotApprove(id);
  });

  test('by choosing its new handler when they hand over the tasks of a leaver', async () => {
    const leaver = await app.signIn(await app.person({ alias: '离岗人' }));
    const keeper = await app.clerk({ 'system/user': ['Retrieve', 'Update'] });
    const workflow_id = await flow(asks(leaver));
    const body = { workflow_id, transition_id: submit, title: '本人的' } as never;
    const { id } = await keeper.get(tickets.start, { body });
    const other = await begun(workflow_id);
    const { moved, kept } = await keeper.get(leaving.handOver, {
      params: { id: leaver.userId },
      body: { target_username: cast.username(cast.staff), kinds: ['tasks'] },
    });
    expect([moved, kept.map((one) => one.id)]).toEqual([0, [id, other]]);
    expect(kept[0]!.msg).toBe('这是您本人发起或代为填报的工单，请由其他管理员移交');
    expect(await handlersOf(id)).toEqual([leaver.userId]);
  });

  test('when a migration leaves them the task: they refuse it or hand it on', async () => {
    const key = `eyes${++serial}`;
    const self = { participants: [{ type: participantType.variable, variable: 'creator' as const }] };
    const workflow_id = await addApproval(app, key, { ...self, on_self: onSelf.asUsual });
    const [id, other] = [await begun(workflow_id), await begun(workflow_id)];
    const stricter = Definition.parse(approvalOf(key, { ...self, actions: [], on_self: onSelf.superior }));
    await app.services.databases.write(async (tx) => {
      await tx.execute(sql`update workflow_version set status = 'retired' where workflow_id = ${workflow_id}`);
      await tx.execute(sql`
        insert into workflow_version (workflow_id, no, status, definition, hash, published_at)
        values (${workflow_id}, 2, 'published', ${JSON.stringify(stricter)}::jsonb, ${hashOf(stricter)}, now())`);
    });
    const body = { dry_run: false, ticket_ids: [id, other] };
    expect((await app.admin.get(releaseCalls.migrate, { params: { id: workflow_id }, body })).moved).toBe(2);
    await cannotApprove(id);
    const answer = await cast.does(cast.staff, id, agree);
    expect([answer.code, answer.msg]).toEqual([4010, '这是本人发起的，不能由本人同意，请转交他人办理']);
    expect((await cast.act(cast.staff, 'deliver', id, cast.to(cast.head))).code).toBe(0);
    expect((await cast.does(cast.head, id, agree)).data.act_state).toBe(4);
    expect((await cast.does(cast.staff, other, refuse)).data.act_state).toBe(2);
  });

  test('unless the state expressly allows it', async () => {
    const id = await begun(await flow({ ...asks(cast.staff), on_self: onSelf.asUsual }));
    expect((await cast.does(cast.staff, id, agree)).data.act_state).toBe(4);
  });
});

describe('the seats of a joint decision', () => {
  let absent: Client;
  let deputy: Client;
  beforeEach(async () => {
    [absent, deputy] = [await cast.clerk(`签甲${++serial}`), await cast.clerk(`签乙${serial}`)];
    await standsInFor(cast, absent, deputy);
  });
  const seats = async (id: number) => {
    const { rows } = await app.db.$client.query<{ no: number; status: string; assignee_id: number }>(
      `select no, status, assignee_id from ticket_task where ticket_id = $1 and state_id = 2 order by no`,
      [id],
    );
    const of = (who: Client) => rows.find((row) => row.assignee_id === who.userId)!;
    return { absent: of(absent), deputy: of(deputy) };
  };

  test('are not filled by a press that leaves open which of two seats it means', async () => {
    const id = await begun(await flow({ ...asks(absent, deputy), ...jointly }));
    const agrees = (await offersOf(deputy, id)).filter((offer) => offer.code === 'approve');
    expect(agrees.map((offer) => offer.on_behalf_of !== '')).toEqual([false, true]);
    const { code, msg } = await cast.does(deputy, id, agree);
    expect([code, msg]).toEqual([-1, expect.stringContaining('请写明要办的是哪一项')]);
    expect(Object.values(await seats(id)).map((seat) => seat.status)).toEqual(['todo', 'todo']);
  });

  test.each(['absent', 'deputy'] as const)(
    'are filled for the %s by one press, and a double press fills no second one',
    async (whose) => {
      const id = await begun(await flow({ ...asks(absent, deputy), ...jointly }));
      const { [whose]: seat } = await seats(id);
      const press = () => cast.does(deputy, id, agree, { task_no: seat.no });
      const answers = await Promise.all([press(), press()]);
      expect(answers.map((one) => one.code).toSorted((a, b) => a - b)).toEqual([0, 4010]);
      const after = await seats(id);
      const other = whose === 'absent' ? 'deputy' : 'absent';
      expect([after[whose].status, after[other].status]).toEqual(['agree', 'todo']);
      expect((await cast.detail(cast.staff, id)).act_state_id, 'one person is not two').toBe(1);
      for (const more of [{ task_no: after[other].no }, {}])
        expect((await cast.does(deputy, id, agree, more)).msg).toMatch(/一人只占一席|请写明要办的是哪一项/);
      expect((await offersOf(deputy, id)).filter((offer) => offer.transition_id !== null)).toEqual([]);
      if (whose === 'absent') {
        expect((await cast.act(deputy, 'deliver', id, { ...cast.to(cast.head), task_no: after.deputy.no })).code).toBe(
          0,
        );
        expect((await cast.does(cast.head, id, agree)).data.act_state).toBe(4);
      } else expect((await cast.does(absent, id, agree)).data.act_state).toBe(4);
    },
  );

  test('cannot be handed to a person who has already decided on another’s behalf', async () => {
    const id = await begun(await flow({ ...asks(absent, cast.head), ...jointly }));
    expect((await cast.does(deputy, id, agree)).code).toBe(0);
    const target_username = cast.username(deputy);
    const handed = await cast.act(cast.head, 'deliver', id, { target_username });
    expect(handed.msg).toContain('已经处理过这个环节');
    const added = await cast.act(cast.head, 'addNode', id, { target_username: [target_username], type: 'parallel' });
    expect(added.msg).toContain('已经处理过这个环节');
    expect([handed.msg, added.msg].join()).not.toContain(target_username);
  });

  test('in a sequence are filled one by one: a double press without a number fills only the first', async () => {
    for (const several_seats of [false, true]) {
      const id = await begun(
        await flow({ ...asks(absent, deputy), distribution: { type: distributeType.sequential }, several_seats }),
      );
      const answers = await Promise.all([1, 2].map(() => cast.does(deputy, id, agree)));
      expect(answers.map((one) => one.code).filter((code) => code === 0)).toEqual([0]);
      const { deputy: own } = await seats(id);
      expect(own.status).toBe('todo');
      expect((await cast.does(deputy, id, agree, { task_no: own.no })).code).toBe(several_seats ? 0 : 4010);
    }
  });

  test('are counted separately where a state allows several per person, each by its own press', async () => {
    const id = await begun(await flow({ ...asks(absent, deputy), ...jointly, several_seats: true }));
    const both = await seats(id);
    expect((await cast.does(deputy, id, agree, { task_no: both.absent.no })).data.act_state).toBe(1);
    expect((await cast.does(deputy, id, agree)).code).toBe(-1);
    expect((await cast.does(deputy, id, agree, { task_no: both.deputy.no })).data.act_state).toBe(4);
  });

  test('are not decided in a batch when one person has several: the ticket must be opened', async () => {
    const id = await begun(await flow({ ...asks(absent, deputy), ...jointly, actions: ['batch'] }));
    const { data } = await deputy.ask(ticketActions.batch, {
      body: { ticket_ids: [id], action: 'agree', suggestion: '' },
    });
    expect(data.value.map((one) => [one.ok, one.msg])).toEqual([[false, '这张工单有几种处理方式，请打开工单选择']]);
  });
});
