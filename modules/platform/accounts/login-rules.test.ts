import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import { addressOf } from '#kernel/server/access/attempts.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { accountNews } from '#modules/platform/messages/service/news.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from './contract.ts';
import { meetDevice, purgeDevices } from './sign-in/devices.ts';

// The sign-in settings take effect at a sign-in.
let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
const query = (text: string, values: unknown[] = []) => app.services.databases.pool.query(text, values);
beforeEach(() => query('delete from attempt'));

async function rule(body: Partial<Awaited<ReturnType<typeof app.services.settings.get<'login'>>>>): Promise<void> {
  await app.admin.get(settings.saveLogin, { body });
  await eventually(async () => expect(await app.services.settings.get('login')).toMatchObject(body));
}
/** The same for values that the page refuses. */
async function put(value: Parameters<typeof rule>[0]): Promise<void> {
  await query(`insert into setting (key, value) values ('login', '{}') on conflict do nothing`);
  await query(`update setting set value = value || $1::jsonb where key = 'login'`, [JSON.stringify(value)]);
  await query(`select pg_notify('settings', 'login')`);
  await eventually(async () => expect(await app.services.settings.get('login')).toMatchObject(value));
}
const login = (username: string, password = testPassword) =>
  app.stranger.ask(accounts.login, { body: { username, password } });
const jwtOf = async (username: string) => (await login(username)).data.jwt;
const codeFor = async (jwt: string, path: string = accounts.me.path) => {
  const answer = await app.stranger.fetch(path, { headers: { authorization: `JWT ${jwt}` } });
  return ((await answer.json()) as { code: number }).code;
};

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const chrome = (version: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;

test('a sign-in from a new browser or network is reported to its person, but not the first one or a newer browser version', async () => {
  const person = await app.person();
  const me = await app.signIn(person);
  const told = async () => (await me.get(messages.unread)).value.map((one) => one.title);
  const from = async (agent: string) => {
    const body = { username: person.username, password: testPassword };
    expect((await app.stranger.ask(accounts.login, { body }, { 'user-agent': agent })).code).toBe(0);
  };
  for (const agent of [chrome('138.0.0.0'), chrome('139.0.7258.5')]) await from(agent);
  expect(await told()).toEqual([]);
  for (const agent of [firefox, firefox, chrome('140.0.0.0')]) await from(agent);
  expect(await told()).toEqual(['您的账号在新设备上登录：Windows 上的 Firefox']);
  const { databases } = app.services;
  const at = (ip: string, session: number) =>
    databases.write((tx) => meetDevice(tx, person.id, session, { ip, userAgent: firefox }));
  for (const [index, ip] of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].entries())
    await at(ip, 1_000_000 + index);
  expect(await told()).toHaveLength(3);
  expect(accountNews.NEW_DEVICE_LOGIN.choices).toMatchObject([{ ways: ['sms', 'push'] }]);
});

test('devices unused for half a year are forgotten, except the last one of each person', async () => {
  const { id } = await app.person();
  const { databases } = app.services;
  for (const days of [400, 300, 200])
    for (const table of ['sign_in_device (user_id,', 'known_device (session_version, user_id,'])
      await query(
        `insert into ${table} mark, last_used)
          select ${table.startsWith('known') ? '1, ' : ''}$1, $2::int::text, now() - make_interval(days => $2::int)`,
        [id, days],
      );
  await databases.write(purgeDevices);
  for (const table of ['sign_in_device', 'known_device']) {
    const { rows } = await query(`select trim(mark) mark from ${table} where user_id = $1`, [id]);
    expect(rows).toEqual([{ mark: '200' }]);
  }
});

test(
  'where only one session is allowed a new sign-in ends the others, otherwise they stay',
  { timeout: 180_000 },
  async () => {
    const { username } = await app.person();
    const [first, second] = [await jwtOf(username), await jwtOf(username)];
    expect([await codeFor(first), await codeFor(second)]).toEqual([0, 0]);
    await rule({ single_session: true });
    const third = await jwtOf(username);
    for (const earlier of [first, second]) await eventually(async () => expect(await codeFor(earlier)).toBe(401));
    expect(await codeFor(third)).toBe(0);
    await rule({ single_session: false });
  },
);

test('a session lasts the configured hours from its last use, and no longer', { timeout: 180_000 }, async () => {
  await rule({ session_hours: 3 });
  const { username, id } = await app.person();
  const left = async () => {
    const { rows } = await query(
      `select extract(epoch from expires_at - now()) / 3600 as hours from session where user_id = $1 order by id desc limit 1`,
      [id],
    );
    return Number(rows[0].hours);
  };
  const used = await jwtOf(username);
  expect(await left()).toBeGreaterThan(2.9);
  expect(await left()).toBeLessThanOrEqual(3);
  await query(
    `update session set last_seen = now() - interval '2 hours', expires_at = now() + interval '1 hour' where user_id = $1`,
    [id],
  );
  expect(await codeFor(used)).toBe(0);
  await eventually(async () => expect(await left()).toBeGreaterThan(2.9));
  const unused = await jwtOf(username);
  await query(`update session set expires_at = now() - interval '1 second' where user_id = $1`, [id]);
  expect(await codeFor(unused)).toBe(401);
  await rule({ session_hours: 12 });
});

test('an expired password permits nothing but setting a new one', { timeout: 180_000 }, async () => {
  await rule({ pwd_expire_days: 30 });
  const [old, young] = [await app.person(), await app.person()];
  const changed = `update app_user set password_changed_at = now() - make_interval(days => $2) where id = $1`;
  await query(changed, [old.id, 31]);
  await query(changed, [young.id, 29]);
  expect((await login(young.username)).data.must_change_pwd).toBe(false);
  const { jwt, must_change_pwd } = (await login(old.username)).data;
  expect(must_change_pwd).toBe(true);
  expect(await codeFor(jwt, '/api/oauth/staff/all_staff/')).toBe(4003);
  const answer = await app.stranger.fetch(accounts.changePassword.path, {
    method: 'PUT',
    headers: { authorization: `JWT ${jwt}`, 'content-type': 'application/json' },
    body: JSON.stringify({ old_password: testPassword, new_password: 'Blue-Kite-77' }),
  });
  expect(await answer.json()).toMatchObject({ code: 0 });
  await eventually(async () => expect(await codeFor(jwt, '/api/oauth/staff/all_staff/')).toBe(0));
  expect((await login(old.username, 'Blue-Kite-77')).data.must_change_pwd).toBe(false);
  await rule({ pwd_expire_days: 0 });
});

test('a new password must have the configured length and kinds of characters', async () => {
  await rule({ pwd_min: 10, pwd_classes: 3 });
  const client = await app.signIn(await app.person());
  const change = (new_password: string) =>
    client.ask(accounts.changePassword, { body: { old_password: testPassword, new_password } });
  expect((await change('Kite-4711')).msg).toBe('新密码：至少 10 位，目前 9 位');
  for (const weak of ['blue-kite-flies', 'bluekite4711', 'BLUEKITE4711'])
    expect((await change(weak)).msg).toBe('新密码：须含大写字母、小写字母、数字、符号中的 3 类');
  expect((await change('blue-kite-4711')).code).toBe(0);
  await rule({ pwd_min: 8, pwd_classes: 0 });
});

test('nobody signs in from an address that is not allowed, even with the right password', async () => {
  const { username } = await app.person();
  // Nobody can save this from here: it would lock them out.
  const only = (...ranges: string[]) => put({ ip_whitelist: ranges });
  await only('10.0.0.0/8', '192.168.1.7');
  expect(await login(username)).toMatchObject({
    code: -1,
    msg: '当前网络地址 127.0.0.1 不允许登录，请联系管理员',
    data: null,
  });
  await only('10.0.0.0/8', '127.0.0.0/8');
  expect((await login(username)).code).toBe(0);
  await only();
  expect((await login(username)).code).toBe(0);
});

test('failures on many accounts from one address count for the address by the configured limits', async () => {
  await rule({ max_fail: 3, captcha_after: 2 });
  const right = await app.person();
  for (let one = 0; one < 20; one++) expect((await login(`nobody${one}`, 'x')).code).toBe(-1);
  expect(await login(right.username)).toMatchObject({ code: 4029, data: { work: 1 } });
  await query(`update attempt set count = 30 where kind = 'sign-in-from'`);
  expect(await login(right.username)).toMatchObject({ code: 4029, data: { work: 16 } });
  await query(`update attempt set expires_at = now() where kind = 'sign-in-from'`);
  expect((await login(right.username)).code).toBe(0);
  await rule({ max_fail: 5, captcha_after: 3 });
});

test('addresses of one IPv6 network count as one, however they are written', () => {
  expect(addressOf('2001:db8:1:2:aaaa::1')).toBe(addressOf('2001:0DB8:1:2::ffff'));
  expect(addressOf('2001:db8:1:2::1')).not.toBe(addressOf('2001:db8:1:3::1'));
  expect(addressOf('::ffff:10.0.0.9')).toBe('10.0.0.9');
  expect(addressOf('10.0.0.9')).not.toBe(addressOf('10.0.0.8'));
});

test('a person whose user type changes is signed out everywhere', async () => {
  const person = await app.person();
  const client = await app.signIn(person);
  expect((await client.ask(accounts.me)).code).toBe(0);
  await app.admin.get(users.update, { params: { id: person.id }, body: { type_id: 2 } });
  await eventually(async () => expect((await client.ask(accounts.me)).code).toBe(401));
  const { rows } = await app.db.execute(sql`select type_id from app_user where id = ${person.id}`);
  expect(rows).toEqual([{ type_id: 2 }]);
});
