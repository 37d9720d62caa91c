import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openTestApp, testPassword, type Client, type TestOffice } from '#apps/server/testing.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { lookups } from '#modules/platform/people/contract/lookups.ts';
import { endSessionsOf } from '#modules/platform/people/service/rights.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from './contract.ts';
import type { CodeMessage } from './sign-in/phone-code.ts';
import { solved } from './testing/challenge.ts';

let app: TestOffice;
const sent: CodeMessage[] = [];
beforeAll(async () => {
  app = await openTestApp({ sendCode: async (_tx, message) => void (message.reachable && sent.push(message)) });
});
afterAll(() => app.close());
beforeEach(() => app.services.databases.pool.query('delete from attempt'));

const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 5000, interval: 20 });
const isOut = (client: Client) => soon(async () => expect((await client.ask(accounts.me)).code).toBe(401));

test('a session ends by logging out, disabling, a change of roles, and when its owner ends it', async () => {
  const { write } = app.services.databases;
  const person = await app.person();
  const left = await app.signIn(person);
  expect(await left.get(accounts.logout)).toEqual({ url: '/login', data: { url: '/login' } });
  await isOut(left);
  expect((await left.ask(accounts.logout)).code).toBe(0);
  expect((await app.stranger.ask(accounts.logout)).code).toBe(0);

  const [mine, other] = [await app.signIn(person), await app.signIn(person)];
  const rows = await mine.get(accounts.sessions);
  expect(rows.map((row) => row.current).toSorted()).toEqual([false, true]);
  await mine.get(accounts.endSession, { params: { id: rows.find((row) => !row.current)!.id } });
  await isOut(other);
  const stranger = await app.signIn(await app.person());
  expect((await stranger.ask(accounts.endSession, { params: { id: rows[0]!.id } })).code).toBe(4004);

  await write((tx) => endSessionsOf(tx, person.id));
  await isOut(mine);
  const again = await app.signIn(person);
  await write(async (tx) => {
    await tx.update(userTable).set({ is_active: false }).where(eq(userTable.id, person.id));
    await endSessionsOf(tx, person.id);
  });
  await isOut(again);
});

test('a person’s public card has name and department and nothing used for signing in', async () => {
  const person = await app.person({ dept: await app.dept('档案室'), alias: '钱档案' });
  const card = await (await app.signIn(person)).get(accounts.info);
  expect(card).toMatchObject({ id: person.id, alias: '钱档案', department: '档案室' });
  expect(Object.keys(card).toSorted()).toEqual(['alias', 'avatar', 'company', 'department', 'id', 'username']);
});

test('a new password ends the person’s other sessions, keeps the present one, and must follow the rules', async () => {
  const person = await app.person({ username: 'zhao.lei', alias: '秦浩宇' });
  const [mine, other] = [await app.signIn(person), await app.signIn(person)];
  const change = (old_password: string, new_password: string) =>
    mine.ask(accounts.changePassword, { body: { old_password, new_password } });
  expect((await change('wrong', 'Blue-Kite-77')).msg).toBe('原密码不正确');
  for (const [bad, why] of [
    ['Ab1!', '至少 8 位'],
    ['password123', '过于常见'],
    ['zhao.lei-42', '不能包含“zhao.lei”'],
    ['zhaolei-2042', '不能包含“zhao.lei”'],
    ['QinHaoyu2026', '不能包含“qinhaoyu”'],
    ['gongdan-4711', '不能包含“gongdan”'],
    ['aaaaaaaa', '重复'],
    [testPassword.toLowerCase(), '过于常见'],
  ] as const)
    expect((await change(testPassword, bad)).msg).toContain(why);
  expect((await change(testPassword, 'Blue-Kite-77')).code).toBe(0);
  expect((await mine.ask(accounts.me)).code).toBe(0);
  await isOut(other);
  expect((await mine.get(accounts.sessions)).length).toBe(1);
  expect((await change('Blue-Kite-77', 'Blue-Kite-77')).msg).toContain('最近 5 次');
  expect((await change('Blue-Kite-77', 'Green-Lake-31')).code).toBe(0);
  expect((await change('Green-Lake-31', 'Blue-Kite-77')).msg).toContain('最近 5 次');
});

test('after signing in with a one-time password only a new password can be set', async () => {
  const person = await app.person();
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ must_change_pwd: true }).where(eq(userTable.id, person.id)),
  );
  const client = await app.signIn(person);
  expect((await client.get(accounts.me)).must_change_pwd).toBe(true);
  expect((await client.ask(accounts.changeInfo, { body: { office_room: '301' } })).code).toBe(4003);
  await client.get(accounts.changePassword, { body: { old_password: testPassword, new_password: 'Blue-Kite-77' } });
  await soon(async () =>
    expect((await client.ask(accounts.changeInfo, { body: { office_room: '301' } })).code).toBe(0),
  );
});

test('a phone code signs in once, only for its purpose, within five attempts', async () => {
  await app.person({ phone: '13900000001' });
  const ask = (phone: string, code: string) => app.stranger.ask(accounts.login, { body: { phone, code } });
  expect((await ask('13900000001', '123456')).msg).toContain('未开放');
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
  await soon(async () => expect((await ask('13900000001', '123456')).msg).not.toContain('未开放'));
  await app.services.databases.pool.query('delete from attempt');

  const known = await app.stranger.ask(accounts.smsCode, { params: { phone: '13900000001' } });
  const unknown = await app.stranger.ask(accounts.smsCode, { params: { phone: '13900000099' } });
  expect(unknown).toEqual(known);
  expect(sent.map((one) => one.phone)).toEqual(['13900000001']);
  const { code } = sent[0]!;
  expect((await app.stranger.ask(accounts.smsCode, { params: { phone: '13900000001' } })).code).toBe(4029);
  expect((await ask('13900000001', code)).code).toBe(0);
  expect((await ask('13900000001', code)).code).toBe(-1);

  await app.services.databases.pool.query('delete from attempt');
  await app.stranger.get(accounts.smsCode, { params: { phone: '13900000001' } });
  const wrong = sent.at(-1)!.code === '000000' ? '000001' : '000000';
  for (let i = 0; i < 5; i++) {
    await app.services.databases.pool.query(`delete from attempt where kind like 'sign-in%'`);
    expect((await ask('13900000001', wrong)).code).toBe(-1);
  }
  await app.services.databases.pool.query(`delete from attempt where kind like 'sign-in%'`);
  expect((await ask('13900000001', sent.at(-1)!.code)).code).toBe(-1);
});

test('many simultaneous wrong codes do not exhaust the database connections', async () => {
  await app.services.databases.pool.query('delete from attempt');
  const phones = Array.from({ length: 30 }, (_, at) => `1380000${1000 + at}`);
  const answers = await Promise.all(
    phones.map((phone) => app.stranger.ask(accounts.login, { body: { phone, code: '123456' } })),
  );
  expect(answers.map((answer) => answer.status)).toEqual(phones.map(() => 200));
  await app.services.databases.pool.query('delete from attempt');
});

test(
  'codes are limited per number and per client, and repeated requests need a challenge',
  { timeout: 180_000 },
  async () => {
    const mine = await app.signIn(await app.person());
    const ask = async (phone: string, proof = true) =>
      mine.ask(accounts.smsCode, {
        params: { phone },
        query: { scene: 'change', challenge: proof ? await solved(app) : undefined },
      });
    for (let i = 0; i < 3; i++) expect((await ask(`1370000000${i}`, false)).code).toBe(0);
    expect((await ask('13700000009', false)).data).toEqual({ challenge_needed: true, work: 1 });
    for (let i = 0; i < 4; i++) {
      await app.services.databases.pool.query(`delete from attempt where kind = 'code-minute'`);
      expect((await ask('13700000000')).code).toBe(0);
    }
    await app.services.databases.pool.query(`delete from attempt where kind = 'code-minute'`);
    expect(await ask('13700000000')).toMatchObject({ code: 4029 });
    await app.services.databases.pool.query(`update attempt set count = 20 where kind = 'code-person'`);
    expect(await ask('13700000008')).toMatchObject({ code: 4029, msg: expect.stringContaining('过于频繁') as string });
  },
);

test('a person changes their phone with the password and a code sent to the new number', async () => {
  const [mine, other] = [await app.signIn(await app.person()), await app.signIn(await app.person())];
  const phone = '13611112222';
  await mine.get(accounts.smsCode, { params: { phone }, query: { scene: 'change' } });
  const { code } = sent.at(-1)!;
  const body = { phone, code, password: testPassword };
  expect((await other.ask(accounts.changePhone, { body })).code).toBe(-1);
  expect((await mine.ask(accounts.changePhone, { body: { ...body, password: 'x' } })).msg).toBe('登录密码不正确');
  await mine.get(accounts.changePhone, { body });
  expect((await mine.get(accounts.me)).phone).toBe(phone);
  expect((await mine.get(messages.unread)).value[0]).toMatchObject({
    title: '您账号的手机号已改为 136****2222',
    web_path: '/user/profile',
  });
  await mine.get(accounts.changeInfo, { body: { office_room: 'K7-301' } });
  const found = async (search_value: string) =>
    (await mine.get(lookups.simpleUsers, { query: { search_value } })).map((one) => one.id);
  expect([await found('2222'), await found('K7-301'), await found(phone)]).toEqual([[mine.userId], [mine.userId], []]);
  expect((await app.stranger.ask(accounts.smsCode, { params: { phone }, query: { scene: 'change' } })).code).toBe(401);
});

test('screen preferences are private to their person and limited in size', async () => {
  const [mine, other] = [await app.signIn(await app.person()), await app.signIn(await app.person())];
  await mine.get(accounts.keepPreference, { body: { key: 'columns:stamp/list', value: { name: 120 } } });
  expect((await mine.get(accounts.preferences)).value).toEqual({ 'columns:stamp/list': { name: 120 } });
  expect((await other.get(accounts.preferences)).value).toEqual({});
  const big = await mine.ask(accounts.keepPreference, { body: { key: 'phrases', value: '字'.repeat(30_000) } });
  expect(big.msg).toContain('64 KB');
  await app.services.databases.pool.query(
    `insert into preference select $1, 'k' || n, '1' from generate_series(1, 199) n`,
    [mine.userId],
  );
  expect((await mine.ask(accounts.keepPreference, { body: { key: 'phrases', value: [] } })).msg).toContain('200 项');
  await mine.get(accounts.keepPreference, { body: { key: 'columns:stamp/list', value: null } });
  expect((await mine.ask(accounts.keepPreference, { body: { key: 'phrases', value: [] } })).code).toBe(0);
});

test('an unsent draft is found on another machine only by its author, is limited in size, and can be discarded', async () => {
  const person = await app.person();
  const [here, there, other] = [
    await app.signIn(person),
    await app.signIn(person),
    await app.signIn(await app.person()),
  ];
  const value = { values: { reason: '回家' }, attempt: 'a1', at: 1 };
  const query = { key: 'ticket-new-3' };
  await here.get(accounts.keepDraft, { body: { ...query, value } });
  expect((await there.get(accounts.draft, { query })).value).toEqual(value);
  expect((await other.get(accounts.draft, { query })).value).toBeNull();
  const big = { ...value, values: { reason: '字'.repeat(100_000) } };
  expect((await here.ask(accounts.keepDraft, { body: { ...query, value: big } })).msg).toContain('256 KB');
  for (let at = 0; at < 50; at++) await here.get(accounts.keepDraft, { body: { key: `button:${at}`, value } });
  expect((await there.get(accounts.draft, { query })).value).toBeNull();
  expect((await there.get(accounts.draft, { query: { key: 'button:49' } })).value).toEqual(value);
  await there.get(accounts.keepDraft, { body: { key: 'button:49', value: null } });
  expect((await here.get(accounts.draft, { query: { key: 'button:49' } })).value).toBeNull();
  await app.services.databases.pool.query(`update draft set kept_at = now() - interval '31 days' where user_id = $1`, [
    here.userId,
  ]);
  expect((await here.get(accounts.draft, { query: { key: 'button:1' } })).value).toBeNull();
  await other.get(accounts.keepDraft, { body: { key: 'button:1', value } });
  const { rows } = await app.services.databases.pool.query('select key from draft where user_id = $1', [here.userId]);
  expect(rows).toEqual([]);
});

test('a person changes their own profile, but cannot use another person’s upload as picture', async () => {
  const [mine, other] = [await app.signIn(await app.person()), await app.signIn(await app.person())];
  const upload = async (userId: number) => {
    const { rows } = await app.services.databases.pool.query<{ id: number }>(
      `with kept as (insert into file_content (sha256, size) values (repeat('0', 64), 1) on conflict do nothing)
       insert into file (name, ext, mime, size, sha256, uploader_id, module)
       values ('a.webp', 'webp', 'image/webp', 1, repeat('0', 64), $1, 'people') returning id`,
      [userId],
    );
    return rows[0]!.id;
  };
  const saved = await mine.get(accounts.changeInfo, {
    body: { email: 'a@example.com', avatar: await upload(mine.userId) },
  });
  expect(saved.email).toBe('a@example.com');
  expect(saved.avatar).not.toBeNull();
  const stolen = await mine.ask(accounts.changeInfo, { body: { avatar: await upload(other.userId) } });
  expect(stolen.code).toBe(-1);
  const alias = await mine.fetch('/api/accounts/change_info/', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ office_room: '508', type: 2, username: 'root' }),
  });
  expect(await alias.json()).toMatchObject({ code: 0, data: { office_room: '508', is_super: false } });
});

test('a password change sent twice with one idempotency key is done once and answered alike', async () => {
  const person = await app.person();
  const client = await app.signIn(person);
  const body = { old_password: testPassword, new_password: 'Green-Kite-88' };
  const send = () => client.ask(accounts.changePassword, { body }, { 'idempotency-key': 'change-pwd-twice' });
  const first = await send();
  expect(first.code).toBe(0);
  expect(await send()).toEqual(first);
  const { rows } = await app.services.databases.pool.query(`select 1 from attempt where kind = 'own-password'`);
  expect(rows).toEqual([]);
});
