import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { messages } from './contract.ts';
import { closeTodo, tell, type News } from './service.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await openTestOffice();
});
afterAll(() => office.close());

const someone = async (dept?: number) => office.signIn(await office.person(dept === undefined ? {} : { dept }));
const sender = () => office.clerk({ 'msg/send': ['Create', 'Retrieve'] });
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
  const above = await office.dept('教务处');
  const below = await office.dept('考务科', above);
  const first = await someone(above);
  const second = await someone(below);
  const outside = await someone();
  const author = await sender();
  const body = { title: '期末考务会', content: '周五下午三点', users: [first.userId], depts: [above] };
  expect(await author.get(messages.send, { body: body as never })).toMatchObject({ total: 2 });
  expect(await titles(first)).toEqual(['期末考务会']);
  expect(await titles(second)).toEqual(['期末考务会']);
  expect(await titles(outside)).toEqual([]);
});

test('a notice to nobody, to people who left only, or without the grant is refused', async () => {
  const author = await sender();
  const left = await office.person({ active: false });
  const to = (users: number[]) => ({ body: { title: '通知', content: '内容', users } as never });
  expect(await author.ask(messages.send, to([]))).toMatchObject({
    code: -1,
    msg: expect.stringContaining('没有可以接收的人'),
  });
  expect((await author.ask(messages.send, to([left.id]))).code).toBe(-1);
  expect((await (await someone()).ask(messages.send, to([left.id]))).code).toBe(4003);
});

test('more than two hundred people are reached only with the right that reaches everybody', async () => {
  const crowd = await office.dept('全校');
  await office.services.databases.write((tx) =>
    tx.execute(sql`insert into app_user (username, alias, password, dept_id)
      select 'crowd' || n, '群众' || n, 'x', ${crowd} from generate_series(1, 201) n`),
  );
  const body = { title: '停水通知', content: '周六停水', depts: [crowd] } as never;
  const narrow = await office.clerk({ 'msg/send': ['Create'] }, { dataScope: 4 });
  expect(await narrow.ask(messages.send, { body })).toMatchObject({ code: -1, msg: expect.stringContaining('201 人') });
  expect(await (await sender()).get(messages.send, { body })).toMatchObject({ total: 201 });
});

test('opening a message reads it; the counts, the lists and the other people agree', async () => {
  const reader = await someone();
  const other = await someone();
  const author = await sender();
  await author.get(messages.send, {
    body: { title: '放假安排', content: '十月一日起放假', users: [reader.userId, other.userId] } as never,
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
    body: { title: '秘密安排', content: '只给您看', users: [owner.userId], need_receipt: true } as never,
  });
  const [row] = (await owner.get(messages.unread)).value;
  const at = { params: { id: row!.id } };
  expect((await thief.ask(messages.get, at)).code).toBe(4004);
  expect((await thief.ask(messages.mark, { ...at, body: { confirmed: true } })).code).toBe(4004);
  expect((await thief.ask(messages.remove, at)).code).toBe(4004);
  expect(await thief.get(messages.removeSeveral, { body: { ids: [row!.id] } })).toEqual({ count: 0 });
  expect(await thief.get(messages.readAll, { body: { ids: [row!.id] } })).toEqual({ count: 0 });
  expect(await titles(owner)).toEqual(['秘密安排']);
  expect((await office.admin.ask(messages.get, at)).code).toBe(4004);
  expect((await thief.get(messages.read, { query: { all: true, search_value: '秘密' } as never })).total).toBe(0);
});

test('a receipt is confirmed once and the sender sees who has not read', async () => {
  const reader = await someone();
  const late = await office.person({ alias: '迟未读' });
  const author = await sender();
  await author.get(messages.send, {
    body: { title: '签收', content: '请确认', users: [reader.userId, late.id], need_receipt: true } as never,
  });
  const [row] = (await reader.get(messages.unread)).value;
  await reader.get(messages.mark, { params: { id: row!.id }, body: { confirmed: true } });
  const first = await reader.get(messages.get, { params: { id: row!.id } });
  await reader.get(messages.mark, { params: { id: row!.id }, body: { confirmed: true, read_state: 1 } });
  expect(await reader.get(messages.get, { params: { id: row!.id } })).toEqual(first);
  const [notice] = (await author.get(messages.sent)).value;
  expect(notice).toMatchObject({ total: 2, read: 1, confirmed: 1, unread_names: ['迟未读'] });
});

test('only its sender and the super administrator recall a message; then nobody sees it, and recalling again says so', async () => {
  const reader = await someone();
  const author = await sender();
  const made = await author.get(messages.send, {
    body: { title: '发错了', content: '请忽略', users: [reader.userId] } as never,
  });
  const at = { params: { id: made.id } };
  expect((await reader.ask(messages.recall, at)).code).toBe(4003);
  expect((await (await sender()).ask(messages.recall, at)).code).toBe(4004);
  await author.get(messages.recall, at);
  expect(await titles(reader)).toEqual([]);
  expect(await reader.get(messages.unreadCount)).toMatchObject({ count: 0 });
  expect(await author.ask(messages.recall, at)).toMatchObject({ code: -1, msg: expect.stringContaining('撤回') });
});

test('a notice for later is in nobody’s box before its time', async () => {
  const reader = await someone();
  await (
    await sender()
  ).get(messages.send, {
    body: { title: '明年再看', content: '到时见', users: [reader.userId], publish_at: '2099-01-01T08:00' } as never,
  });
  expect(await titles(reader)).toEqual([]);
  expect(await reader.get(messages.count)).toMatchObject({ total: 0 });
  const never = { title: '不存在的日子', content: '无', users: [reader.userId], publish_at: '2026-02-30T08:00' };
  expect((await (await sender()).ask(messages.send, { body: never as never })).msg).toContain('发布时间');
});

test('of one event of one record nobody hears twice in ten minutes, however many tell it at once', async () => {
  const reader = await someone();
  const tellIt = () => office.services.databases.write((tx) => tell(tx, todo(7001), [reader.userId, reader.userId]));
  const told = await Promise.all([tellIt(), tellIt(), tellIt(), tellIt()]);
  expect(told.toSorted()).toEqual([0, 0, 0, 1]);
  expect(await titles(reader)).toEqual(['请处理 7001']);
});

test('a to-do message goes when the to-do goes, for those who are done, and comes again with the next', async () => {
  const done = await someone();
  const waiting = await someone();
  const { write } = office.services.databases;
  await write((tx) => tell(tx, todo(7002), [done.userId, waiting.userId]));
  await write((tx) => closeTodo(tx, { module: 'tickets', objectId: 7002, events: ['TODO'] }, [done.userId]));
  expect(await titles(done)).toEqual([]);
  expect(await titles(waiting)).toEqual(['请处理 7002']);
  await write((tx) => tell(tx, todo(7002), [done.userId]));
  expect(await titles(done)).toEqual(['请处理 7002']);
});

test('all are read at once, or all of a type', async () => {
  const reader = await someone();
  await office.services.databases.write((tx) => tell(tx, todo(7003), [reader.userId]));
  await (
    await sender()
  ).get(messages.send, {
    body: { title: '公告', content: '看一下', users: [reader.userId] } as never,
  });
  expect(await reader.get(messages.readAll, { body: { type: 2 } })).toEqual({ count: 1 });
  expect(await titles(reader)).toEqual(['公告']);
  expect(await reader.get(messages.readAll, { body: {} })).toEqual({ count: 1 });
});
