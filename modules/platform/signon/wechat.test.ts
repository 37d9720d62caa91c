import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { tripTable, wechatTable } from './tables.ts';
import { openBrowser } from './testing/browser.ts';
import { listen } from './testing/listen.ts';
import { setUp } from './testing/setup.ts';
import { openWechatHouse } from './testing/wechat-house.ts';

const { app, wechat, path, phoneOf, scan, finish, codeTo, bind, bound, close } = await openWechatHouse();
afterAll(close);

test('the first call returns WeChat’s page with our address and the state', async () => {
  const { data } = await openBrowser(app.url).ask(path);
  const url = new URL(String(data['url']));
  expect(Object.keys(data)).toEqual(['url', 'state']);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    appid: 'wx1',
    redirect_uri: `${app.url}/auth-redirect?way=wechat`,
    response_type: 'code',
    scope: 'snsapi_login',
    state: data['state'],
  });
  expect(url.hash).toBe('#wechat_redirect');
  expect((await app.stranger.get(accounts.urls)).wechat_url).toBe(path);
});

test('an unbound identity is bound by phone and code, and recognised from then on', async () => {
  const phone = phoneOf();
  const person = await app.person({ phone, alias: '赵六' });
  Object.assign(wechat.person, { openid: 'o-zhao', unionid: undefined });
  const browser = openBrowser(app.url);
  const first = await finish(browser, await scan(browser, '/order'));
  expect(first.data).toEqual({ need_bind: true, bind_token: expect.stringMatching(/^[\w-]{43}$/) as string });
  const answer = await bind(browser, first.data['bind_token'], phone, await codeTo(phone));
  expect(answer).toMatchObject({ code: 0, data: { alias: '赵六', user_id: person.id, redirect: '/order' } });
  const again = openBrowser(app.url);
  const { data } = await finish(again, await scan(again));
  const info = data['userinfo'] as Record<string, unknown>;
  expect(Object.keys(info).toSorted()).toEqual(
    ['access_token', 'alias', 'company', 'department', 'email', 'phone', 'user_id', 'username'].toSorted(),
  );
  expect(info).toMatchObject({ alias: '赵六', phone, user_id: person.id });
  const headers = { authorization: `JWT ${String(info['access_token'])}` };
  expect((await again.ask('/api/accounts/users/info/', { headers })).code).toBe(0);
});

test('an identity is recognised by its unionid under any openid', async () => {
  const person = await bound('o-first', 'u-shared');
  Object.assign(wechat.person, { openid: 'o-second', unionid: 'u-shared' });
  const browser = openBrowser(app.url);
  const { data } = await finish(browser, await scan(browser));
  expect(data['userinfo']).toMatchObject({ user_id: person.id });
});

test('a replayed code or state, a missing cookie and another browser are refused', async () => {
  await bound('o-replay');
  const browser = openBrowser(app.url);
  const brought = await scan(browser);
  expect((await finish(openBrowser(app.url), brought)).code).toBe(-1);
  expect((await finish(openBrowser(app.url), { code: brought.get('code')! })).code).toBe(-1);
  expect((await finish(browser, { code: brought.get('code')! })).code).toBe(-1);
  expect((await finish(browser, brought)).data['userinfo']).toBeDefined();
  expect((await finish(browser, brought)).code).toBe(-1);
  const next = (await browser.ask(path)).data;
  const replayed = await finish(browser, { code: brought.get('code')!, state: String(next['state']) });
  expect(replayed).toMatchObject({ code: -1, msg: expect.stringContaining('没有确认您的身份') });
});

test('nobody binds with another’s token, without a code, with a code for another purpose, or twice', async () => {
  const phone = phoneOf();
  await app.person({ phone });
  Object.assign(wechat.person, { openid: 'o-hijack', unionid: undefined });
  const browser = openBrowser(app.url);
  const { data } = await finish(browser, await scan(browser));
  const token = data['bind_token'];
  const code = await codeTo(phone);
  expect((await bind(openBrowser(app.url), token, phone, code)).code).toBe(-1);
  const thief = openBrowser(app.url);
  await scan(thief);
  expect((await bind(thief, token, phone, code)).code).toBe(-1);
  expect((await bind(browser, 'x'.repeat(43), phone, code)).code).toBe(-1);
  expect((await bind(browser, token, phone, code === '111111' ? '222222' : '111111')).code).toBe(-1);
  expect((await bind(browser, token, phone, code)).code).toBe(0);
  expect((await bind(browser, token, phone, code)).code).toBe(-1);
  await setUp(app, { phone_login: true });
  const other = phoneOf();
  await app.person({ phone: other });
  wechat.person.openid = 'o-hijack-2';
  const second = (await finish(browser, await scan(browser))).data['bind_token'];
  expect((await bind(browser, second, other, await codeTo(other, 'login'))).code).toBe(-1);
  expect(await app.db.select().from(wechatTable).where(eq(wechatTable.openid, 'o-hijack-2'))).toEqual([]);
});

test('binding attempts without a scan are limited by address, whatever the phone, and not logged', async () => {
  const entries = async () => (await app.db.select({ id: logTable.id }).from(logTable)).length;
  await app.services.databases.pool.query('delete from attempt');
  const before = await entries();
  const browser = openBrowser(app.url);
  for (let times = 0; times < 3; times++)
    expect((await bind(browser, 'x'.repeat(43), phoneOf(), '000000')).code).toBe(-1);
  expect((await finish(browser, { state: 'x', code: 'y' })).code).toBe(-1);
  expect(await entries()).toBe(before);
  await app.services.databases.pool.query(`update attempt set count = count + 96 where kind = 'sign-on-strays'`);
  expect((await bind(browser, 'x'.repeat(43), phoneOf(), '000000')).code).toBe(4029);
  await app.services.databases.pool.query('delete from attempt');
});

test('five wrong codes end the guessing', async () => {
  const phone = phoneOf();
  await app.person({ phone });
  Object.assign(wechat.person, { openid: 'o-guess', unionid: undefined });
  const browser = openBrowser(app.url);
  const token = (await finish(browser, await scan(browser))).data['bind_token'];
  const code = await codeTo(phone);
  const wrong = code === '111111' ? '222222' : '111111';
  for (let guess = 0; guess < 5; guess++) expect((await bind(browser, token, phone, wrong)).code).toBe(-1);
  expect((await bind(browser, token, phone, code)).code).toBe(-1);
});

test('attempts without a scan, or with another’s token, use up none of a phone’s five guesses', async () => {
  const phone = phoneOf();
  const person = await app.person({ phone });
  Object.assign(wechat.person, { openid: 'o-guessed-at', unionid: undefined });
  const browser = openBrowser(app.url);
  const token = (await finish(browser, await scan(browser))).data['bind_token'];
  const code = await codeTo(phone);
  const stranger = openBrowser(app.url);
  for (const theirs of ['x'.repeat(43), token, 'x'.repeat(43), token, 'x'.repeat(43)])
    expect((await bind(stranger, theirs, phone, '000000')).msg).toContain('不是从此浏览器发起');
  expect(await bind(browser, token, phone, code)).toMatchObject({ code: 0, data: { user_id: person.id } });
});

test('a phone that belongs to nobody or to a leaver is bound to nothing', async () => {
  const unknown = phoneOf();
  const left = phoneOf();
  await app.person({ phone: left, active: false });
  Object.assign(wechat.person, { openid: 'o-nobody', unionid: undefined });
  const browser = openBrowser(app.url);
  const token = (await finish(browser, await scan(browser))).data['bind_token'];
  expect((await bind(browser, token, unknown, await codeTo(unknown))).code).toBe(-1);
  expect(await bind(browser, token, left, await codeTo(left))).toMatchObject({
    code: -1,
    msg: expect.stringContaining(left),
  });
  expect(await app.db.select().from(wechatTable).where(eq(wechatTable.openid, 'o-nobody'))).toEqual([]);
});

test('an unreachable WeChat is reported with a sentence, and its secret is never in an answer', async () => {
  const browser = openBrowser(app.url);
  const brought = await scan(browser);
  const gone = await listen(() => undefined);
  await gone.close();
  await setUp(app, {}, { wechat: { url: gone.url, secret: 'wx-secret' } });
  const down = await finish(browser, brought);
  expect(down).toMatchObject({ code: -1, msg: expect.stringContaining('暂时无法访问') });
  await setUp(app, {}, { wechat: { url: wechat.url, secret: 'wx-secret' } });
  expect(JSON.stringify([down, await app.db.select().from(tripTable)])).not.toContain('wx-secret');
});
