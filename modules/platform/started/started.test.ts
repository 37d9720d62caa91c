import { sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { castOf } from '#apps/server/testing/school.ts';
import { activities } from '#modules/office/activities/contract/activities.ts';
import { contracts } from '#modules/office/contracts/contract/contracts.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { leaders } from '#modules/office/leaders/contract.ts';
import { meetCalls } from '#modules/office/meetings/contract/meetings.ts';
import { applicationCalls } from '#modules/office/stamps/contract/applications.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import { loanCalls } from '#modules/services/keys/contract.ts';
import { orders } from '#modules/services/orders/contract/orders.ts';
import { tickets } from '#modules/workflow/tickets/contract.ts';
import { ticketActions } from '#modules/workflow/tickets/contract/actions.ts';
import { started, type StartedRow } from './contract.ts';

let app: TestOffice;
let school: Awaited<ReturnType<typeof castOf>>;
/** All people of the demonstration who started anything, those with the most first. */
let starters: Client[];
beforeAll(async () => {
  app = await openTestApp({ demonstration: true });
  const { rows } = await app.db.$client.query<{ id: number }>(`
    select u.id from app_user u join lateral (select count(distinct biz_module) kinds, count(*) all_of
      from ticket t where t.creator_id = u.id and not t.is_deleted) started on all_of > 0 where u.is_active and u.type_id = 0
    order by kinds desc, all_of desc limit 8`);
  starters = [];
  for (const { id } of rows) starters.push(await app.signIn(id));
  school = await castOf(app, { dept: '后来的教务处', below: '后来的考试中心', elsewhere: '后来的图书馆' });
}, 480_000);
afterAll(() => app.close());

const change = (text: SQL) => app.services.databases.write((tx) => tx.execute(text));
const mine = (who: Client) => who.get(started.mine, {});
const list = (who: Client, query = {}) => who.get(started.list, { query: { per_page: 100, ...query } as never });
const rowOf = async (who: Client, of: number): Promise<StartedRow | undefined> =>
  (await list(who)).value.find((row) => row.of === of && row.key === 'ticket');

/** The list of a kind, as on its own page. */
const lists: Record<string, [call: (typeof documents)['list'], category: string]> = {
  documents: [documents.list, 'owner'],
  contracts: [contracts.list as never, 'owner'],
  meetings: [meetCalls.list as never, 'owner'],
  activities: [activities.list as never, 'owner'],
  stamps: [applicationCalls.list as never, 'owner'],
  leaders: [leaders.list as never, 'owner'],
  orders: [orders.list as never, 'owner'],
  keys: [loanCalls.list as never, 'owner'],
  supervision: [items.list as never, 'mine'],
};
const ownList = async (who: Client, key: string, search_value = '') => {
  const [call, category] = lists[key]!;
  return who.get(call, { query: { category, search_value, per_page: 100 } as never });
};

test('the list of started items counts as many of each kind as that kind’s own list, and their sum in total', async () => {
  const seen = new Set<string>();
  for (const who of starters) {
    const { total, running, value } = await mine(who);
    expect(value.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    expect((await list(who)).total).toBe(total);
    expect((await list(who, { stands: 'running' })).total).toBe(running);
    for (const { key, title, count } of value) {
      const { total: of, value: rows } = await list(who, { category: key });
      expect([key, of, [...new Set(rows.map((row) => row.kind))]]).toEqual([key, count, [title]]);
      if (!(key in lists)) continue;
      seen.add(key);
      const own = await ownList(who, key);
      expect([key, rows.map((row) => row.of).toSorted()]).toEqual([key, own.value.map((row) => row.id).toSorted()]);
    }
  }
  expect(seen.size).toBeGreaterThan(4);
});

test('a search in the started items finds the same as in each kind’s list, by title and ticket number', async () => {
  let tried = 0;
  for (const who of starters.slice(0, 4))
    for (const key of Object.keys(lists)) {
      const { value } = await list(who, { category: key }).catch(() => ({ value: [] }));
      const [row] = value;
      if (!row) continue;
      for (const words of [row.title.slice(0, 6), row.sn].filter((text) => text.length > 1)) {
        tried += 1;
        const found = (await list(who, { category: key, search_value: words })).value.map(({ of }) => of);
        const own = (await ownList(who, key, words)).value.map(({ id }) => id);
        expect([key, words, found.toSorted()]).toEqual([key, words, own.toSorted()]);
      }
    }
  expect(tried).toBeGreaterThan(8);
});

test('nobody finds another person’s started items there, whatever they see elsewhere', async () => {
  for (const who of [...starters, app.admin]) {
    const { value } = await list(who, { category: 'ticket' }).catch(() => ({ value: [] }));
    const { rows } = await app.db.$client.query<{ id: number }>(
      'select id from ticket where creator_id = $1 and not is_deleted',
      [who.userId],
    );
    const own = new Set(rows.map(({ id }) => id));
    expect(value.filter((row) => !own.has(row.of))).toEqual([]);
  }
});

test('a row shows state and handler, marks changes by others since the last look, and names nobody when finished', async () => {
  const { staff, head, begin, flowOf } = school;
  const flow = await flowOf('leave');
  const body = { kind: 'personal', reason: '看牙', from: '2099-12-01', to: '2099-12-02', days: 2 };
  const { id } = await begin(staff, flow, body);
  expect(await rowOf(staff, id)).toMatchObject({
    stands: 'running',
    who: '李四',
    stuck: false,
    news: false,
    state: { word: '待审' },
    web_path: `/ticket/detail/${id}`,
    copy_path: `/ticket/new?workflow=${flow}&like=${id}`,
  });
  await staff.get(tickets.get, { params: { id } });
  await head.get(ticketActions.comment, { params: { id }, body: { suggestion: '请补材料', mentions: [] } as never });
  expect(await rowOf(staff, id)).toMatchObject({ news: true });
  await staff.get(tickets.get, { params: { id } });
  expect(await rowOf(staff, id)).toMatchObject({ news: false });
  const row = (await rowOf(staff, id))!;
  expect(row.ticket).toEqual({ id, version: (await staff.get(tickets.get, { params: { id } })).value.version });
  await staff.get(ticketActions.retreat, {
    params: { id },
    body: { suggestion: '不去了', version: row.ticket!.version } as never,
  });
  expect(await rowOf(staff, id)).toMatchObject({ state: { word: '已撤回' }, who: '张三' });
  await staff.get(ticketActions.close, { params: { id }, body: { suggestion: '不去了' } as never });
  expect(await rowOf(staff, id)).toMatchObject({ stands: 'over', who: '', step: '', stuck: false });
  expect((await list(staff, { stands: 'running' })).value.map(({ of }) => of)).not.toContain(id);
});

test('a running item that nobody handles says so', async () => {
  const { staff, begin, flowOf } = school;
  const flow = await flowOf('leave');
  const body = { kind: 'personal', reason: '体检', from: '2099-12-03', to: '2099-12-03', days: 1 };
  const { id } = await begin(staff, flow, body);
  await change(
    sql`update ticket_task set status = 'cancelled', decided_at = now() where ticket_id = ${id} and status = 'todo'`,
  );
  expect(await rowOf(staff, id)).toMatchObject({ stuck: true, who: '' });
});

test('a kind whose page the person does not have is left out, and its tickets appear among the tickets', async () => {
  const who = starters[0]!;
  const { value } = await mine(who);
  const kind = value.find(({ key }) => key in lists && key !== 'supervision' && key !== 'orders')!;
  const tickets = value.find(({ key }) => key === 'ticket')?.count ?? 0;
  const only = await app.clerk({ 'ticket/owner': ['Retrieve'] });
  const moved = await change(
    sql`update ticket set creator_id = ${only.userId} where creator_id = ${who.userId} and biz_module = ${kind.key} returning id`,
  );
  expect((await mine(only)).value).toEqual([
    { key: 'ticket', title: '工单', count: moved.rowCount, running: expect.any(Number) },
  ]);
  expect(await only.ask(started.list, { query: { category: kind.key } as never })).toMatchObject({ code: 4004 });
  await change(sql`update ticket set creator_id = ${who.userId} where creator_id = ${only.userId}`);
  expect(tickets).toBe((await mine(who)).value.find(({ key }) => key === 'ticket')?.count ?? 0);
});

test('no two kinds of started items have the same name', () => {
  const keys = app.services.product.started.map((one) => one.key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThan(8);
});

test('all kinds are counted in one statement, and each kind on a page costs at most two more', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const [who] = starters;
  const kinds = app.services.product.started.length;
  await mine(who!);
  await list(who!);
  const counts = await counted(who!, () => mine(who!));
  const listed = await counted(who!, () => list(who!));
  for (const statements of [counts, listed])
    expect(statements.filter((text) => text.includes('started_0'))).toHaveLength(1);
  expect(counts.length, JSON.stringify(counts, null, 1)).toBeLessThanOrEqual(kinds);
  expect(listed.length, JSON.stringify(listed, null, 1)).toBeLessThanOrEqual(2 * kinds);
});
