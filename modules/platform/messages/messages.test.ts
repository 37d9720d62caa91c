import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/platform/access/contract.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { everybodysRole } from '#modules/platform/access/service.ts';
import { ticketNews } from '#modules/workflow/tickets/notify/kinds.ts';
import { messages } from './contract.ts';
import { announce, closeTodo } from './service.ts';
import { receiptTable } from './tables.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const someone = async (dept?: number) => app.signIn(await app.person(dept === undefined ? {} : { dept }));
const sender = () => app.clerk({ 'msg/send': ['Create', 'Retrieve'] });
const titles = async (client: Client) => (await client.get(messages.unread)).value.map((one) => one.title);
const told = (
  tx: Db,
  id: number,
  people: readonly number[],
  { content = '有一张工单等您处理', by = null }: { content?: string; by?: number | null } = {},
) => announce(tx, ticketNews.TODO, { id }, { title: `请处理 ${id}`, content, by }, people);

test('a notice reaches chosen people, departments with subdepartments and roles, each person once', async () => {
  const above = await app.dept('教务处');
  const below = await app.dept('考务科', above);
  const first = await someone(above);
  const second = await someone(below);
  const outside = await someone();
  const author = await sender();
  const body = { title: '期末考务会', content: '周五下午三点', recipients: { users: [first.userId], depts: [above] } };
  expect(await author.get(messages.send, { body: body as never })).toMatchObject({ total: 2, publish_at: null });
  expect((await author.get(messages.sent)).value).toMatchObject([{ title: '期末考务会', state: 'published' }]);
  expect(await titles(first)).toEqual(['期末考务会']);
  expect(await titles(second)).toEqual(['期末考务会']);
  expect(await titles(outside)).toEqual([]);
});

test('a notice to the role that everybody has reaches all employees, though nobody was given it', async () => {
  const reader = await someone();
  const left = await app.person({ active: false });
  const { id } = (await app.admin.get(access.simpleRoles)).find((role) => role.code === everybodysRole)!;
  const author = await sender();
  const { id: toRole } = await author.get(messages.send, {
    body: { title: '发给前台', content: '人人可见', recipients: { roles: [id] } } as never,
  });
  const { id: toAll } = await author.get(messages.send, {
    body: { title: '发给所有人', content: '人人可见', recipients: { all: true } } as never,
  });
  expect((await titles(reader)).toSorted()).toEqual(['发给前台', '发给所有人']);
  const boxes = async (message: number) =>
    (await app.db.select({ id: receiptTable.user_id }).from(receiptTable).where(eq(receiptTable.msg_id, message)))
      .map((row) => row.id)
      .toSorted((a, b) => a - b);
  expect(await boxes(toRole)).toEqual(await boxes(toAll));
  expect(await boxes(toRole)).not.toContain(left.id);
});

test('a notice reaches the holders of a role, and all employees when it is for everybody', async () => {
  const { rows } = await app.db.execute<{ id: number; user: number }>(sql`
    select r.id, u.user_id "user" from role r join user_role u on u.role_id = r.id where u.user_id = ${(await sender()).userId}`);
  const [{ id: role, user } = { id: 0, user: 0 }] = rows;
  const [author, stranger, left] = [await sender(), await someone(), await app.person({ active: false })];
  const send = (body: object) => author.get(messages.send, { body: { content: '内容', ...body } as never });
  const got = async (id: number) =>
    (await app.db.execute<{ user_id: number }>(sql`select user_id from msg_user where msg_id = ${id}`)).rows.map(
      (row) => row.user_id,
    );
  const { id, total } = await send({ title: '给这个角色', recipients: { roles: [role] } });
  expect([total, await got(id)]).toEqual([1, [user]]);
  const everybody = await send({ title: '给全体', recipients: { all: true } });
  const { rows: working } = await app.db.execute<{ count: number }>(
    sql`select count(*)::int count from app_user where is_active and not is_deleted`,
  );
  const all = await got(everybody.id);
  expect([everybody.total, all.length]).toEqual([working[0]!.count, working[0]!.count]);
  expect([all.includes(stranger.userId), all.includes(user), all.includes(left.id)]).toEqual([true, true, false]);
  expect(await titles(stranger)).toEqual(['给全体']);
});

test('a notice to nobody, only to leavers, or without the permission is refused', async () => {
  const author = await sender();
  const left = await app.person({ active: false });
  const to = (users: number[]) => ({ body: { title: '通知', content: '内容', recipients: { users } } as never });
  expect(await author.ask(messages.send, to([]))).toMatchObject({
    code: -1,
    msg: expect.stringContaining('没有可以接收的人'),
  });
  expect((await author.ask(messages.send, to([left.id]))).code).toBe(-1);
  expect((await (await someone()).ask(messages.send, to([left.id]))).code).toBe(4003);
});

test('more than two hundred people are reached only with the permission for everybody', async () => {
  const crowd = await app.dept('全校');
  await app.services.databases.write((tx) =>
    tx.execute(sql`insert into app_user (username, alias, password, dept_id)
      select 'crowd' || n, '群众' || n, 'x', ${crowd} from generate_series(1, 201) n`),
  );
  const body = { title: '停水通知', content: '周六停水', recipients: { depts: [crowd] } } as never;
  const narrow = await app.clerk({ 'msg/send': ['Create'] }, { dataScope: 4 });
  expect(await narrow.ask(messages.send, { body })).toMatchObject({ code: -1, msg: expect.stringContaining('201 人') });
  const wide = await sender();
  expect(await wide.get(messages.send, { body })).toMatchObject({ total: 201 });
  const all = { title: '全体', content: '内容', recipients: { all: true } } as never;
  expect((await narrow.ask(messages.send, { body: all })).code).toBe(-1);
  const texted = await wide.ask(messages.send, { body: { ...(body as object), sms: true } as never });
  expect([texted.code, texted.msg]).toEqual([-1, expect.stringContaining('201 人，短信提醒最多 200 人')]);
});

test('opening a message marks it as read, for its person only, in counts and lists', async () => {
  const reader = await someone();
  const other = await someone();
  const author = await sender();
  await author.get(messages.send, {
    body: {
      title: '放假安排',
      content: '十月一日起放假',
      recipients: { users: [reader.userId, other.userId] },
    } as never,
  });
  const [row] = (await reader.get(messages.unread)).value;
  expect(await reader.get(messages.unreadCount)).toEqual({ count: 1, by_type: { 8: 1 } });
  expect(await reader.get(messages.get, { params: { id: row!.id } })).toMatchObject({
    content: '十月一日起放假',
    read_state: 2,
  });
  expect(await reader.get(messages.unreadCount)).toEqual({ count: 0, by_type: {} });
  expect((await reader.get(messages.read)).value.map((one) => one.id)).toEqual([row!.id]);
  expect(await reader.get(messages.count)).toEqual({ total: 1, unread: 0, today: 1 });
  expect(await other.get(messages.unreadCount)).toMatchObject({ count: 1 });
  await reader.get(messages.setRead, { params: { id: row!.id }, body: { read_state: 1 } });
  expect(await reader.get(messages.unreadCount)).toMatchObject({ count: 1 });
});

test('nobody reads, marks, confirms or deletes a message of another person', async () => {
  const owner = await someone();
  const thief = await someone();
  await (
    await sender()
  ).get(messages.send, {
    body: {
      title: '秘密安排',
      content: '只给您看',
      recipients: { users: [owner.userId] },
      need_receipt: true,
    } as never,
  });
  const [row] = (await owner.get(messages.unread)).value;
  const at = { params: { id: row!.id } };
  expect((await thief.ask(messages.get, at)).code).toBe(4004);
  expect((await thief.ask(messages.setRead, { ...at, body: { confirmed: true } })).code).toBe(4004);
  expect((await thief.ask(messages.remove, at)).code).toBe(4004);
  const several = { body: { ids: [row!.id] } };
  expect(await thief.ask(messages.removeSeveral, several)).toMatchObject({
    data: { count: 0 },
    msg: '所选消息不在您的收件箱里，没有删除',
  });
  expect(await thief.ask(messages.readAll, several)).toMatchObject({
    data: { count: 0 },
    msg: '没有未读的消息需要标记',
  });
  expect((await owner.ask(messages.setRead, { ...at, body: {} })).msg).toContain(
    '请说明标为已读、标为未读还是确认收到',
  );
  expect(await titles(owner)).toEqual(['秘密安排']);
  expect((await app.admin.ask(messages.get, at)).code).toBe(4004);
  expect((await thief.get(messages.read, { query: { all: true, search_value: '秘密' } as never })).total).toBe(0);
});

test('of one event of one record a person gets one message in ten minutes, however many report it', async () => {
  const reader = await someone();
  const tellIt = () => app.services.databases.write((tx) => told(tx, 7001, [reader.userId, reader.userId]));
  const counts = await Promise.all([tellIt(), tellIt(), tellIt(), tellIt()]);
  expect(counts.map((one) => one.length).toSorted()).toEqual([0, 0, 0, 1]);
  expect(await titles(reader)).toEqual(['请处理 7001']);
});

test('two acts with different texts are told twice, however soon, but automatic events are not', async () => {
  const reader = await someone();
  const say = (content: string, by: number | null) =>
    app.services.databases.write((tx) => told(tx, 7010, [reader.userId], { content, by }));
  const actor = (await someone()).userId;
  expect(await say('金额由 1 元改为 2 元', actor)).toEqual([reader.userId]);
  expect(await say('金额由 1 元改为 2 元', actor)).toEqual([]);
  expect(await say('金额由 2 元改为 3 元', actor)).toEqual([reader.userId]);
  expect(await say('已等待 3 分钟', null)).toEqual([]);
});

test('a to-do message disappears with its to-do for those who are done, and comes again with the next', async () => {
  const done = await someone();
  const waiting = await someone();
  const { write } = app.services.databases;
  await write((tx) => told(tx, 7002, [done.userId, waiting.userId]));
  await write((tx) => closeTodo(tx, { module: 'tickets', objectId: 7002, events: ['TODO'] }, [done.userId]));
  expect(await titles(done)).toEqual([]);
  expect(await titles(waiting)).toEqual(['请处理 7002']);
  await write((tx) => told(tx, 7002, [done.userId]));
  expect(await titles(done)).toEqual(['请处理 7002']);
});

test('all messages are marked as read at once, or all of one type', async () => {
  const reader = await someone();
  await app.services.databases.write((tx) => told(tx, 7003, [reader.userId]));
  await (
    await sender()
  ).get(messages.send, {
    body: { title: '公告', content: '看一下', recipients: { users: [reader.userId] } } as never,
  });
  expect(await reader.get(messages.readAll, { body: { type: 2 } })).toEqual({ count: 1 });
  expect(await titles(reader)).toEqual(['公告']);
  expect(await reader.get(messages.readAll, { body: {} })).toEqual({ count: 1 });
});
