import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { workingMinutesBetween, calendarOf } from '#modules/platform/calendars/service.ts';
import { stateActions, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { workflowGrantTable } from '#modules/workflow/workflows/tables.ts';
import { ticketActions as actions } from './contract/actions.ts';
import { tickets } from './contract.ts';
import { actOnOverdue } from './automation/overdue.ts';
import { addFlow } from './testing/flow.ts';
import { stop } from './testing/stop.ts';

let app: TestOffice;
let [staff, one, two, admin]: Client[] = [];
let [pool, timed]: number[] = [];
const clerks = ['张三', '李四', '王五', '赵六'];

beforeAll(async () => {
  app = await openTestApp();
  const dept = await app.dept();
  const hired: Client[] = [];
  for (const alias of clerks) hired.push(await app.clerk({ 'ticket/new': ['Create'] }, { alias, dept, dataScope: 5 }));
  [staff, one, two, admin] = hired;
  const flow = (name: string, state: Partial<DefinitionInput['states'][number]>): DefinitionInput => ({
    name,
    fields: [],
    settings: {
      title_template: '{workflow}',
      number_rule: { prefix: name === '接单' ? 'RA' : 'RB', digits: 4, period: 'day' },
    },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      {
        id: 2,
        key: 'work',
        name: '办理',
        kind: 'handle',
        order: 2,
        participants: [{ type: 2, users: [one!.userId, two!.userId] }],
        actions: stateActions.filter((action) => action !== 'sign'),
        ...state,
      },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { id: 1, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 2, key: 'done', name: '完成', source: 2, destination: 3, attribute: 1 },
    ],
  });
  pool = await addFlow(app, 'pool', flow('接单', { distribution: { type: 1 } }));
  timed = await addFlow(app, 'rest', flow('限时', { timeout: { hours: 16, working_time: true, action: 2 } }));
  await app.services.databases.write((tx) =>
    tx.insert(workflowGrantTable).values(
      [pool!, timed!].map((workflow_id) => ({
        workflow_id,
        permission: 'intervene' as const,
        holder_type: 'user' as const,
        holder: String(admin!.userId),
      })),
    ),
  );
}, 180_000);
afterAll(() => app.close());

const begin = async (workflow_id: number, more: object = {}) =>
  (await staff!.get(tickets.start, { body: { workflow_id, transition_id: 1, ...more } })).id;
type Action = 'release' | 'suspend' | 'resume' | 'revoke' | 'close' | 'comment';
const act = (who: Client, action: Action, id: number, body: object = {}) =>
  who.ask(actions[action] as typeof actions.suspend, {
    params: { id },
    body: { suggestion: '说明', ...body } as never,
  });
const accept = (who: Client, id: number) => who.ask(tickets.accept, { params: { id }, body: {} });
const finish = (who: Client, id: number) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id: 2, suggestion: '好' } });
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const codes = async (who: Client, id: number) => (await detail(who, id)).transitions.map((offer) => offer.code);

describe('a claimed task', () => {
  test('is released to its candidates, each of whom may claim it again and is told so', async () => {
    const id = await begin(pool!);
    expect((await act(one!, 'release', id)).code).toBe(4010);
    await accept(one!, id);
    expect(await codes(one!, id)).toContain('release');
    expect((await act(two!, 'release', id)).code).toBe(4010);
    expect((await act(one!, 'release', id)).msg).toBe('已退还，其他人可以接单');
    expect((await finish(one!, id)).code).toBe(4010);
    expect([(await codes(one!, id))[0], (await codes(two!, id))[0]]).toEqual(['accept', 'accept']);
    const { rows } = await app.db.execute(sql`select 1 from msg m join msg_user u on u.msg_id = m.id
      where m.event = 'TODO' and m.object_id = ${id} and u.user_id = ${two!.userId} and u.closed_at is null`);
    expect(rows).toHaveLength(1);
    await accept(two!, id);
    expect((await finish(two!, id)).code).toBe(0);
  });

  test('cannot be released by a person who got it by hand-over, nor to candidates who have left', async () => {
    const id = await begin(pool!);
    await accept(one!, id);
    const { username } = (await detail(admin!, id)).creator_info;
    expect(username).not.toBe('');
    await app.services.databases.write((tx) =>
      tx.execute(sql`update app_user set is_active = false where id = ${two!.userId}`),
    );
    await act(one!, 'release', id);
    await app.services.databases.write((tx) =>
      tx.execute(sql`update app_user set is_active = true where id = ${two!.userId}`),
    );
    expect((await detail(one!, id)).participant_info.participant_alias).toBe('李四');
  });
});

describe('a suspended ticket', () => {
  test('cannot be handled until it is resumed, may be commented on, and shows that it is suspended', async () => {
    const id = await begin(timed!);
    expect((await act(one!, 'suspend', id, { suggestion: ' ' })).code).toBe(4000);
    expect((await act(staff!, 'suspend', id)).code).toBe(4010);
    expect((await act(one!, 'suspend', id)).msg).toBe('已挂起，办理时限暂停计算');
    expect([(await detail(staff!, id)).suspended, (await finish(one!, id)).msg]).toEqual([true, expect.any(String)]);
    expect((await finish(two!, id)).msg).toBe('工单已挂起，恢复后才能办理');
    expect(await codes(two!, id)).toEqual(['resume', 'cc', 'comment']);
    expect(await codes(staff!, id)).toEqual(['retreat', 'comment']);
    expect((await act(staff!, 'comment', id)).code).toBe(0);
    expect((await act(two!, 'resume', id)).code).toBe(0);
    expect((await finish(two!, id)).code).toBe(0);
  });

  test('has no deadline while suspended, and the remaining time afterwards', async () => {
    const id = await begin(timed!);
    const moment = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;
    const clock = async () => {
      const { rows } = await app.db.$client.query<{ due: number; task: number; paused: string }>(
        `select ${moment('k.decision_deadline')} as due, ${moment('w.due_at')} as task, t.paused_ms as paused
         from ticket t join ticket_token k on k.ticket_id = t.id
         join ticket_task w on w.ticket_id = t.id and w.status = 'todo' where t.id = $1 limit 1`,
        [id],
      );
      return rows[0]!;
    };
    await act(admin!, 'suspend', id);
    expect((await detail(staff!, id)).due_at).toBeNull();
    const { pool: connections } = app.services.databases;
    await connections.query(`update ticket set suspended_at = suspended_at - interval '10 days' where id = $1`, [id]);
    await connections.query(
      `update ticket_token set decision_deadline = decision_deadline - interval '10 days' where ticket_id = $1`,
      [id],
    );
    const year = new Date(Date.now() + 365 * 86_400_000);
    expect(await app.services.databases.write((tx) => actOnOverdue(tx, year, stop))).toBe(false);
    const before = await clock();
    await act(admin!, 'resume', id);
    const after = await clock();
    const calendar = await app.services.databases.write((tx) => calendarOf(tx));
    const since = new Date(Date.now() - 10 * 86_400_000);
    const left = workingMinutesBetween(since, new Date(before.due), calendar);
    expect(Math.abs(workingMinutesBetween(new Date(), new Date(after.due), calendar) - left)).toBeLessThan(2);
    expect([after.due > before.due, Number(after.paused) >= 10 * 86_400_000]).toEqual([true, true]);
    expect(after.task).toBe(after.due);
    expect((await detail(staff!, id)).due_at).not.toBeNull();
  });

  test('is no longer suspended once it is closed or withdrawn', async () => {
    for (const end of [
      (id: number) => act(admin!, 'close', id),
      (id: number) => staff!.ask(actions.retreat, { params: { id }, body: {} }),
    ]) {
      const id = await begin(timed!);
      await act(one!, 'suspend', id);
      expect((await end(id)).code).toBe(0);
      expect((await detail(staff!, id)).suspended).toBe(false);
    }
  });
});

test('child tickets of a closed ticket are closed with it at every depth, and their people are told', async () => {
  const top = await begin(timed!);
  const child = await begin(timed!, { parent_ticket_id: top });
  const below = await begin(timed!, { parent_ticket_id: child });
  const done = await begin(timed!, { parent_ticket_id: top });
  await finish(one!, done);
  expect((await act(admin!, 'close', top)).code).toBe(0);
  const states = await Promise.all(
    [top, child, below, done].map(async (id) => (await detail(staff!, id)).act_state_id),
  );
  expect(states).toEqual([5, 5, 5, 4]);
  const { value } = await staff!.get(tickets.flowlogs, { params: { id: below } });
  expect([value.at(-1)!.participant_info, value.at(-1)!.suggestion]).toEqual([
    null,
    `上级工单 ${(await detail(staff!, child)).sn} 已关闭`,
  ]);
  const { rows } = await app.db.execute(sql`select 1 from msg m join msg_user u on u.msg_id = m.id
    where m.event = 'TODO' and m.object_id = ${below} and u.closed_at is null`);
  expect(rows).toEqual([]);
});

test('child tickets outside any stay of their parent run independently: either finishes without the other', async () => {
  const top = await begin(timed!);
  const [first, second] = [
    await begin(timed!, { parent_ticket_id: top }),
    await begin(timed!, { parent_ticket_id: top }),
  ];
  await finish(one!, first);
  expect((await detail(staff!, top)).act_state_id, 'nothing moves it').toBe(1);
  expect((await finish(one!, top)).code).toBe(0);
  expect((await detail(staff!, second)).act_state_id).toBe(1);
  expect((await finish(one!, second)).code).toBe(0);
});

test('a finished ticket is revoked by an intervener with a reason, and stays revoked', async () => {
  const id = await begin(timed!);
  expect((await act(admin!, 'revoke', id)).code).toBe(4010);
  await finish(one!, id);
  expect((await act(staff!, 'revoke', id)).code).toBe(4010);
  expect((await act(admin!, 'revoke', id, { suggestion: '' })).code).toBe(4000);
  expect((await act(admin!, 'revoke', id)).msg).toBe('已作废');
  const seen = await detail(staff!, id);
  expect([seen.act_state_id, seen.act_state_name, seen.transitions.map((offer) => offer.code)]).toEqual([
    5,
    '已作废',
    ['comment'],
  ]);
  const { rows } = await app.db.execute(
    sql`select u.user_id as id from msg m join msg_user u on u.msg_id = m.id where m.event = 'REVOKED' and m.object_id = ${id}`,
  );
  expect(rows.map((row) => row['id']).toSorted(), 'who decided it hears of it too').toEqual(
    [staff!.userId, one!.userId].toSorted(),
  );
});
