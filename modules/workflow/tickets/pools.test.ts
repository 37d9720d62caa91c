import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { and, asc, eq, sql } from 'drizzle-orm';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { userRoleTable, userTable } from '#modules/platform/people/tables.ts';
import { tickets } from './contract.ts';
import { ticketTaskTable } from './tables.ts';
import { addFlow } from './testing/flow.ts';
import { headAgrees, repairCast } from './testing/repair.ts';

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
let mate: Client;
let role: number;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
  mate = await cast.clerk('钱七', { roles: ['order_handler'] });
  const [found] = await app.db.select().from(roleTable).where(eq(roleTable.code, 'order_handler'));
  role = found!.id;
}, 180_000);
afterAll(() => app.close());

const joins = (who: Client) =>
  app.services.databases.write((tx) => tx.insert(userRoleTable).values({ user_id: who.userId, role_id: role }));
const leaves = (who: Client) =>
  app.services.databases.write((tx) =>
    tx.delete(userRoleTable).where(and(eq(userRoleTable.user_id, who.userId), eq(userRoleTable.role_id, role))),
  );
/** A service ticket that any handler may claim. */
const pooled = async () => {
  const id = await cast.waiting();
  await cast.does(cast.head, id, headAgrees);
  return id;
};
const badge = async (who: Client) => (await who.get(tickets.jiaobiao)).total;
const told = async (who: Client, id: number) =>
  (await who.get(messages.unread, { query: { per_page: 100 } })).value.filter((one) =>
    one.web_path.endsWith(`/ticket/detail/${id}`),
  ).length;
/** The people a ticket waits for, and whether they must claim it first. */
const holders = async (id: number) => {
  const rows = await app.db
    .select({ person: ticketTaskTable.assignee_id, pooled: ticketTaskTable.pooled })
    .from(ticketTaskTable)
    .where(and(eq(ticketTaskTable.ticket_id, id), eq(ticketTaskTable.status, 'todo')))
    .orderBy(asc(ticketTaskTable.assignee_id));
  return rows.map(({ person, pooled }) => [person, pooled]);
};
/** Waits until no more candidate jobs are queued. */
const asked = () =>
  eventually(async () => {
    const { rows } = await app.db.execute(sql`select from graphile_worker.jobs where key like 'pools:%'`);
    expect(rows).toHaveLength(0);
  });

test('a person who gets a role finds its tasks in list, badge and message; one who loses it has none, but keeps the history', async () => {
  const id = await pooled();
  const { helper } = cast;
  expect([await badge(helper), await cast.duties(helper)]).toEqual([0, []]);
  await joins(helper);
  await eventually(async () => expect(await cast.duties(helper)).toContain(id));
  expect([await badge(helper), await told(helper, id)]).toEqual([1, 1]);
  expect(await cast.codesOf(helper, id)).toContain('accept');
  await leaves(helper);
  await eventually(async () => expect(await cast.duties(helper)).toEqual([]));
  expect([await badge(helper), await told(helper, id)]).toEqual([0, 0]);
  expect((await helper.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(4010);
  const { value } = await cast.staff.get(tickets.flowlogs, { params: { id }, query: { per_page: 100 } });
  expect(value.map((row) => [row.transition.transition_name, row.participant_info?.alias ?? null])).toEqual([
    ['提交', '张三'],
    ['同意', '李四'],
    ['办理人变动', null],
    ['办理人变动', null],
  ]);
  expect((await mate.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
});

test('a person whose account was deactivated is no longer asked as a member of a role', async () => {
  const gone = await cast.clerk('吴十', { roles: ['order_handler'] });
  const id = await pooled();
  expect((await holders(id)).map(([person]) => person)).toContain(gone.userId);
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ is_active: false }).where(eq(userTable.id, gone.userId)),
  );
  await eventually(async () => expect((await holders(id)).map(([person]) => person)).not.toContain(gone.userId));
});

test('a person who joins a role while a ticket is on its way to it gets the task too', async () => {
  const comer = await cast.clerk('冯十二');
  const id = await cast.waiting();
  const { pool } = app.services.databases;
  const [change, holder] = [await pool.connect(), await pool.connect()];
  try {
    await change.query('begin');
    await change.query('insert into user_role (user_id, role_id) values ($1, $2)', [comer.userId, role]);
    // Held up after it has read the role's members, before its tasks exist.
    await holder.query('begin; lock table ticket_task in share row exclusive mode');
    const agreed = cast.does(cast.head, id, headAgrees);
    await eventually(async () => {
      const { rows } = await holder.query(
        `select from pg_locks where relation = 'ticket_task'::regclass and not granted`,
      );
      expect(rows).toHaveLength(1);
    });
    await change.query('commit');
    await eventually(async () => {
      const { rows } = await holder.query('select locked_at from graphile_worker.jobs where key = $1', [
        `pools:${comer.userId}`,
      ]);
      expect(rows.filter((row) => row.locked_at === null)).toEqual([]);
    });
    await holder.query('commit');
    expect((await agreed).code).toBe(0);
  } finally {
    for (const client of [change, holder]) {
      await client.query('rollback');
      client.release();
    }
  }
  await eventually(async () => expect(await cast.duties(comer)).toContain(id));
});

test('a timer keeps running when the people it waits for change', async () => {
  const flow = await addFlow(app, 'pooltimer', {
    name: '限时认领',
    fields: [],
    settings: { title_template: '{workflow}', number_rule: { prefix: 'XS', digits: 4, period: 'day' } },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      {
        id: 2,
        key: 'claim',
        name: '认领',
        kind: 'handle',
        order: 2,
        participants: [{ type: 4, roles: ['order_handler'] }],
        distribution: { type: 1 },
      },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { id: 2, key: 'submit', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 3, key: 'done', name: '完成', source: 2, destination: 3, attribute: 1, timer: 36_000 },
    ],
  });
  const { id } = await cast.staff.get(tickets.start, { body: { workflow_id: flow, transition_id: 2 } });
  const timer = async () => {
    const { rows } = await app.db.execute(sql`select timer_at from ticket_token where ticket_id = ${id}`);
    return rows[0]?.['timer_at'];
  };
  const set = await timer();
  expect(set).toEqual(expect.any(String));
  const comer = await cast.clerk('陈十三');
  await joins(comer);
  await eventually(async () => expect(await cast.duties(comer)).toContain(id));
  expect(await timer(), 'others were asked, nothing was done').toBe(set);
  expect((await mate.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
  expect(await timer(), 'whoever claims it begins to work').not.toBe(set);
});

test('when a member claims a task and loses the role at once, the task stays claimed or waits for the others', async () => {
  const racer = await cast.clerk('郑十一', { roles: ['order_handler'] });
  await asked();
  const ids: number[] = [];
  for (let count = 0; count < 6; count++) ids.push(await pooled());
  const members = await app.db
    .select({ user_id: userRoleTable.user_id })
    .from(userRoleTable)
    .innerJoin(userTable, eq(userTable.id, userRoleTable.user_id))
    .where(and(eq(userRoleTable.role_id, role), eq(userTable.is_active, true)));
  const others = members
    .map(({ user_id: userId }) => userId)
    .filter((id) => id !== racer.userId)
    .toSorted((a, b) => a - b);
  const [first, ...rest] = ids;
  const claims = [racer.ask(tickets.accept, { params: { id: first! }, body: {} }), leaves(racer).then(() => null)];
  claims.push(...rest.map((id) => racer.ask(tickets.accept, { params: { id }, body: {} })));
  const answers = (await Promise.all(claims)).filter((answer) => answer !== null);
  await asked();
  for (const [index, id] of ids.entries())
    expect([id, await holders(id)]).toEqual([
      id,
      answers[index]!.code === 0 ? [[racer.userId, false]] : others.map((person) => [person, true]),
    ]);
});
