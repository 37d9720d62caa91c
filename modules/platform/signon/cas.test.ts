import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { openBrowser, type Browser } from './testing/browser.ts';
import { startCas } from './testing/cas.ts';
import { setUp } from './testing/setup.ts';

let app: TestOffice;
let cas: Awaited<ReturnType<typeof startCas>>;
beforeAll(async () => {
  app = await openTestApp({ outgoingAllow: ['127.0.0.0/8'] });
  cas = await startCas();
  await setUp(app, { sso_enabled: true }, { sso: { type: 'cas', url: `${cas.url}/`, claim: '', match: '' } });
  await app.person({ username: 'wang.wu', alias: '王五' });
  cas.person.user = 'wang.wu';
});
afterAll(async () => {
  await app.close();
  await cas.close();
});

const begin = async (browser: Browser, redirect = '') =>
  (await browser.ask(`/api/oauth/login_url/?redirect=${encodeURIComponent(redirect)}`)).data as {
    url: string;
    state: string;
  };
const finish = (browser: Browser, query: URLSearchParams | Record<string, string>) =>
  browser.ask(`/api/oauth/login/?${new URLSearchParams(query as Record<string, string>).toString()}`);
const through = async (browser: Browser) => finish(browser, await browser.travel((await begin(browser)).url));

test('a ticket of CAS 3, or of CAS 2 where the newer address is missing, signs its person in', async () => {
  for (const version of [3, 2]) {
    cas.person.version = version;
    expect(await through(openBrowser(app.url))).toMatchObject({ code: 0, data: { alias: '王五' } });
  }
  cas.person.version = 3;
});

test('a CAS attribute may carry the staff number', async () => {
  // An account first used by another subject cannot be taken over.
  await app.person({ username: 'sun.qi', alias: '孙七' });
  cas.person.attributes = { staffNo: 'sun.qi', name: '孙 & 七' };
  cas.person.user = 'uid=88,ou=people';
  await setUp(app, {}, { sso: { claim: 'staffNo' } });
  expect((await through(openBrowser(app.url))).code).toBe(0);
  cas.person.attributes = {};
  expect((await through(openBrowser(app.url))).code).toBe(-1);
  await setUp(app, {}, { sso: { claim: '' } });
  cas.person.user = 'wang.wu';
});

test('a CAS ticket is accepted once, for its own sign-in and browser only', async () => {
  const browser = openBrowser(app.url);
  const brought = await browser.travel((await begin(browser)).url);
  const ticket = brought.get('ticket')!;
  expect((await finish(openBrowser(app.url), brought)).code).toBe(-1);
  const { state } = await begin(browser);
  const elsewhere = await finish(browser, { ticket, state });
  expect(elsewhere).toMatchObject({ code: -1, msg: expect.stringContaining('没有确认您的身份') });
  expect((await finish(browser, { ticket })).code).toBe(-1);
  const fresh = await browser.travel((await begin(browser)).url);
  expect((await finish(browser, fresh)).code).toBe(0);
  expect((await finish(browser, fresh)).code).toBe(-1);
  for (const odd of ['', 'PT-1', `ST-${'x'.repeat(280)}`, 'ST-1&service=other', 'ST-1/../../logout'])
    expect((await finish(browser, { ticket: odd, state: (await begin(browser)).state })).code).toBe(-1);
});

test('a CAS answer with a document type, two verdicts or no sense signs nobody in', async () => {
  const response = (inner: string) => `<s:serviceResponse xmlns:s="x">${inner}</s:serviceResponse>`;
  const success = '<s:authenticationSuccess><s:user>wang.wu</s:user></s:authenticationSuccess>';
  const failure = '<s:authenticationFailure code="X">no</s:authenticationFailure>';
  const hostile = [
    `<!DOCTYPE a [<!ENTITY u SYSTEM "file:///etc/passwd">]>${response(success.replace('wang.wu', '&u;'))}`,
    response(success + failure),
    response(success + success.replace('wang.wu', 'admin')),
    response(''),
    success,
    '<html>signed in</html>',
    '{"user":"wang.wu"}',
    response(success).slice(0, -5),
  ];
  const codes: number[] = [];
  for (const text of hostile) {
    cas.person.hostile = text;
    codes.push((await through(openBrowser(app.url))).code);
  }
  cas.person.hostile = '';
  expect(codes).toEqual(hostile.map(() => -1));
});

test('none of two hundred hostile return addresses leaves the site', { timeout: 180_000 }, async () => {
  const hosts = ['evil.example', 'evil.example/%2f..', '127.0.0.1@evil.example', 'evil.example:80', '[::1]'];
  const fronts = [
    '//', '///', '////', '/\\', '\\\\', '\\/', 'https://', 'http:', 'https:/', 'HTTPS://', ' //', '\t//', '/\t/',
    '/\n/', '\u0000//', '/\u0000/', '/\r\n/', 'javascript://', 'data:text/html,', 'vbscript:', '/\\/', '/ /\\',
    'ftp://', '//\\', '/%09/', '/%5c', '/%2f', '/.//', '/..//', '@', '.', 'http://127.0.0.1.', '/\u2028/', '/\u00a0/',
    '/\ufeff/', '？', '//％', 'http:///', 'x:', '/\u0085/',
  ]; // prettier-ignore
  const strings = fronts.flatMap((front) => hosts.map((host) => front + host));
  expect(strings.length).toBeGreaterThanOrEqual(200);
  const browser = openBrowser(app.url);
  const outside: string[] = [];
  for (const wanted of strings) {
    const { url } = await begin(browser, wanted);
    const asked = new URL(url);
    const service = new URL(asked.searchParams.get('service')!);
    const { code, data } = await finish(browser, await browser.travel(url));
    const to = new URL(String(data['redirect']), app.url);
    const home = new URL(app.url).origin;
    if (code !== 0 || to.origin !== home || service.origin !== home || asked.origin !== new URL(cas.url).origin)
      outside.push(wanted);
  }
  expect(outside).toEqual([]);
});
