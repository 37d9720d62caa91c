import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { tripTable } from './tables.ts';
import { openBrowser } from './testing/browser.ts';
import { startForger } from './testing/forger.ts';
import { listen } from './testing/listen.ts';
import { setUp } from './testing/setup.ts';
import { back, begin, finish } from './testing/trip.ts';
import { openOidcHouse } from './testing/oidc-house.ts';

const { app, provider, oidc, close } = await openOidcHouse();
afterAll(close);

test('an unconfigured single sign-on is not offered, and its addresses say so', async () => {
  expect(await app.stranger.get(accounts.urls)).toMatchObject({ sso_url: '', wechat_url: '' });
  const answer = await openBrowser(app.url).ask('/api/oauth/login_url/');
  expect(answer).toMatchObject({ code: -1, msg: expect.stringContaining('尚未开放') });
  await setUp(app, { sso_enabled: true });
  expect((await app.stranger.get(accounts.urls)).sso_url).toBe('');
  expect((await app.stranger.get(settings.login)).value.sso_enabled).toBe(false);
});

test('a person vouched for by the provider is signed in with the usual answer', async () => {
  await oidc(provider.url);
  expect((await app.stranger.get(accounts.urls)).sso_url).toBe('/api/oauth/login_url/');
  const person = await app.person({ username: 'zhang.san', alias: '张三' });
  provider.person = { sub: 'zhang.san', name: '别名' };
  const browser = openBrowser(app.url);
  const { code, data } = await finish(browser, await back(browser, '/ticket/duty?page=2'));
  expect(code).toBe(0);
  expect(data).toMatchObject({ alias: '张三', username: 'zhang.san', user_id: person.id, must_change_pwd: false });
  expect(data['redirect']).toBe('/ticket/duty?page=2');
  const me = await app.stranger.fetch('/api/accounts/users/info/', {
    headers: { authorization: `JWT ${data['jwt']}` },
  });
  expect(await me.json()).toMatchObject({ code: 0, data: { username: 'zhang.san' } });
  const [entry] = await app.db.select().from(logTable).where(eq(logTable.user_id, person.id));
  expect(entry).toMatchObject({ action: '登录', path: '/api/oauth/login/', title: '张三（zhang.san）单点登录' });
});

test('signing out of a single sign-on also ends the provider’s session', async () => {
  const browser = openBrowser(app.url);
  const { data } = await finish(browser, await back(browser));
  const headers = { authorization: `JWT ${data['jwt']}` };
  const left = (await browser.ask('/api/accounts/logout/', { headers })).data as { url: string };
  expect(left.url).toContain(`${provider.url}/session/end?`);
  expect(new URL(left.url).searchParams.get('post_logout_redirect_uri')).toBe(`${app.url}/login`);
  const alive = async () => (await browser.ask('/api/accounts/users/info/', { headers })).code;
  await expect.poll(alive).toBe(401);
  expect(await (await app.signIn('zhang.san')).get(accounts.logout)).toMatchObject({ url: '/login' });
});

test('signing out takes effect before the provider is contacted', async () => {
  const browser = openBrowser(app.url);
  const { data } = await finish(browser, await back(browser));
  const headers = { authorization: `JWT ${data['jwt']}` };
  const seen: unknown[] = [];
  const held = await listen(async (_request, response) => {
    const { rows } = await app.services.databases.pool.query(
      `select ended_at is not null as over from session where user_id = $1 order by id desc limit 1`,
      [data['user_id']],
    );
    seen.push(...rows);
    response.writeHead(503).end();
  });
  await oidc(held.url);
  expect(await browser.ask('/api/accounts/logout/', { headers })).toMatchObject({ code: 0, data: { url: '/login' } });
  expect(seen[0]).toEqual({ over: true });
  await held.close();
  await oidc(provider.url);
});

test('a claim may carry the staff number, and people may be matched by it', async () => {
  const person = await app.person({ username: 'li.si' });
  await app.services.databases.write((tx) =>
    tx.update(userTable).set({ employ_no: 'no.4711' }).where(eq(userTable.id, person.id)),
  );
  await oidc(provider.url, { claim: 'staff_no', match: 'employ_no' });
  provider.person = { sub: '4711', name: '李四' };
  const browser = openBrowser(app.url);
  expect((await finish(browser, await back(browser))).data).toMatchObject({ user_id: person.id });
  await oidc(provider.url);
});

test('without its state, without its cookie or from another browser nobody is signed in', async () => {
  provider.person = { sub: 'zhang.san', name: '张三' };
  const refused = { code: -1, msg: expect.stringContaining('不是从此浏览器发起') as string };
  const browser = openBrowser(app.url);
  const brought = await back(browser);
  const code = brought.get('code')!;
  expect(await finish(openBrowser(app.url), brought)).toMatchObject(refused);
  expect(await finish(openBrowser(app.url), { code })).toMatchObject(refused);
  expect(await finish(browser, { code })).toMatchObject(refused);
  expect(await finish(browser, { code, state: 'x'.repeat(43) })).toMatchObject(refused);
  const other = openBrowser(app.url);
  const theirs = await back(other);
  expect(await finish(browser, theirs)).toMatchObject(refused);
  expect((await finish(browser, brought)).code).toBe(0);
});

test('neither state nor code is accepted twice', async () => {
  const browser = openBrowser(app.url);
  const brought = await back(browser);
  expect((await finish(browser, brought)).code).toBe(0);
  expect((await finish(browser, brought)).code).toBe(-1);
  const { state } = await begin(browser);
  const again = { code: brought.get('code')!, iss: provider.url, state };
  expect(await finish(browser, again)).toMatchObject({ code: -1, msg: expect.stringContaining('没有确认您的身份') });
  const together = await back(browser);
  const many = await Promise.all([1, 2, 3, 4].map(() => finish(browser, together)));
  expect(many.filter((one) => one.code === 0)).toHaveLength(1);
});

test('a pending sign-on is stored as hashes only and expires after five minutes', async () => {
  const browser = openBrowser(app.url);
  const { url, state } = await begin(browser);
  const kept = JSON.stringify(await app.db.select().from(tripTable));
  const cookie = browser.cookies.get(app.url)!.get('signon')!;
  const asked = new URL(url).searchParams;
  for (const secret of [state, cookie, asked.get('nonce')!]) expect(kept).not.toContain(secret);
  expect(asked.get('code_challenge_method')).toBe('S256');
  const brought = await browser.travel(url);
  await app.services.databases.write((tx) => tx.update(tripTable).set({ expires_at: '2020-01-01 00:00:00' }));
  expect((await finish(browser, brought)).code).toBe(-1);
});

test('unsolicited returns are not logged, and after a hundred from one address they are delayed', async () => {
  const entries = async () => (await app.db.select({ id: logTable.id }).from(logTable)).length;
  const browser = openBrowser(app.url);
  const brought = await back(browser);
  await app.services.databases.pool.query('delete from attempt');
  const before = await entries();
  const stray = { state: 'x'.repeat(43) };
  for (let times = 0; times < 100; times++) expect((await finish(browser, stray)).code).toBe(-1);
  const wait = { code: 4029, msg: expect.stringContaining('分钟后再试') as string };
  expect(await finish(browser, stray)).toMatchObject(wait);
  expect(await finish(browser, brought)).toMatchObject(wait);
  // This way is closed.
  expect((await browser.ask('/api/oauth/wechatlogin/web/?state=x')).code).toBe(-1);
  expect(await entries()).toBe(before);
  await app.services.databases.pool.query('delete from attempt');
  expect((await finish(browser, brought)).code).toBe(0);
});

test('the sign-on cookie is out of reach of scripts and other sites', async () => {
  const response = await app.stranger.fetch('/api/oauth/login_url/');
  expect(response.headers.get('set-cookie')).toMatch(
    /^signon=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; SameSite=Lax$/,
  );
  const elsewhere = await app.stranger.fetch('/api/oauth/login_url/', {
    headers: { 'sec-fetch-site': 'cross-site' },
  });
  expect(await elsewhere.json()).toMatchObject({ code: 4003 });
});

test('a token with another signer or another audience signs nobody in', async () => {
  const forger = await startForger();
  await app.person({ username: 'victim' });
  await oidc(forger.url);
  const browser = openBrowser(app.url);
  const attempt = async (claims: (asked: URLSearchParams) => object, more: object = {}) => {
    const { url, state } = await begin(browser);
    const asked = new URL(url).searchParams;
    Object.assign(forger.wanted, { foreign: false, claims: { nonce: asked.get('nonce'), ...claims(asked) } }, more);
    return finish(browser, { code: 'any', state, ...('iss' in more ? { iss: String(more.iss) } : {}) });
  };
  expect((await attempt(() => ({}))).code).toBe(0);
  const refused = [
    await attempt(() => ({ iss: 'https://foreign.example' })),
    await attempt(() => ({}), { iss: 'https://foreign.example' }),
    await attempt(() => ({ nonce: 'of-another-trip' })),
    await attempt(() => ({ nonce: undefined })),
    await attempt(() => ({ aud: 'another-client' })),
    await attempt(() => ({ aud: ['gongdan', 'another'], azp: 'another' })),
    await attempt(() => ({ sub: undefined })),
    await attempt(() => ({}), { foreign: true }),
  ];
  for (const answer of refused)
    expect(answer).toMatchObject({ code: -1, msg: expect.stringContaining('没有确认您的身份') });
  expect(await attempt(() => ({ exp: Math.floor(Date.now() / 1000) - 3600 }))).toMatchObject({
    code: -1,
    msg: expect.stringContaining('时钟'),
  });
  await forger.close();
  await oidc(provider.url);
});

test('an OAuth 2.0 provider without id tokens identifies people by its user information address', async () => {
  const server = await startForger();
  Object.assign(server.wanted, { plain: true, userNo: 'plain.user' });
  const person = await app.person({ username: 'plain.user' });
  const [authorize_url, token_url, userinfo_url] = ['authorize', 'token', 'userinfo'].map(
    (at) => `${server.url}/${at}`,
  );
  const more = { type: 'oauth2', authorize_url, token_url, userinfo_url, claim: 'userNo' };
  await oidc('', more);
  const browser = openBrowser(app.url);
  const { url, state } = await begin(browser);
  expect(url.startsWith(`${authorize_url}?`)).toBe(true);
  const { code, data } = await finish(browser, { code: 'any', state });
  expect({ code, user: data['user_id'] }).toEqual({ code: 0, user: person.id });
  expect((await finish(browser, { code: 'any', state })).code).toBe(-1);
  await oidc('', { ...more, claim: 'nothing' });
  expect((await finish(browser, { code: 'any', state: (await begin(browser)).state })).code).toBe(-1);
  await server.close();
  await oidc(provider.url);
});

test('an unreachable, slow or malformed provider is reported with a sentence', { timeout: 180_000 }, async () => {
  const answers = { slow: false, text: 'nonsense', status: 200 };
  const odd = await listen((_request, response) => {
    if (!answers.slow) response.writeHead(answers.status, { 'content-type': 'application/json' }).end(answers.text);
  });
  await oidc(odd.url);
  const browser = openBrowser(app.url);
  const start = () => browser.ask('/api/oauth/login_url/');
  expect((await start()).code).toBe(-1);
  answers.status = 503;
  expect(await start()).toMatchObject({ code: -1, msg: expect.stringContaining('暂时无法访问') });
  answers.slow = true;
  const began = Date.now();
  expect(await start()).toMatchObject({ code: -1, msg: expect.stringContaining('暂时无法访问') });
  expect(Date.now() - began).toBeLessThan(50_000);
  await odd.close();
  expect(await start()).toMatchObject({ code: -1, msg: expect.stringContaining('暂时无法访问') });
  await oidc('http://10.255.255.1');
  expect(await start()).toMatchObject({ code: -1, msg: expect.stringContaining('暂时无法访问') });
  await oidc(provider.url);
});

test('a person who cancels at the provider is told so', async () => {
  const browser = openBrowser(app.url);
  const { state } = await begin(browser);
  expect(await finish(browser, { error: 'access_denied', state })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('已取消'),
  });
  expect((await finish(browser, { error: 'access_denied', state })).code).toBe(-1);
});

test('where only single sign-on is allowed passwords are for super administrators', async () => {
  await setUp(app, { sso_only: true });
  const { username } = await app.person();
  const asked = (name: string) =>
    app.stranger.ask(accounts.login, { body: { username: name, password: 'Gongdan@2026' } });
  expect(await asked(username)).toMatchObject({ code: -1, msg: expect.stringContaining('密码登录未开放') });
  expect((await asked('admin')).code).toBe(0);
  provider.person = { sub: username, name: '' };
  const browser = openBrowser(app.url);
  expect((await finish(browser, await back(browser))).code).toBe(0);
  await setUp(app, { sso_only: false });
});
