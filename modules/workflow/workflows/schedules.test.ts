import { afterAll, describe, expect, test } from 'vitest';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import type { Client } from '#apps/server/testing.ts';
import { designCalls } from './contract/design.ts';
import {
  daysMissing,
  handledAlready,
  noDates,
  scheduleCalls,
  schedules,
  stillNot,
  wouldNotStart,
} from './contract/schedules.ts';
import { onSelf, participantType } from './engine/codes.ts';
import { startDue } from './scheduled/runs.ts';
import { openPublishing, type Definition } from './testing/publishing.ts';

const { app, keeper, staff, head, flow, publish, edit, close } = await openPublishing();
afterAll(close);

const hour = 3_600_000;
const day = 24 * hour;
const broken: Error[] = [];
let serial = 0;

/** A published workflow and its schedule: by default every day at nine in the clerk's name. */
async function scheduled(more: object = {}) {
  const workflow = await flow();
  await publish(workflow);
  const { id } = await keeper.get(schedules.add, { body: bodyOf(workflow, more) });
  return { workflow, id: id! };
}
const bodyOf = (workflow_id: number, more: object = {}) => ({
  workflow_id,
  name: `定时 ${++serial}`,
  person_id: staff.userId,
  every: 1 as const,
  at_time: '09:00',
  begins_on: dayOf(new Date()),
  values: { title: '每日巡检' },
  ...more,
});
const rowOf = async (workflow: number) =>
  (await keeper.get(schedules.list, { query: { workflow_id: workflow } })).value[0]!;
/** Runs everything due by then, as the job does. */
async function reach(at: Date): Promise<void> {
  while (await app.services.databases.write((tx) => startDue(tx, at, (error) => broken.push(error))));
}
const nextOf = async (workflow: number) => momentOf((await rowOf(workflow)).next_at!);
const later = (at: Date, by: number) => new Date(at.getTime() + by);
const begunIn = async (workflow_id: number) =>
  (
    await app.admin.get(tickets.list, {
      query: { category: 'all', workflow_ids: String(workflow_id) as never, per_page: 100 },
    })
  ).value;
const runsOf = async (id: number, by = keeper) => (await by.get(scheduleCalls.runs, { params: { id } })).value;
const waitsFor = async (who: Client) =>
  (await who.get(waiting.list, { query: {} })).value.filter((one) => one.kind === '定时发起未成功');

describe('a scheduled workflow', () => {
  test('starts once for the chosen person with the given values, and shows its next date', async () => {
    const { workflow, id } = await scheduled();
    const due = await nextOf(workflow);
    await reach(later(due, -1000));
    expect(await begunIn(workflow)).toEqual([]);
    await reach(later(due, 20_000));
    await reach(later(due, 40_000));
    const [ticket, ...others] = await begunIn(workflow);
    expect([ticket!.creator, others]).toEqual([staff.username, []]);
    const { value } = await staff.get(tickets.get, { params: { id: ticket!.id } });
    expect([value.act_state_id, value.field_list.find((one) => one.field_key === 'title')!.field_value]).toEqual([
      1,
      '每日巡检',
    ]);
    const log = await staff.get(tickets.flowlogs, { params: { id: ticket!.id } });
    const { name } = await rowOf(workflow);
    expect(log.value[0]!.suggestion).toBe(`按定时发起“${name}”发起`);
    expect(await runsOf(id)).toMatchObject([{ outcome: 'started', missed: 0, ticket_id: ticket!.id, actions: [] }]);
    expect(await rowOf(workflow)).toMatchObject({ when: '每天 09:00', open: 0, last: { outcome: 'started' } });
    expect(await nextOf(workflow)).toEqual(later(due, day));
  });

  test('is decided neither by that person nor by the people who set it up or wrote its values', async () => {
    const all = ['Create', 'Retrieve', 'Update', 'Delete'] as const;
    const other = await app.clerk({ 'workflow/list': [...all] }, { alias: '孙代填' });
    const asking = (who: Client[]) => (definition: Definition) => ({
      ...definition,
      states: definition.states.map((state) =>
        state.kind === 'approve'
          ? {
              ...state,
              on_self: onSelf.skip,
              participants: [{ type: participantType.users, users: who.map((one) => one.userId) }],
            }
          : state,
      ),
    });
    const agree = (who: Client, id: number) =>
      who.ask(tickets.handle, { params: { id }, body: { transition_id: 3, suggestion: '同意' } });
    const askedOf = async (id: number) => {
      const { rows } = await app.db.$client.query<{ assignee_id: number }>(
        `select assignee_id from ticket_task where ticket_id = $1 and status = 'todo'`,
        [id],
      );
      return rows.map((row) => row.assignee_id);
    };
    const begun = async (...who: Client[]) => {
      const workflow = await flow(asking(who));
      await publish(workflow);
      const { id } = await keeper.get(schedules.add, { body: bodyOf(workflow) });
      await other.get(schedules.change, { params: { id: id! }, body: { values: { title: '我自己要的' } } });
      await head.ask(schedules.change, { params: { id: id! }, body: { status: 1 } });
      await reach(later(await nextOf(workflow), 1000));
      return (await begunIn(workflow))[0]!.id;
    };
    const among = await begun(keeper, other, staff, head);
    expect(await askedOf(among)).toEqual([head.userId]);
    for (const who of [keeper, other, staff]) expect((await agree(who, among)).code).not.toBe(0);
    expect((await agree(head, among)).code).toBe(0);
    // The person in whose name it begins has not agreed to what others wrote, so their state is not skipped.
    const theirs = await begun(staff);
    expect(await askedOf(theirs)).not.toContain(staff.userId);
    expect((await app.admin.get(tickets.get, { params: { id: theirs } })).value.act_state_id).toBe(1);
    const alone = await begun(keeper);
    expect(await askedOf(alone)).not.toContain(keeper.userId);
    expect((await agree(keeper, alone)).code).not.toBe(0);
    expect((await app.admin.get(tickets.get, { params: { id: alone } })).value.act_state_id).toBe(1);
  });

  test('starts once even if two nodes run it at the same moment', async () => {
    const { workflow, id } = await scheduled();
    const at = later(await nextOf(workflow), 1000);
    const node = () => app.services.databases.write((tx) => startDue(tx, at, (error) => broken.push(error)));
    await Promise.all([node(), node(), node(), node()]);
    expect([(await begunIn(workflow)).length, (await runsOf(id)).length]).toEqual([1, 1]);
  });

  test('makes up for missed dates by one ticket, which says how many were missed', async () => {
    const { workflow, id } = await scheduled();
    const due = await nextOf(workflow);
    await reach(later(due, 3 * day + hour));
    expect((await begunIn(workflow)).length).toBe(1);
    expect(await runsOf(id)).toMatchObject([{ outcome: 'started', missed: 3 }]);
    expect(await nextOf(workflow)).toEqual(later(due, 4 * day));
  });

  test('skips non-working days if so set, and says so', async () => {
    const { workflow, id } = await scheduled({ every: 2, weekdays: [7], workdays_only: true, begins_on: '2027-03-01' });
    await reach(new Date('2027-03-07T12:00:00+08:00'));
    expect(await begunIn(workflow)).toEqual([]);
    expect(await runsOf(id)).toMatchObject([
      { due_at: '2027-03-07 09:00:00', outcome: 'skipped', message: '2027-03-07 不是工作日' },
    ]);
    expect((await rowOf(workflow)).next_at).toBe('2027-03-14 09:00:00');
  });

  test('skips dates that fall due while the workflow is disabled', async () => {
    const { workflow, id } = await scheduled();
    const due = await nextOf(workflow);
    await keeper.get(designCalls.change, { params: { id: workflow }, body: { status: 0 } });
    await reach(later(due, 1000));
    expect(await runsOf(id)).toMatchObject([{ outcome: 'skipped', message: '流程已停用' }]);
  });

  test('is announced beforehand to its person, and does not start once it is switched off or removed', async () => {
    const { workflow, id } = await scheduled();
    const due = await nextOf(workflow);
    const { value } = await staff.get(messages.unread, { query: { search_value: '以您的名义定时发起' } });
    expect(value.length).toBeGreaterThan(0);
    await keeper.get(schedules.change, { params: { id }, body: { status: 0 } });
    expect((await rowOf(workflow)).next_at).toBeNull();
    await reach(later(due, hour));
    await keeper.get(schedules.change, { params: { id }, body: { status: 1 } });
    await keeper.get(schedules.remove, { params: { id } });
    await reach(later(due, 2 * day));
    expect(await begunIn(workflow)).toEqual([]);
  });
});

describe('a scheduled start that fails', () => {
  test('waits for the workflow’s administrator, who starts it once it is possible', async () => {
    const person = await app.signIn(await app.person({ alias: '钱调走', roles: ['staff'] }));
    const { workflow, id } = await scheduled({ person_id: person.userId });
    await keeper.get(designCalls.change, {
      params: { id: workflow },
      body: { grants: [{ permission: 'admin', holder_type: 'user', holder: keeper.username }] },
    });
    const due = await nextOf(workflow);
    await app.admin.get(users.update, { params: { id: person.userId }, body: { is_active: false } as never });
    await reach(later(due, 1000));
    const why = '“钱调走”已离岗，请改用别人的名义';
    expect(await runsOf(id)).toMatchObject([{ outcome: 'failed', message: why, actions: ['again', 'dismiss'] }]);
    const name = (await rowOf(workflow)).name;
    expect(await waitsFor(keeper)).toMatchObject([
      { title: `${name}：${why}`, web_path: `/ticket/workflow/design/${workflow}?tab=schedules` },
    ]);
    const heard = async () =>
      (await keeper.get(messages.unread, { query: { per_page: 100 } })).value.filter(({ title }) =>
        title.endsWith(`“${name}”没有发起`),
      ).length;
    expect(await heard()).toBe(1);
    // The next day is reported with it, as one thing to handle.
    await reach(later(due, day + 1000));
    expect([(await waitsFor(keeper)).length, await heard()]).toEqual([1, 1]);
    const [run, before] = await runsOf(id);
    expect([run!.missed, before!.actions]).toEqual([1, []]);
    const again = () => keeper.ask(scheduleCalls.again, { params: { id: run!.id } });
    expect(await again()).toRefuse(stillNot, why);
    await keeper.get(schedules.change, { params: { id }, body: { person_id: staff.userId } });
    const both = await Promise.all([again(), again()]);
    expect(both.map((one) => one.code).toSorted()).toEqual([0, handledAlready.code].toSorted());
    expect((await begunIn(workflow)).length).toBe(1);
    expect([await waitsFor(keeper), await heard()]).toEqual([[], 0]);
    expect((await runsOf(id))[0]).toMatchObject({ outcome: 'started', handled_by: '流程员' });
  });

  test('can be waived by an administrator and by nobody else', async () => {
    const { workflow, id } = await scheduled();
    const due = await nextOf(workflow);
    await edit(workflow, (definition) => ({
      ...definition,
      settings: { ...definition.settings, limit: { ...definition.settings.limit, users: [head.userId] } },
    }));
    await publish(workflow);
    await reach(later(due, 1000));
    const [run] = await runsOf(id);
    expect(run!.message).toContain('“张三”不在流程');
    const one = { params: { id: run!.id } };
    const other = await app.clerk({ 'workflow/list': ['Create', 'Retrieve', 'Update', 'Delete'] }, { dataScope: 5 });
    expect((await other.get(schedules.list, { query: { workflow_id: workflow } })).value).toEqual([]);
    for (const call of [scheduleCalls.again, scheduleCalls.dismiss] as const)
      expect((await other.ask(call, one as never)).code).toBe(4004);
    expect((await other.ask(scheduleCalls.runs, { params: { id } })).code).toBe(4004);
    expect((await other.ask(schedules.add, { body: bodyOf(workflow) })).code).toBe(4004);
    await keeper.get(scheduleCalls.dismiss, one);
    expect(await keeper.ask(scheduleCalls.dismiss, one)).toRefuse(handledAlready, '已有人处理');
    expect((await runsOf(id))[0]).toMatchObject({ outcome: 'failed', handled_by: '流程员', actions: [] });
  });

  test('is stored finally: the database refuses another outcome for it', async () => {
    const { workflow, id } = await scheduled();
    await reach(later(await nextOf(workflow), 1000));
    const [run] = await runsOf(id);
    for (const change of ["set outcome = 'failed', ticket_id = null", 'set missed = 7'])
      await expect(
        app.services.databases.pool.query(`update workflow_schedule_run ${change} where id = ${run!.id}`),
      ).rejects.toThrow('what was done stands');
  });
});

describe('a schedule is refused at its creation', () => {
  test('when no ticket could be started by it, with the reason', async () => {
    const workflow = await flow();
    const add = (more: object = {}) => keeper.ask(schedules.add, { body: bodyOf(workflow, more) });
    expect(await add()).toRefuse(wouldNotStart, '流程还没有发布、已停用，或者由其他模块发起');
    await publish(workflow);
    expect((await add({ values: {} })).msg).toMatch(/^这样设定发起不了工单：.*标题/);
    expect(await add({ every: 2, weekdays: [] })).toRefuse(daysMissing, '星期');
    expect(await add({ every: 3, month_days: [] })).toRefuse(daysMissing, '日期');
    expect(await add({ begins_on: '2026-01-01', ends_on: '2026-01-31' })).toRefuse(noDates, '每天 09:00');
    expect((await add({ at_time: '9点' })).msg).toContain('请填写时间，如 09:00');
    expect((await add()).code).toBe(0);
  });
});

test('no scheduled run reported an error', () => expect(broken).toEqual([]));
