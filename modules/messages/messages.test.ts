import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/access/contract.ts';
import { everybodysRole } from '#modules/access/service.ts';
import { messages } from './contract.ts';
import { closeTodo, notifyPeople, type News } from './service.ts';
import { receiptTable } from './tables.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const someone = async (dept?: number) => app.signIn(await app.person(dept === undefined ? {} : { dept }));
const sender = () => app.clerk({ 'msg/send': ['Create', 'Retrieve'] });
const titles = async (client: Client) => (await client.get(messages.unread)).value.map((one) => one.title);
const todo = (objectId: number): News => ({
  title: `请处理 ${objectId}`,
  content: '有一张工单等您处理',
  type: 2,
  module: 'tickets',
  objectId,
  event: 'TODO',
  webPath: `/ticket/detail/${objectId}`,
});

test('a notice reaches the chosen people, a department with all below it and a role, each person once', async () => {
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

test('a notice to the role that everybody holds reaches whoever works here, though nobody was given it', async () => {
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
    (await app.db.select({ id: receiptTable.userId }).from(receiptTable).where(eq(receiptTable.messageId, message)))
      .map((row) => row.id)
      .toSorted((a, b) => a - b);
  expect(await boxes(toRole)).toEqual(await boxes(toAll));
  expect(await boxes(toRole)).not.toContain(left.id);
});

test('a notice reaches whoever has a role, and everybody who works here when it is for all', async () => {
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

test('a notice to nobody, to people who left only, or without the grant is refused', async () => {
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

test('more than two hundred people are reached only with the right that reaches everybody', async () => {
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

test('opening a message reads it; the counts, the lists and the other people agree', async () => {
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
  await reader.get(messages.mark, { params: { id: row!.id }, body: { read_state: 1 } });
  expect(await reader.get(messages.unreadCount)).toMatchObject({ count: 1 });
});

test('nobody reads, marks, confirms or deletes a message in somebody else’s box', async () => {
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
  expect((await thief.ask(messages.mark, { ...at, body: { confirmed: true } })).code).toBe(4004);
  expect((await thief.ask(messages.remove, at)).code).toBe(4004);
  expect(await thief.get(messages.removeSeveral, { body: { ids: [row!.id] } })).toEqual({ count: 0 });
  expect(await thief.get(messages.readAll, { body: { ids: [row!.id] } })).toEqual({ count: 0 });
  expect(await titles(owner)).toEqual(['秘密安排']);
  expect((await app.admin.ask(messages.get, at)).code).toBe(4004);
  expect((await thief.get(messages.read, { query: { all: true, search_value: '秘密' } as never })).total).toBe(0);
});

test('a receipt is confirmed once and the sender sees who has not read', async () => {
  const reader = await someone();
  const late = await app.person({ alias: '迟未读' });
  const author = await sender();
  await author.get(messages.send, {
    body: {
      title: '签收',
      content: '请确认',
      recipients: { users: [reader.userId, late.id] },
      need_receipt: true,
    } as never,
  });
  const [row] = (await reader.get(messages.unread)).value;
  await reader.get(messages.mark, { params: { id: row!.id }, body: { confirmed: true } });
  const first = await reader.get(messages.get, { params: { id: row!.id } });
  await reader.get(messages.mark, { params: { id: row!.id }, body: { confirmed: true, read_state: 1 } });
  expect(await reader.get(messages.get, { params: { id: row!.id } })).toEqual(first);
  const [notice] = (await author.get(messages.sent)).value;
  expect(notice).toMatchObject({ total: 2, read: 1, confirmed: 1, unread_names: ['迟未读'] });
});

test('who confirmed a notice and marks it unread for themselves stays, for its sender, one who has read and confirmed it', async () => {
  const reader = await someone();
  const author = await sender();
  const body = { title: '签收之后', content: '请确认', recipients: { users: [reader.userId] }, need_receipt: true };
  const { id } = await author.get(messages.send, { body: body as never });
  const at = { params: { id: (await reader.get(messages.unread)).value[0]!.id } };
  await reader.get(messages.mark, { ...at, body: { confirmed: true } });
  await reader.get(messages.mark, { ...at, body: { read_state: 1 } });
  expect(await titles(reader)).toEqual(['签收之后']);
  const readers = async (state: number) =>
    (await author.get(messages.readers, { params: { id }, query: { state } })).value.map((one) => [
      one.state_name,
      one.read_time === one.confirmed_at,
    ]);
  expect([await readers(1), await readers(3)]).toEqual([[], [['已确认', true]]]);
  expect((await author.get(messages.sent)).value).toMatchObject([{ read: 1, confirmed: 1, unread_names: [] }]);
});

test('who has not read, has read and has confirmed a notice, and when, its sender learns of all of them, by pages, and nobody else but the super administrator', async () => {
  const dept = await app.dept('通知接收处');
  const [keen, quick, slow] = [await someone(dept), await someone(dept), await someone(dept)];
  const author = await sender();
  const body = {
    title: '名单',
    content: '请确认',
    recipients: { users: [keen, quick, slow].map((one) => one.userId) },
    need_receipt: true,
  };
  const { id } = await author.get(messages.send, { body: body as never });
  const own = async (who: Client) => ({ params: { id: (await who.get(messages.unread)).value[0]!.id } });
  await quick.get(messages.get, await own(quick));
  await keen.get(messages.mark, { ...(await own(keen)), body: { confirmed: true } });
  const readers = (who: Client, query: object) => who.get(messages.readers, { params: { id }, query });
  const stands = (page: Awaited<ReturnType<typeof readers>>) => page.value.map((one) => [one.id, one.state_name]);
  const all = await readers(author, {});
  expect(stands(all)).toEqual([
    [slow.userId, '未读'],
    [quick.userId, '已读'],
    [keen.userId, '已确认'],
  ]);
  expect(all.value.map((one) => [one.dept_name, !one.read_time, !one.confirmed_at])).toEqual([
    ['通知接收处', true, true],
    ['通知接收处', false, true],
    ['通知接收处', false, false],
  ]);
  expect(stands(await readers(author, { state: 2 }))).toEqual([[quick.userId, '已读']]);
  expect(await readers(author, { per_page: 2, page: 2 })).toMatchObject({ total: 3, value: [{ id: keen.userId }] });
  expect((await readers(app.admin, {})).total).toBe(3);
  for (const stranger of [keen, await sender()])
    expect((await stranger.ask(messages.readers, { params: { id } })).code).toBe(4004);
  const listed = async (who: Client) =>
    (await who.get(messages.sent, { query: { search_value: '名单' } })).value.map((one) => one.id);
  expect([await listed(author), await listed(app.admin), await listed(await sender())]).toEqual([[id], [id], []]);
});

test('only its sender and the super administrator recall a message; then nobody sees it, and recalling again says so', async () => {
  const reader = await someone();
  const author = await sender();
  const made = await author.get(messages.send, {
    body: { title: '发错了', content: '请忽略', recipients: { users: [reader.userId] } } as never,
  });
  const at = { params: { id: made.id } };
  expect((await reader.ask(messages.recall, at)).code).toBe(4003);
  expect((await (await sender()).ask(messages.recall, at)).code).toBe(4004);
  await author.get(messages.recall, at);
  expect(await titles(reader)).toEqual([]);
  expect(await reader.get(messages.unreadCount)).toMatchObject({ count: 0 });
  expect(await author.ask(messages.recall, at)).toMatchObject({ code: -1, msg: expect.stringContaining('撤回') });
  const other = await author.get(messages.send, {
    body: { title: '又发错了', content: '请忽略', recipients: { users: [reader.userId] } } as never,
  });
  expect(await titles(reader)).toEqual(['又发错了']);
  await app.admin.get(messages.recall, { params: { id: other.id } });
  expect(await titles(reader)).toEqual([]);
});

test('a notice for later is in nobody’s box before its time, and stands as not published yet with its sender', async () => {
  const reader = await someone();
  const author = await sender();
  const later = {
    title: '明年再看',
    content: '到时见',
    recipients: { users: [reader.userId] },
    publish_at: '2099-01-01T08:00',
  };
  expect(await author.get(messages.send, { body: later as never })).toMatchObject({
    publish_at: '2099-01-01 08:00:00',
  });
  expect(await titles(reader)).toEqual([]);
  expect(await reader.get(messages.count)).toMatchObject({ total: 0 });
  expect((await author.get(messages.sent)).value).toMatchObject([{ title: '明年再看', state: 'ahead' }]);
  const never = {
    title: '不存在的日子',
    content: '无',
    recipients: { users: [reader.userId] },
    publish_at: '2026-02-30T08:00',
  };
  expect((await (await sender()).ask(messages.send, { body: never as never })).msg).toContain('发布时间');
  const past = { ...never, title: '迟了的通知', publish_at: '2026-01-01T08:00' };
  const refused = await author.ask(messages.send, { body: past as never });
  expect([refused.code, refused.msg]).toEqual([-1, expect.stringContaining('2026-01-01 08:00 已经过去')]);
});

test('what one deletes, one by one or several, is gone from one’s lists and counts and stays with the others', async () => {
  const [tidy, other] = [await someone(), await someone()];
  const author = await sender();
  for (const title of ['甲', '乙', '丙'])
    await author.get(messages.send, {
      body: { title, content: '内容', recipients: { users: [tidy.userId, other.userId] } } as never,
    });
  const [third, second, first] = (await tidy.get(messages.unread)).value;
  await tidy.get(messages.remove, { params: { id: first!.id } });
  expect(await titles(tidy)).toEqual(['丙', '乙']);
  expect((await tidy.ask(messages.remove, { params: { id: first!.id } })).code).toBe(4004);
  expect(await tidy.get(messages.removeSeveral, { body: { ids: [second!.id, third!.id, first!.id] } })).toEqual({
    count: 2,
  });
  expect(await tidy.get(messages.count)).toEqual({ total: 0, unread: 0, today: 0 });
  expect(await tidy.get(messages.unreadCount)).toEqual({ count: 0, by_type: {} });
  expect(await titles(other)).toEqual(['丙', '乙', '甲']);
});

test('a notice for later leaves the house when it is published: its time is the house’s own, and one of another zone is refused', async () => {
  const reader = await someone();
  await reader.get(messages.keepPreference, { body: { events: { NOTICE: ['mail'] } } });
  const author = await sender();
  const at = (publish_at: string) =>
    author.ask(messages.send, {
      body: { title: '明年例会', content: '九点', recipients: { users: [reader.userId] }, publish_at } as never,
    });
  for (const strange of ['2099-01-01T08:00:00Z', '2099-01-01T08:00:00+02:00', '2099-01-01T08:00:00.5', '明天'])
    expect(await at(strange), strange).toMatchObject({ code: 4000, msg: expect.stringContaining('发布时间') });
  const { data } = await at('2099-01-01T08:00:30');
  const { rows: moments } = await app.services.databases.pool.query(
    `select publish_at from msg where id = $1 union select run_at from graphile_worker.jobs
      where key in ('publish:' || $1, 'outside:' || $1 || ':' || $2)`,
    [data!.id, reader.userId],
  );
  expect(moments).toEqual([{ publish_at: expect.stringContaining('2099-01-01 08:00:30') }]);
});

test('of one event of one record nobody hears twice in ten minutes, however many tell it at once', async () => {
  const reader = await someone();
  const tellIt = () =>
    app.services.databases.write((tx) => notifyPeople(tx, todo(7001), [reader.userId, reader.userId]));
  const told = await Promise.all([tellIt(), tellIt(), tellIt(), tellIt()]);
  expect(told.toSorted()).toEqual([0, 0, 0, 1]);
  expect(await titles(reader)).toEqual(['请处理 7001']);
});

test('a to-do message goes when the to-do goes, for those who are done, and comes again with the next', async () => {
  const done = await someone();
  const waiting = await someone();
  const { write } = app.services.databases;
  await write((tx) => notifyPeople(tx, todo(7002), [done.userId, waiting.userId]));
  await write((tx) => closeTodo(tx, { module: 'tickets', objectId: 7002, events: ['TODO'] }, [done.userId]));
  expect(await titles(done)).toEqual([]);
  expect(await titles(waiting)).toEqual(['请处理 7002']);
  await write((tx) => notifyPeople(tx, todo(7002), [done.userId]));
  expect(await titles(done)).toEqual(['请处理 7002']);
});

test('all are read at once, or all of a type', async () => {
  const reader = await someone();
  await app.services.databases.write((tx) => notifyPeople(tx, todo(7003), [reader.userId]));
  await (
    await sender()
  ).get(messages.send, {
    body: { title: '公告', content: '看一下', recipients: { users: [reader.userId] } } as never,
  });
  expect(await reader.get(messages.readAll, { body: { type: 2 } })).toEqual({ count: 1 });
  expect(await titles(reader)).toEqual(['公告']);
  expect(await reader.get(messages.readAll, { body: {} })).toEqual({ count: 1 });
});
