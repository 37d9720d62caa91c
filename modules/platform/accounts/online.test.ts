import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { accounts } from './contract.ts';
import { online, type SessionSearch } from './contract/online.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const isIn = async (who: Awaited<ReturnType<TestOffice['signIn']>>) => (await who.ask(accounts.me)).code === 0;
const aliasOf = async (id: number) =>
  (await app.db.execute<{ alias: string }>(sql`select alias from app_user where id = ${id}`)).rows[0]!.alias;
const sessionsOf = async (by: typeof app.admin, username: string) =>
  (await by.get(online.list, { query: { per_page: 100 } })).value.filter((row) => row.username === username);

test('an administrator of people sees who is signed in, on which device and from where, within their scope', async () => {
  const dept = await app.dept('教务处');
  const near = await app.person({ dept });
  const far = await app.person({ dept: await app.dept() });
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const body = { username: near.username, password: testPassword };
  await app.stranger.ask(accounts.login, { body }, { 'user-agent': agent });
  await app.signIn(far);
  const clerk = await app.clerk({ 'system/online': ['Retrieve'] }, { dept, dataScope: 3 });
  const { value } = await clerk.get(online.list);
  expect(value.map((row) => row.username).toSorted()).toEqual([clerk.username, near.username].toSorted());
  expect(value.find((row) => row.username === near.username)).toMatchObject({
    user_id: near.id,
    dept_name: '教务处',
    way: 'password',
    half: false,
    device: 'Windows 上的 Firefox',
    current: false,
    actions: [],
  });
  expect(value.find((row) => row.current)).toMatchObject({ username: clerk.username, actions: [] });
  const found = await app.admin.get(online.list, { query: { search_value: near.username, dept } });
  expect(found.value.map((row) => row.actions)).toEqual([['end']]);
  expect((await clerk.ask(online.endAll, { body: { password: testPassword } })).code).toBe(4003);
});

test('an administrator ends one or all sessions of a person at once, and the log records it', async () => {
  const person = await app.person();
  const [here, there] = [await app.signIn(person), await app.signIn(person)];
  const [one] = await sessionsOf(app.admin, person.username);
  await app.admin.get(online.end, { params: { id: one!.id } });
  expect([await isIn(here), await isIn(there)].filter(Boolean)).toHaveLength(1);
  expect(await app.admin.ask(online.end, { params: { id: one!.id } })).toMatchObject({ code: 4004 });
  await app.signIn(person);
  expect(await app.admin.ask(online.endPerson, { params: { id: person.id } })).toMatchObject({
    code: 0,
    data: { count: 2 },
    msg: '已退出 2 处登录',
  });
  expect([await isIn(here), await isIn(there)]).toEqual([false, false]);
  expect(await app.admin.ask(online.endPerson, { params: { id: person.id } })).toMatchObject({
    code: -1,
    msg: `“${person.alias}”现在没有登录，请刷新列表`,
  });
  const { value } = await app.admin.get(audit.list, { query: { module: 'accounts', user: 'admin' } });
  const titles = value.filter((row) => row.action.startsWith('退出')).map((row) => row.title);
  expect(titles).toEqual([
    `${person.alias}（${person.username}） 2 处`,
    `${person.alias}（${person.username}） 127.0.0.1`,
  ]);
});

test('nobody ends sessions of people with more rights, outside their scope, or the session they use', async () => {
  const dept = await app.dept();
  const clerk = await app.clerk({ 'system/online': ['Retrieve', 'Delete'] }, { dept, dataScope: 3 });
  const higher = await app.clerk({ 'system/site': ['Update'] }, { dept });
  const outside = await app.signIn(await app.person({ dept: await app.dept() }));
  const plain = await app.signIn(await app.person({ dept }));
  const [above] = await sessionsOf(clerk, higher.username);
  expect(above!.actions).toEqual([]);
  expect(await clerk.ask(online.end, { params: { id: above!.id } })).toMatchObject({ code: 4003 });
  expect(await clerk.ask(online.endPerson, { params: { id: higher.userId } })).toMatchObject({ code: 4003 });
  const [away] = await sessionsOf(app.admin, outside.username);
  expect(await clerk.ask(online.end, { params: { id: away!.id } })).toMatchObject({ code: 4004 });
  expect(await clerk.ask(online.endPerson, { params: { id: outside.userId } })).toMatchObject({ code: 4004 });
  const [own] = await sessionsOf(clerk, clerk.username);
  expect(await clerk.ask(online.end, { params: { id: own!.id } })).toMatchObject({ code: -1 });
  expect((await clerk.ask(online.endAll, { body: { password: 'Wrong@12345' } })).msg).toBe('登录密码不正确');
  expect((await clerk.ask(online.endAll, { body: {} })).code).toBe(-1);
  const answer = await clerk.ask(online.endAll, { body: { password: testPassword } });
  expect(answer).toMatchObject({ code: 0, data: { count: 1, people: 1, kept: 1 } });
  expect(answer.msg).toBe('已退出 1 人的 1 处登录；另有 1 人的权限超出您的权限，没有退出');
  expect([await isIn(plain), await isIn(higher), await isIn(outside), await isIn(clerk)]).toEqual([
    false,
    true,
    true,
    true,
  ]);
});

test('an administrator previews and ends the sessions that a search finds, and others stay', async () => {
  const [dept, beside] = [await app.dept('研究生院'), await app.dept()];
  const clerk = await app.clerk({ 'system/online': ['Retrieve', 'Delete'] }, { dept, dataScope: 3 });
  const higher = await app.clerk({ 'system/site': ['Update'] }, { dept });
  const [one, other] = [await app.person({ dept, alias: '甲同事' }), await app.person({ dept, alias: '乙同事' })];
  const [here, there] = [await app.signIn(one), await app.signIn(one)];
  const [near, far] = [await app.signIn(other), await app.signIn(await app.person({ dept: beside }))];
  await app.services.databases.write((tx) =>
    tx.execute(sql`update session set ip = '10.1.2.3' where user_id in (${one.id}, ${higher.userId}, ${far.userId})`),
  );
  const preview = (query: Partial<SessionSearch>) => clerk.get(online.previewEnd, { query });
  const from = { ip: '10.1.2.3' };
  const seen = { count: 2, people: 1, names: ['甲同事'], kept: 1, kept_names: [await aliasOf(higher.userId)] };
  expect(await preview(from)).toEqual(seen);
  expect(await preview({ search_value: '乙同事' })).toMatchObject({ count: 1, names: ['乙同事'], kept: 0 });
  expect(await preview({ dept: beside })).toMatchObject({ count: 0, people: 0, kept: 0 });
  expect(await preview({ way: 'phone' })).toMatchObject({ count: 0, people: 0, kept: 0 });
  const end = (body: object) => clerk.ask(online.endAll, { body: { ...body, password: testPassword } });
  expect(await end({ address: '10.1.2.3' })).toMatchObject({ code: 4000 });
  expect(await isIn(here)).toBe(true);
  expect(await end(from)).toMatchObject({ code: 0, data: { count: 2, people: 1, kept: 1 } });
  const still = [await isIn(here), await isIn(there), await isIn(near), await isIn(higher), await isIn(far)];
  expect(still).toEqual([false, false, true, true, true]);
  expect((await clerk.get(online.list, { query: from })).value.map((row) => row.username)).toEqual([higher.username]);
  const reader = await app.clerk({ 'system/online': ['Retrieve'] }, { dept, dataScope: 3 });
  expect((await reader.ask(online.previewEnd)).code).toBe(4003);
});

test('the export of current sessions has the rows of the list', async () => {
  const dept = await app.dept('后勤处');
  const reader = await app.clerk({ 'system/online': ['Retrieve', 'daochu'] }, { dept, dataScope: 3 });
  const answer = await reader.fetch('/api/accounts/online/?export=xlsx');
  const [titles, ...rows] = await readSheet(Buffer.from(await answer.arrayBuffer()));
  expect(titles).toEqual([
    '姓名',
    '用户名',
    '部门',
    '登录方式',
    '待二次验证',
    '设备',
    'IP 地址',
    '登录时间',
    '最近使用',
  ]);
  expect(rows.map((row) => row.slice(1, 7))).toEqual([[reader.username, '后勤处', '密码', '否', 'test', '127.0.0.1']]);
});
