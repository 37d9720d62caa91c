import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { users } from '#modules/platform/people/contract/users.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { boundToClosed, boundToOther, clocksApart, notByName, notVouched } from './contract.ts';
import { openBrowser } from './testing/browser.ts';
import { startForger } from './testing/forger.ts';
import { openOidcHouse } from './testing/oidc-house.ts';
import { setUp } from './testing/setup.ts';
import { begin, finish } from './testing/trip.ts';

const { app, oidc, close } = await openOidcHouse();
const server = await startForger();
await oidc(server.url, { claim: 'no' });
afterAll(async () => {
  await close();
  await server.close();
});

const msgOf = (refusal: Error) => ({ code: -1, msg: refusal.message });
/** Returns from the provider with these claims. */
async function comeBack(claims: object, browser = openBrowser(app.url)) {
  const { url, state } = await begin(browser);
  Object.assign(server.wanted, { claims: { nonce: new URL(url).searchParams.get('nonce'), ...claims } });
  return finish(browser, { code: 'any', state });
}

test('a known identity is found by issuer and subject: neither a changed number nor its next holder leads to another account', async () => {
  const [first, second] = [await app.person({ username: 'bears.no' }), await app.person({ username: 'other.no' })];
  expect((await comeBack({ sub: 's-1', no: 'bears.no' })).data).toMatchObject({ user_id: first.id });
  // The same person with a number that belongs to somebody else here.
  expect((await comeBack({ sub: 's-1', no: 'other.no' })).data).toMatchObject({ user_id: first.id });
  expect((await comeBack({ sub: 's-2', no: 'other.no' })).data).toMatchObject({ user_id: second.id });
  // Somebody else to whom the provider gave the number.
  expect(await comeBack({ sub: 's-3', no: 'bears.no' })).toMatchObject(msgOf(boundToOther('bears.no')));

  const list = async () => (await app.admin.get(users.list, { query: { search_value: 'bears.no' } })).value;
  expect((await list())[0]!.actions).toContain('release_sso');
  await app.admin.get(users.releaseSso, { params: { id: first.id } });
  expect((await list())[0]!.actions).not.toContain('release_sso');
  expect((await comeBack({ sub: 's-3', no: 'bears.no' })).data).toMatchObject({ user_id: first.id });
  expect(await comeBack({ sub: 's-1', no: 'bears.no' })).toMatchObject(msgOf(boundToOther('bears.no')));
});

test('the subject of a disabled account signs nobody in, and that of a deleted one is matched anew by number', async () => {
  const [closed, next] = [await app.person({ username: 'closed.no' }), await app.person({ username: 'next.no' })];
  expect((await comeBack({ sub: 's-c', no: 'closed.no' })).data).toMatchObject({ user_id: closed.id });
  const becomes = (state: { is_active: boolean } | { is_deleted: boolean }) =>
    app.services.databases.write((tx) => tx.update(userTable).set(state).where(eq(userTable.id, closed.id)));
  await becomes({ is_active: false });
  expect(await comeBack({ sub: 's-c', no: 'next.no' })).toMatchObject(msgOf(boundToClosed()));
  await becomes({ is_deleted: true });
  expect((await comeBack({ sub: 's-c', no: 'next.no' })).data).toMatchObject({ user_id: next.id });
});

test('a subject longer than the standard allows is refused', async () => {
  await app.person({ username: 'long.no' });
  expect(await comeBack({ sub: 's'.repeat(300), no: 'long.no' })).toMatchObject(msgOf(notVouched('单点登录')));
});

test('the built-in administrator cannot be reached by a name from the provider', async () => {
  expect(await comeBack({ sub: 'root', no: 'admin' })).toMatchObject(msgOf(notByName()));
});

test('clocks up to a minute apart are tolerated, and larger differences are reported as such', async () => {
  const now = Math.floor(Date.now() / 1000);
  const { id } = await app.person({ username: 'of.time' });
  const at = (seconds: number) => comeBack({ sub: 's-t', no: 'of.time', iat: now + seconds, exp: now + seconds + 5 });
  for (const seconds of [-45, 45]) expect((await at(seconds)).data).toMatchObject({ user_id: id });
  for (const seconds of [-600, 600]) expect(await at(seconds)).toMatchObject(msgOf(clocksApart('单点登录')));
});

test('a newcomer returning in several windows at once is signed in by each as one person', async () => {
  await setUp(app, { allow_register: true });
  const browsers = Array.from({ length: 5 }, () => openBrowser(app.url));
  const trips = await Promise.all(browsers.map((browser) => begin(browser)));
  // Each trip has a nonce of its own, so this uses a kind of provider that has none.
  const [authorize_url, token_url, userinfo_url] = ['authorize', 'token', 'userinfo'].map(
    (at) => `${server.url}/${at}`,
  );
  await oidc('', { type: 'oauth2', authorize_url, token_url, userinfo_url, claim: 'userNo' });
  await setUp(app, { allow_register: true });
  Object.assign(server.wanted, { plain: true, userNo: 'new.one' });
  const back = await Promise.all(
    browsers.map((browser, at) => finish(browser, { code: 'any', state: trips[at]!.state })),
  );
  expect(back.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(new Set(back.map(({ data }) => data['user_id'])).size).toBe(1);
});
