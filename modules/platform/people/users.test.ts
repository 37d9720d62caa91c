import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { members } from './contract/members.ts';
import { lookups } from './contract/lookups.ts';
import { users, type UserRow } from './contract/users.ts';
import { userRoleTable } from './tables.ts';

let app: TestOffice;
let here: number;
let below: number;
let away: number;
let manager: Client;
let canary: { id: number; username: string; alias: string };
let mine: { id: number; username: string; alias: string };

const all = { 'system/user': ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'] } as const;
const everything = { 'system/user': [...all['system/user']], 'system/role': ['Retrieve', 'Update'] } as never;

beforeAll(async () => {
  app = await openTestApp();
  here = await app.dept('总务处');
  below = await app.dept('维修科', here);
  away = await app.dept('财务处');
  manager = await app.clerk(everything, { dept: here, dataScope: 4, username: 'manager', alias: '管理员甲' });
  canary = await app.person({ dept: away, alias: '金丝雀', username: 'canary', phone: '13900001111' });
  mine = await app.person({ dept: below, alias: '王小明', username: 'wangxm', phone: '13812345678' });
});
afterAll(() => app.close());

const roleId = async (code: string) =>
  (
    await app.db
      .select()
      .from(roleTable)
      .where(sql`${roleTable.code} = ${code}`)
  )[0]!.id;
const row = async (client: Client, id: number): Promise<UserRow | undefined> =>
  (await client.get(users.list, { query: { per_page: 100 } })).value.find((one) => one.id === id);

test('a new user gets a one-time password shown once and must change it', async () => {
  const made = await manager.get(users.create, {
    body: { username: 'lisi', alias: '李四', dept: below, office_room: '301', phone: '13700001234' },
  });
  expect(made.password).toMatch(/^.{12}$/);
  const [stored] = (
    await app.db.execute<{ must_change_pwd: boolean; password: string }>(
      sql`select must_change_pwd, password from app_user where id = ${made.id}`,
    )
  ).rows;
  expect(stored).toMatchObject({ must_change_pwd: true });
  expect(stored?.password).toContain('$argon2id$');
  expect((await row(manager, made.id))?.phone).toBe('137****1234');
  for (const word of ['李四', 'lisi', 'ls', '1234', '301']) {
    const found = await manager.get(users.list, { query: { search_value: word } });
    expect(found.value.map((one) => one.id)).toContain(made.id);
  }
  const kept = await app.db.execute(
    sql`select 1 from idempotency_record where answer::text like ${`%${made.password}%`}`,
  );
  expect(kept.rows).toHaveLength(0);
});

test('nobody outside the scope appears in a list, a search, a count, an export or a scoped look-up', async () => {
  const found = await manager.get(users.list, { query: { per_page: 100 } });
  expect(found.value.map((one) => one.id)).not.toContain(canary.id);
  expect(found.total).toBe(found.value.length);
  expect((await manager.get(users.list, { query: { search_value: '金丝雀' } })).total).toBe(0);
  expect((await manager.get(users.list, { query: { dept: away } })).total).toBe(0);
  const sheet = await manager.fetch('/api/accounts/users/?export=xlsx');
  expect(sheet.headers.get('x-export-rows')).toBe(String(found.total));
  const depts = await manager.get(lookups.managedDepts, {});
  expect(depts.map((dept) => dept.name).sort()).toEqual(['总务处', '维修科'].sort());
  const role = await roleId('staff');
  await app.admin.get(members.add, { params: { id: role }, body: { user_ids: [canary.id] } });
  expect((await manager.get(members.list, { params: { id: role } })).total).toBe(0);
});

test('a user outside the scope is answered exactly like one who never existed', async () => {
  const tries = [
    (id: number) => manager.ask(users.update, { params: { id }, body: { alias: '改名' } }),
    (id: number) => manager.ask(users.remove, { params: { id } }),
    (id: number) => manager.ask(users.resetPassword, { params: { id } }),
    (id: number) => manager.ask(users.roles, { params: { id } }),
  ];
  for (const attempt of tries) {
    const hidden = await attempt(canary.id);
    expect(hidden.code).toBe(4004);
    expect(hidden).toEqual(await attempt(999_999));
  }
});

test('fields that are not sent stay, and a stale version is refused with the current row', async () => {
  const before = (await row(manager, mine.id))!;
  const after = await manager.get(users.update, {
    params: { id: mine.id },
    body: { post: '科长', version: before.version },
  });
  expect(after).toMatchObject({ post: '科长', alias: '王小明', phone: '138****5678', dept: below });
  const late = await manager.ask(users.update, {
    params: { id: mine.id },
    body: { post: '处长', version: before.version },
  });
  expect(late.code).toBe(4011);
});

test('a workflow administrator is defined by a role, not by a user type', async () => {
  for (const type_id of [1, 3, -1, 0.5])
    expect(await app.admin.ask(users.update, { params: { id: mine.id }, body: { type_id } })).toMatchObject({
      code: 4000,
      msg: '用户类型：请填 0（普通）或 2（超级管理员）；流程管理员请授予角色“流程管理员”',
    });
  await expect(
    app.services.databases.pool.query('update app_user set type_id = 1 where id = $1', [mine.id]),
  ).rejects.toThrow('app_user_type');
});

test('the roles of a user are shown to administrators of people, and the members of a role to those who see roles', async () => {
  const id = await roleId(await app.role({ 'system/user': ['Retrieve'] }, 5));
  const person = await app.person({ dept: below });
  await manager.get(members.add, { params: { id }, body: { user_ids: [person.id] } });
  expect((await manager.get(users.roles, { params: { id: person.id } })).map((one) => one.id)).toContain(id);
  const found = await manager.get(members.list, { params: { id }, query: { search_value: person.username } });
  expect(found.value.map((one) => one.id)).toEqual([person.id]);
  await manager.get(members.remove, { params: { id, userId: person.id } });
  expect((await manager.get(members.list, { params: { id } })).total).toBe(0);
});

test('columns outside the contract are never written', async () => {
  const body = { alias: '王小明', is_deleted: true, session_version: 99, password: 'x', must_change_pwd: true, id: 1 };
  await manager.get(users.update, { params: { id: mine.id }, body: body as never });
  const { rows } = await app.db.execute(
    sql`select is_deleted, session_version, must_change_pwd from app_user where id = ${mine.id}`,
  );
  expect(rows[0]).toEqual({ is_deleted: false, session_version: 0, must_change_pwd: false });
});

test('nobody changes their own roles, department, type or state, nor deletes or resets themselves', async () => {
  const id = manager.userId;
  const staff = await roleId('staff');
  for (const body of [{ roles: [staff] }, { dept: below }, { is_active: false }, { phone: '13755556666' }])
    expect((await manager.ask(users.update, { params: { id }, body })).code).toBe(4003);
  expect((await manager.ask(users.remove, { params: { id } })).code).toBe(4003);
  expect((await manager.ask(users.resetPassword, { params: { id } })).code).toBe(4003);
  expect((await manager.ask(members.add, { params: { id: staff }, body: { user_ids: [id] } })).code).toBe(4003);
  expect((await manager.ask(members.remove, { params: { id: staff, userId: id } })).code).toBe(4003);
});

test('a role beyond one’s own rights is neither granted nor withdrawn, by any call', async () => {
  const beyond = await roleId('auditor');
  const superRole = await roleId('super_admin');
  const rightless = await roleId('seal_keeper');
  const wider = await roleId(await app.role({ 'system/user': ['Retrieve'] }, 1));
  for (const id of [beyond, superRole, rightless, wider]) {
    const add = { params: { id }, body: { user_ids: [mine.id] } };
    expect((await manager.ask(members.add, add)).code).toBe(4003);
    expect((await manager.ask(users.update, { params: { id: mine.id }, body: { roles: [id] } })).code).toBe(4003);
    const newcomer = { username: `evil${id}`, alias: '新人', dept: here, roles: [id] };
    expect((await manager.ask(users.create, { body: newcomer })).code).toBe(4003);
  }
  const body = { username: 'evil_type', alias: '新人', dept: here, type_id: 2 };
  expect((await manager.ask(users.create, { body })).code).toBe(4003);
  expect((await manager.ask(users.update, { params: { id: mine.id }, body: { type_id: 2 } })).code).toBe(4003);
});

test('a person with wider rights cannot be acted upon, even within the scope', async () => {
  const strong = await app.person({ dept: here, roles: [await app.role({ 'system/user': ['Retrieve'] }, 1)] });
  const boss = await app.person({ dept: here, roles: ['super_admin'] });
  for (const { id } of [strong, boss]) {
    expect((await row(manager, id))?.actions).not.toContain('update');
    expect((await manager.ask(users.update, { params: { id }, body: { phone: '13655554444' } })).code).toBe(4003);
    expect((await manager.ask(users.resetPassword, { params: { id } })).code).toBe(4003);
    expect((await manager.ask(users.remove, { params: { id } })).code).toBe(4003);
  }
});

test('a user cannot be placed outside the scope, or where their roles would reach further', async () => {
  for (const body of [{ dept: away }, { dept: null }, { depts: [away] }])
    expect((await manager.ask(users.update, { params: { id: mine.id }, body })).code).toBe(-1);
  expect((await manager.ask(users.create, { body: { username: 'nodept', alias: '无' } })).code).toBe(-1);
});

test('a secretary is not assigned to a leader one may not act upon', async () => {
  const boss = await app.person({ dept: here, roles: ['super_admin'], username: 'bigboss' });
  expect(boss.username).toBe('bigboss');
  const asked = { params: { id: mine.id }, body: { leader_of: ['bigboss'] } };
  expect((await manager.ask(users.update, asked)).code).toBe(4003);
});

test('sessions end at the next request when roles change, on disabling, on reset and on deletion', async () => {
  const harmless = await roleId(await app.role({ 'system/user': ['Retrieve'] }, 5));
  const acts: ((id: number) => Promise<unknown>)[] = [
    (id) => manager.get(members.add, { params: { id: harmless }, body: { user_ids: [id] } }),
    (id) => manager.get(users.update, { params: { id }, body: { is_active: false } }),
    (id) => manager.get(users.resetPassword, { params: { id } }),
    (id) => manager.get(users.remove, { params: { id } }),
  ];
  for (const act of acts) {
    const person = await app.person({ dept: below });
    const client = await app.signIn(person);
    expect((await client.ask(lookups.allDepts, {})).code).toBe(0);
    await act(person.id);
    await expect.poll(async () => (await client.ask(lookups.allDepts, {})).code, { timeout: 5000 }).toBe(401);
  }
});

test('a person whose password is reset or whose phone is changed by an administrator is told so', async () => {
  const person = await app.person({ dept: below, phone: '13611113333' });
  const change = (phone: string) => manager.get(users.update, { params: { id: person.id }, body: { phone } });
  await change('13611113333');
  await change('13611115555');
  await change('13611114444');
  await manager.get(users.resetPassword, { params: { id: person.id } });
  await app.services.databases.pool.query('update app_user set must_change_pwd = false where id = $1', [person.id]);
  const { value } = await (await app.signIn(person)).get(messages.unread);
  expect(value.map((one) => [one.title, one.web_path])).toEqual([
    ['您的登录密码已被重置', '/user/profile'],
    ['您账号的手机号已改为 136****4444', '/user/profile'],
    ['您账号的手机号已改为 136****5555', '/user/profile'],
  ]);
});

test('a call that shows a password once runs once per idempotency key, and a repeat is told to reset it', async () => {
  const body = { username: 'keyed.one', alias: '键一', dept: here };
  const key = { 'idempotency-key': 'users-keyed-one' };
  const made = await Promise.all([1, 2, 3, 4].map(() => manager.ask(users.create, { body }, key)));
  const [first, ...others] = made.toSorted((a, b) => b.code - a.code);
  expect(first!.code).toBe(0);
  for (const other of others)
    expect(other).toMatchObject({ code: -1, msg: expect.stringMatching(/^刚才的提交已经成功，.*只显示一次.*重置/) });
  const reset = () =>
    manager.ask(users.resetPassword, { params: { id: first!.data.id } }, { 'idempotency-key': 'users-keyed-two' });
  const stored = async () =>
    (await app.db.execute(sql`select password from app_user where id = ${first!.data.id}`)).rows[0];
  const { data } = await reset();
  const fits = await stored();
  expect((await reset()).code).toBe(-1);
  expect(await stored()).toEqual(fits);
  const kept = sql`select 1 from idempotency_record where answer::text like ${`%${data.password}%`}`;
  expect((await app.db.execute(kept)).rows).toEqual([]);
});

test('a deleted user is gone and the user name is not reused', async () => {
  const gone = await app.person({ dept: here, username: 'leaver', phone: '13611112222' });
  await manager.get(users.remove, { params: { id: gone.id } });
  expect(await app.db.select().from(userRoleTable).where(eq(userRoleTable.user_id, gone.id))).toEqual([]);
  expect(await row(manager, gone.id)).toBeUndefined();
  const again = await manager.ask(users.create, { body: { username: 'leaver', alias: '新人', dept: here } });
  expect(again).toMatchObject({ code: -1, msg: '用户名“leaver”已被使用过，请换一个' });
  const capitals = await manager.ask(users.create, { body: { username: 'Leaver', alias: '新人', dept: here } });
  expect(capitals).toMatchObject({ code: -1, msg: '用户名“Leaver”已被使用过，请换一个' });
  const body = { username: 'heir', alias: '新人', dept: here, phone: '13611112222' };
  expect((await manager.ask(users.create, { body })).code).toBe(0);
  expect((await manager.ask(users.create, { body: { ...body, username: 'heir2' } })).code).toBe(-1);
});

test('the last super administrator cannot be removed', async () => {
  const only = await openTestApp();
  const role = (
    await only.db
      .select()
      .from(roleTable)
      .where(sql`${roleTable.code} = 'super_admin'`)
  )[0]!.id;
  const second = await only.person({ roles: ['super_admin'] });
  const other = await only.signIn(second);
  const id = only.admin.userId;
  expect((await other.ask(users.update, { params: { id }, body: { type_id: 0, roles: [] } })).code).toBe(0);
  // Now `other` is the last one, and only a super administrator may change one.
  const third = await only.signIn(await only.person({ roles: ['super_admin'] }));
  const [a, b] = await Promise.all([
    third.ask(users.remove, { params: { id: second.id } }),
    other.ask(members.remove, { params: { id: role, userId: third.userId } }),
  ]);
  const { rows } = await only.db.execute<{ left: number }>(sql`
    select count(*)::int as left from app_user u join user_role r on r.user_id = u.id
    where r.role_id = ${role} and u.is_active and not u.is_deleted`);
  expect(rows[0]!.left).toBe(1);
  expect([a.code, b.code].filter((code) => code === 0)).toHaveLength(1);
  await only.close();
});

test('lists take the same number of queries for two rows and for forty', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const count = async (per_page: number) =>
    (await counted(app.admin, () => app.admin.get(users.list, { query: { per_page } }))).length;
  for (let i = 0; i < 40; i += 1) await app.person({ dept: here, roles: ['order_handler'] });
  const few = await count(2);
  expect(few).toBeGreaterThan(3);
  expect(await count(100)).toBe(few);
});

test('a change in the hidden middle of a phone number is visible in the log, with both masked', async () => {
  const person = await app.person({ phone: '13711110001' });
  const change = (body: object) => app.admin.get(users.update, { params: { id: person.id }, body });
  await change({ phone: '13722220001' });
  await change({ office_room: '302' });
  const { rows } = await app.db.execute<{ fields: unknown; text: string }>(sql`
    select diff->0->'fields' as fields, diff::text as text from log
    where action = '编辑用户' and object_id = ${String(person.id)} order by id`);
  expect(rows[0]?.fields).toEqual([{ field: '手机', before: '137****0001', after: '137****0001' }]);
  expect(rows.map((row) => row.text).join()).not.toMatch(/1371111|1372222/);
  expect(rows[1]?.text).not.toContain('手机');
});
