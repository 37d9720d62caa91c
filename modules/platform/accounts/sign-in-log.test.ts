import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import { signIns } from '#modules/platform/audit/contract/sign-ins.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from './contract.ts';
import { secondCalls } from './contract/second.ts';
import { appOf } from './second/factor.ts';
import { letInVouched } from './service.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp({ sendCode: async () => undefined });
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
  await eventually(async () => {
    if (!(await app.services.settings.get('login')).phone_login) throw new Error('not open yet');
  });
});
afterAll(() => app.close());
const rows = (text: string, ...values: unknown[]) => app.services.databases.pool.query(text, values);
beforeEach(() => rows('delete from attempt'));

const login = (body: Record<string, string>, agent = 'test') =>
  app.stranger.ask(accounts.login, { body: body as never }, { 'user-agent': agent });
const told = async (query: Parameters<typeof app.admin.get<typeof signIns.list>>[1] = {}) =>
  (await app.admin.get(signIns.list, query)).value;

test('the sign-in log shows each success and each refusal with way, reason and device', async () => {
  const { username, alias, id } = await app.person();
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
  await login({ username, password: testPassword }, agent);
  await login({ username, password: 'x' });
  await login({ username: 'nobody.here', password: 'x' });
  await login({ phone: '13500001234', code: '123456' });
  const [phone, unknown, wrong, right] = await told();
  expect(right).toMatchObject({
    username,
    alias,
    action: '登录',
    how: '密码',
    result: 0,
    reason: '',
    device: 'Linux 上的 Firefox',
  });
  expect(wrong).toMatchObject({ username, action: '登录失败', how: '密码', result: -1, reason: '密码不正确' });
  expect(unknown).toMatchObject({ username: '', how: '密码', reason: '没有这个用户' });
  expect(phone).toMatchObject({ username: '', how: '手机验证码', reason: '验证码不正确或已失效，请重新获取' });
  expect(phone!.title).toContain('135****1234');

  const { databases, identity, settings: kept } = app.services;
  const cookies = { get: () => undefined, set: () => undefined } as never;
  const caller = { origin: { ip: '10.0.0.9', userAgent: 'x', traceId: 'x' }, cookies };
  const door = { identity, login: await kept.get('login') };
  for (const way of ['sso', 'wechat'] as const)
    await databases.write((tx) => letInVouched(tx, door, id, caller, way, { method: 'GET', path: '/' }));
  expect((await told({ query: { ip: '10.0.0.9' } })).map((row) => row.how)).toEqual(['微信', '单点登录']);
});

test('the sign-in log tells an authenticator code from a recovery code, also when it was wrong', async () => {
  const { username, id } = await app.person();
  const me = await app.signIn(id);
  const { secret } = await me.get(secondCalls.beginSecond, { body: { password: testPassword } });
  const codeNow = () => appOf(secret).generate({ timestamp: Date.now() });
  const { codes } = await me.get(secondCalls.confirmSecond, { body: { code: codeNow() } });
  const unspent = () => rows('update second_factor set last_step = 0 where user_id = $1', id);
  const prove = async (code: string) => {
    await unspent();
    const { data } = await login({ username, password: testPassword });
    return app.stranger.ask(secondCalls.proveSecond, { body: { code } }, { authorization: `JWT ${data.jwt}` });
  };
  expect((await prove(codes[0]!)).code).toBe(0);
  expect((await prove(codes[0]!)).code).toBe(-1);
  expect((await prove('000000')).code).toBe(-1);
  const found = await told({ query: { user: username, act: '二次验证' } });
  expect(found.map(({ action, how, result, reason }) => [action, how, result === 0, reason])).toEqual([
    ['二次验证失败', '动态码', false, expect.stringContaining('动态码不正确')],
    ['二次验证失败', '恢复码', false, expect.stringContaining('恢复码不正确')],
    ['二次验证', '恢复码', true, ''],
  ]);
});

test('the sign-in log is filtered by way and outcome, and a narrower scope shows only its own people', async () => {
  const dept = await app.dept();
  const near = await app.person({ dept });
  await login({ username: near.username, password: 'x' });
  const denied = await told({ query: { how: '密码', result: 'denied', per_page: 100 } });
  expect(denied.length).toBeGreaterThan(0);
  expect(denied.every((row) => row.how === '密码' && row.result !== 0)).toBe(true);
  const reader = await app.clerk({ 'system/sign_in': ['Retrieve', 'daochu'] }, { dept, dataScope: 3 });
  const { value } = await reader.get(signIns.list);
  expect(value.map((row) => row.username)).toEqual([near.username]);
  const sheet = await reader.fetch('/api/accounts/log/sign_in/?export=xlsx');
  expect(sheet.headers.get('x-export-rows')).toBe('1');
  const auditor = await app.signIn(await app.person({ roles: ['auditor'] }));
  expect((await auditor.ask(signIns.list)).code).toBe(0);
});

test('attempts from a forbidden address are logged up to a limit', async () => {
  const list = { ip_whitelist: ['10.99.0.0/16'] };
  await rows(`update setting set value = value || $1::jsonb where key = 'login'`, JSON.stringify(list));
  await rows(`select pg_notify('settings', 'login')`);
  try {
    await eventually(async () => expect(await app.services.settings.get('login')).toMatchObject(list));
    for (let i = 0; i < 12; i++) await login({ username: 'from.afar', password: 'x' });
    const { rows: found } = await rows(`select title from log where title like 'from.afar：%不允许登录%'`);
    expect(found).toHaveLength(10);
  } finally {
    await rows(`update setting set value = value || '{"ip_whitelist": []}' where key = 'login'`);
    await rows(`select pg_notify('settings', 'login')`);
  }
});
