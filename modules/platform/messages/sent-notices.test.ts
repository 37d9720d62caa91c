import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { delegationNews } from '#modules/workflow/delegations/news.ts';
import { messages } from './contract.ts';
import { announce } from './service.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const someone = async (dept?: number) => app.signIn(await app.person(dept === undefined ? {} : { dept }));
const sender = () => app.clerk({ 'msg/send': ['Create', 'Retrieve'] });
const titles = async (client: Client) => (await client.get(messages.unread)).value.map((one) => one.title);
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
  const meant = { recipients: { users: [reader.userId, late.id, reader.userId] } };
  expect(await author.get(messages.reach, { body: meant as never })).toEqual({ total: 2 });
  const [row] = (await reader.get(messages.unread)).value;
  await reader.get(messages.setRead, { params: { id: row!.id }, body: { confirmed: true } });
  const first = await reader.get(messages.get, { params: { id: row!.id } });
  await reader.get(messages.setRead, { params: { id: row!.id }, body: { confirmed: true, read_state: 1 } });
  expect(await reader.get(messages.get, { params: { id: row!.id } })).toEqual(first);
  const [notice] = (await author.get(messages.sent)).value;
  expect(notice).toMatchObject({ total: 2, read: 1, confirmed: 1, unread_names: ['迟未读'] });
});

test('a person who confirmed a notice and marks it as unread still counts as confirmed for its sender', async () => {
  const reader = await someone();
  const author = await sender();
  const body = { title: '签收之后', content: '请确认', recipients: { users: [reader.userId] }, need_receipt: true };
  const { id } = await author.get(messages.send, { body: body as never });
  const at = { params: { id: (await reader.get(messages.unread)).value[0]!.id } };
  await reader.get(messages.setRead, { ...at, body: { confirmed: true } });
  await reader.get(messages.setRead, { ...at, body: { read_state: 1 } });
  expect(await titles(reader)).toEqual(['签收之后']);
  const readers = async (state: number) =>
    (await author.get(messages.readers, { params: { id }, query: { state } })).value.map((one) => [
      one.state_name,
      one.read_time === one.confirmed_at,
    ]);
  expect([await readers(1), await readers(3)]).toEqual([[], [['已确认', true]]]);
  expect((await author.get(messages.sent)).value).toMatchObject([{ read: 1, confirmed: 1, unread_names: [] }]);
});

test('only a notice’s sender and super administrators see, in pages, who has read and confirmed it and when', async () => {
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
  await keen.get(messages.setRead, { ...(await own(keen)), body: { confirmed: true } });
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

test('only its sender and super administrators recall a notice; then nobody sees it, and a second recall says so', async () => {
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

test('automatic messages cannot be recalled, neither by the person who caused them nor by a super administrator', async () => {
  const [reader, author] = [await someone(), await sender()];
  const said = { title: '有人委托您代办', content: '今天', by: author.userId };
  await app.services.databases.write((tx) =>
    announce(tx, delegationNews.DELEGATED, { id: 1 }, said, [reader.userId, app.admin.userId]),
  );
  const { rows } = await app.db.execute<{ id: number }>(sql`select id from msg where title = ${said.title}`);
  const recall = async (who: Client) => (await who.ask(messages.recall, { params: { id: rows[0]!.id } })).code;
  expect([await recall(author), await recall(reader), await recall(app.admin)]).toEqual([4004, 4003, 4003]);
  expect(await titles(reader)).toEqual([said.title]);
});

test('a scheduled notice is in nobody’s box before its time, and its sender sees it as unpublished', async () => {
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

test('a message deleted by one person is gone from their lists and counts, and stays with the others', async () => {
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

test('a scheduled notice is delivered outside when published, and a time in another time zone is refused', async () => {
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
