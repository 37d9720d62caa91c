import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { documentNotices } from './contract.ts';
import { documentNoticeTask } from './tasks.ts';

let app: TestOffice;
let party: number;
let finance: number;
let section: number;
let publisher: Client;
let insider: Client;
let outsider: Client;

beforeAll(async () => {
  app = await openTestApp();
  party = await app.dept('党政办');
  finance = await app.dept('财务处');
  section = await app.dept('会计科', finance);
  publisher = await app.clerk({ 'document/notice': ['Create', 'Retrieve', 'Delete'] }, { dept: party });
  insider = await app.clerk({ 'document/notice': ['Retrieve'] }, { dept: section, dataScope: 5 });
  outsider = await app.clerk({ 'document/notice': ['Retrieve'] }, { dept: party, dataScope: 5 });
});
afterAll(() => app.close());

const ask = (body: object, who = publisher) =>
  who.ask(documentNotices.publish, {
    body: { title: '公文格式说明', content: '请按新格式拟稿。', recipients: { all: true }, ...body } as never,
  });
const publish = async (body: object, who = publisher) => (await ask(body, who)).data.id;
const open = (who: Client, id: number) => who.ask(documentNotices.get, { params: { id } });
const rows = async (who: Client, query: object = {}) =>
  (await who.get(documentNotices.list, { query: { per_page: 100, ...query } as never })).value;
const found = async (who: Client, query: object = {}) => (await rows(who, query)).map((row) => row.id);
const read = (who: Client, id: number) => who.ask(documentNotices.read, { params: { id } });
const titles = async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title);
const toFinance = () => ({ recipients: { depts: [finance] } });
const inAnHour = () => {
  const at = new Date(Date.now() + 3_600_000 + 8 * 3_600_000);
  return at.toISOString().slice(0, 16);
};

test('a notice for departments is nowhere for others, and gone for everybody once deleted', async () => {
  const id = await publish({ ...toFinance(), title: '金丝雀通知', content: '金丝雀正文' });
  const seenBy = async (who: Client) => ({
    list: (await found(who)).includes(id),
    unread: (await found(who, { unread: true })).includes(id),
    search: (await found(who, { search_value: '金丝雀' })).includes(id),
    get: (await open(who, id)).code,
    read: (await read(who, id)).code,
    told: (await (await who.fetch('/api/msg/user/read/?all=true')).text()).includes('金丝雀'),
  });
  const nothing = { list: false, unread: false, search: false, get: 4004, read: 4004, told: false };
  expect(await seenBy(outsider)).toEqual(nothing);
  expect(await titles(insider)).toContain('公文通知：金丝雀通知');
  expect(await seenBy(insider)).toEqual({ list: true, unread: true, search: true, get: 0, read: 0, told: false });
  expect((await insider.ask(documentNotices.remove, { params: { id } })).code).toBe(4003);
  expect((await publisher.ask(documentNotices.remove, { params: { id } })).code).toBe(0);
  expect(await seenBy(insider)).toEqual(nothing);
  expect((await open(publisher, id)).code).toBe(4004);
});

test('a notice reaches everybody, people and roles as addressed, and counts its readers', async () => {
  const role = await app.role({});
  const holder = await app.signIn(await app.person({ roles: [role], dept: party }));
  const { rows: roles } = await app.db.execute<{ id: number }>(sql`select id from role where code = ${role}`);
  const all = await publish({});
  const people = await publish({ recipients: { users: [insider.userId] } });
  const held = await publish({ recipients: { roles: [roles[0]!.id] } });
  const mixed = await publish({ recipients: { depts: [finance], users: [outsider.userId], roles: [roles[0]!.id] } });
  for (const who of [insider, outsider, holder]) expect(await found(who)).toContain(mixed);
  const reached = async (recipients: object) =>
    (await publisher.get(documentNotices.reach, { body: { recipients } as never })).total;
  expect(await reached({ users: [insider.userId, outsider.userId] })).toBe(2);
  // A person who is in the audience twice counts once.
  expect(await reached({ depts: [finance], users: [insider.userId] })).toBe(await reached({ depts: [finance] }));
  const words = Object.fromEntries((await rows(publisher)).map((row) => [row.id, row.scope_name]));
  expect([words[all], words[mixed]]).toEqual(['全体人员', expect.stringMatching(/^财务处、/)]);
  expect(await found(insider)).toEqual(expect.arrayContaining([all, people]));
  expect(await found(insider)).not.toContain(held);
  expect(await found(holder)).toEqual(expect.arrayContaining([all, held]));
  await Promise.all(Array.from({ length: 50 }, () => open(insider, people)));
  const mine = (await rows(publisher)).find((row) => row.id === people);
  expect([mine?.total, mine?.read]).toEqual([1, 1]);
  expect((await rows(insider)).find((row) => row.id === people)).toMatchObject({ total: null, unread: false });
});

test('a notice that requires confirmation waits for it, and names people who have not given it', async () => {
  const id = await publish({ ...toFinance(), need_receipt: true });
  await open(insider, id);
  expect((await open(insider, id)).data.value).toMatchObject({ read_time: null, actions: ['read'], receipts: null });
  const late = async () =>
    (await open(publisher, id)).data.value.receipts!.depts.flatMap((dept) => dept.late_people.map((one) => one.id));
  expect(await late()).toContain(insider.userId);
  const urge = (who: Client) => who.ask(documentNotices.urge, { params: { id } });
  expect([(await urge(insider)).code, (await urge(outsider)).code]).toEqual([4004, 4004]);
  expect((await urge(publisher)).data.sent).toBe((await late()).length);
  expect(await titles(insider)).toContain('请尽快阅读：公文格式说明');
  expect((await urge(publisher)).msg).toBe('催读过于频繁，请 120 分钟后再试');
  const first = (await read(insider, id)).data.read_time;
  expect((await read(insider, id)).data.read_time).toBe(first);
  expect((await open(publisher, id)).data.value).toMatchObject({ read: 1, receipts: { read: 1, late: 0 } });
  expect((await urge(publisher)).msg).toBe('没有需要提醒的人员，无需催读');
  expect(await titles(insider)).not.toContain('请尽快阅读：公文格式说明');
});

test('a publisher in the notice’s own audience is told like everybody, and is not urged', async () => {
  const id = await publish({ title: '也给自己', recipients: { users: [publisher.userId] }, need_receipt: true });
  expect(await titles(publisher)).toContain('公文通知：也给自己');
  expect((await open(publisher, id)).data.value.receipts).toMatchObject({ late: 1, to_urge: 0 });
  const asked = await publisher.ask(documentNotices.urge, { params: { id } });
  expect([asked.code, asked.msg]).toEqual([4010, '没有需要提醒的人员，无需催读']);
});

test('a notice is pinned, published later and expired by the clock', async () => {
  const plain = await publish({ title: '普通' });
  const top = await publish({ title: '置顶', top: true });
  await publish({ title: '更新的普通' });
  const order = await found(insider);
  expect(order.indexOf(top)).toBeLessThan(order.indexOf(plain));
  const coming = await publish({ title: '明天的通知', publish_at: inAnHour() });
  const early = await publisher.ask(documentNotices.urge, { params: { id: coming } });
  expect([early.code, early.msg]).toEqual([4010, '通知还没有发布，现在无需催读']);
  expect(await found(insider)).not.toContain(coming);
  expect(await titles(insider)).not.toContain('公文通知：明天的通知');
  expect((await rows(publisher, { state: 'coming' })).map((row) => [row.id, row.state_name])).toEqual([
    [coming, '待发布'],
  ]);
  await app.services.databases.write((tx) =>
    tx.execute(sql`update document_notice set publish_at = now() - interval '1 minute' where id = ${coming}`),
  );
  const run = () => documentNoticeTask(app.services.databases).run({ id: coming }, { attempt: 1, now: new Date() });
  await run();
  await run();
  expect((await titles(insider)).filter((one) => one === '公文通知：明天的通知')).toHaveLength(1);
  expect(await found(insider)).toContain(coming);
  await app.services.databases.write((tx) =>
    tx.execute(sql`update document_notice set expire_at = now() - interval '1 second' where id = ${coming}`),
  );
  expect((await open(insider, coming)).code).toBe(4004);
  expect(await found(publisher, { state: 'expired' })).toEqual([coming]);
});

test('a notice with a wrong audience or wrong times is refused with what is wrong', async () => {
  const narrow = await app.clerk({ 'document/notice': ['Create', 'Delete'] }, { dept: finance, dataScope: 4 });
  const said = async (body: object, who = publisher) => (await ask(body, who)).msg;
  const tooFar = '通知范围超出您的管理范围，请只选择本范围内的部门和人员';
  expect(await said({}, narrow)).toBe(tooFar);
  expect(await said({ recipients: { depts: [party] } }, narrow)).toBe(tooFar);
  expect(await said({ recipients: { users: [outsider.userId] } }, narrow)).toBe(tooFar);
  expect((await ask({ recipients: { depts: [section] } }, narrow)).code).toBe(0);
  expect(await said({ recipients: {} })).toBe('没有可以看到通知的人，请选择部门、角色、人员或全体人员');
  expect(await said({ recipients: { depts: [999_999] } })).toBe(
    '所选人员范围中有已撤销的部门、角色或已离职的人员，请重新选择',
  );
  expect(await said({ publish_at: '2020-01-01 09:00' })).toBe('发布时间 2020-01-01 09:00 已过，请选择今后的时间');
  expect(await said({ expire_at: '2020-01-01 09:00' })).toBe('失效时间 2020-01-01 09:00 已过，请选择今后的时间');
  expect(await said({ publish_at: '2098-01-02 09:00', expire_at: '2098-01-01 09:00' })).toBe(
    '失效时间 2098-01-01 09:00 不晚于发布时间 2098-01-02 09:00，请重新选择',
  );
  const theirs = await publish({}, publisher);
  expect((await narrow.ask(documentNotices.remove, { params: { id: theirs } })).code).toBe(4004);
});
