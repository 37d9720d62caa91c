import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { designCalls } from './contract/design.ts';
import { noticeCalls, customNotices } from './contract/notices.ts';

let app: TestOffice;
let keeper: Client;
let staff: Client;
beforeAll(async () => {
  app = await openTestApp();
  keeper = await app.clerk({
    'workflow/notice': ['Create', 'Retrieve', 'Update', 'Delete'],
    'workflow/list': ['Create', 'Retrieve', 'Update'],
  });
  staff = await app.clerk({});
}, 180_000);
afterAll(() => app.close());

const secret = 'tok-7f3a9c-plain';
const hook = { name: '值班群', type_id: 1 as const, hook_url: 'https://example.com/hook', hook_token: secret };
const listed = async () => (await keeper.get(customNotices.list)).value;
const kept = async (id: number) => {
  const { rows } = await app.db.execute<{ hook_token: string }>(
    sql`select hook_token from custom_notice where id = ${id}`,
  );
  return rows[0]!.hook_token;
};

test('the secret of a notice channel is encrypted on saving and never returned', async () => {
  const id = (await keeper.get(customNotices.add, { body: hook })).id!;
  const sealed = await kept(id);
  expect(app.services.secretBox.open(sealed)).toBe(secret);
  const [row] = await listed();
  expect([row!.hook_token, row!.corpsecret, row!.type_name, row!.actions]).toEqual([
    '******',
    '',
    '网络钩子',
    ['update', 'test', 'delete'],
  ]);
  for (const { name } of (
    await app.db.execute<{ name: string }>(sql`select tablename as name from pg_tables where schemaname = 'public'`)
  ).rows) {
    const found = await app.db.execute(
      sql`select 1 from ${sql.identifier(name)} t where t::text like ${`%${secret}%`} limit 1`,
    );
    expect(found.rows, name).toEqual([]);
  }
  await keeper.get(customNotices.change, { params: { id }, body: { description: '改', hook_token: '******' } });
  expect(await kept(id)).toBe(sealed);
  await keeper.get(customNotices.change, { params: { id }, body: { hook_token: 'another' } });
  expect(app.services.secretBox.open(await kept(id))).toBe('another');
  await keeper.get(customNotices.change, { params: { id }, body: { hook_token: '' } });
  expect([await kept(id), (await listed())[0]!.hook_token]).toEqual(['', '']);
});

test('a changed address requires the secret again, so that nobody can redirect it to their own server', async () => {
  const id = (await keeper.get(customNotices.add, { body: { ...hook, name: '改地址的' } })).id!;
  const change = (body: object) => keeper.ask(customNotices.change, { params: { id }, body });
  const sealed = await kept(id);
  for (const told of [{}, { hook_token: '******' }])
    expect(await change({ hook_url: 'https://elsewhere.example/', ...told })).toMatchObject({
      code: 4000,
      data: { errors: [{ field: 'hook_token' }] },
    });
  expect(await kept(id)).toBe(sealed);
  expect((await change({ hook_url: hook.hook_url, description: '同一个地址' })).code).toBe(0);
  expect((await change({ hook_url: 'https://elsewhere.example/', hook_token: 'anew' })).code).toBe(0);
  expect(app.services.secretBox.open(await kept(id))).toBe('anew');
  expect((await change({ hook_url: 'https://else.example/', hook_token: '' })).code).toBe(0);
  expect((await change({ hook_url: 'https://where.example/' })).code).toBe(0);
});

test('the public options of notice channels hold names only, and leave out disabled channels', async () => {
  const off = (await keeper.get(customNotices.add, { body: { name: '停用的', type_id: 1, status: 0 } })).id!;
  const { value } = await staff.get(noticeCalls.simpleNotices);
  expect(value.every((one) => Object.keys(one).toSorted().join() === 'id,name,type_id,type_name')).toBe(true);
  expect(value.some((one) => one.id === off)).toBe(false);
  expect((await staff.ask(customNotices.list)).code).toBe(4003);
  expect((await staff.ask(customNotices.add, { body: hook })).code).toBe(4003);
});

test('changes with a stale version, a duplicate name, a bad address or an unknown type are refused', async () => {
  const id = (await keeper.get(customNotices.add, { body: { ...hook, name: '第二个' } })).id!;
  const change = (body: object) => keeper.ask(customNotices.change, { params: { id }, body });
  expect((await change({ name: '值班群' })).code).toBe(4009);
  expect((await change({ version: 9 })).code).toBe(4011);
  expect((await change({ hook_url: 'javascript:alert(1)' })).code).toBe(4000);
  expect((await change({ type_id: 99 })).code).toBe(4000);
  expect((await keeper.ask(customNotices.change, { params: { id: 999_999 }, body: {} })).code).toBe(4004);
  const found = await keeper.get(customNotices.list, { query: { search_value: '第二', type_id: 1 } });
  expect(found.value.map((one) => one.id)).toEqual([id]);
});

test('a notice channel that a workflow uses is not deleted', async () => {
  const id = (await keeper.get(customNotices.add, { body: { name: '在用的', type_id: 1 } })).id!;
  const flow = await keeper.get(designCalls.add, { body: { name: '用通知的流程' } });
  const { definition } = await keeper.get(designCalls.get, { params: { id: flow.id } });
  const notices = (ids: number[]) => ({
    definition: { ...definition, settings: { ...definition.settings, notices: ids } },
  });
  await keeper.get(designCalls.change, { params: { id: flow.id }, body: notices([id]) });
  const refused = await keeper.ask(customNotices.remove, { params: { id } });
  expect([refused.code, refused.msg]).toEqual([-1, '流程“用通知的流程”正在使用这个通知方式，请先在流程中取消']);
  await keeper.get(designCalls.change, { params: { id: flow.id }, body: notices([]) });
  expect((await keeper.ask(customNotices.remove, { params: { id } })).code).toBe(0);
  expect((await listed()).some((one) => one.id === id)).toBe(false);
});
