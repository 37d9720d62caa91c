import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts, dearest } from './contract.ts';
import type { CodeMessage } from './sign-in/phone-code.ts';
import { proved, solved } from './testing/challenge.ts';

// Guessing becomes more expensive for the guesser, while the people whose accounts and addresses these are still get in. Checks a hundred passwords
// and solves proofs, which takes time.
vi.setConfig({ testTimeout: 90_000 });

let app: TestOffice;
const sent: CodeMessage[] = [];
beforeAll(async () => {
  app = await openTestApp({ sendCode: async (_tx, message) => void (message.reachable && sent.push(message)) });
});
afterAll(() => app.close());
const query = (text: string, values: unknown[] = []) => app.services.databases.pool.query(text, values);
beforeEach(() => query('delete from attempt'));

type Body = Record<string, string>;
interface Answer {
  code: number;
  data: { jwt?: string; challenge_needed?: boolean; work?: number } | null;
  cookie: string;
}
/** A sign-in as a browser makes it: with the cookie it was given. */
async function signIn(body: Body, cookie = '', userAgent = 'node'): Promise<Answer> {
  const { headers, bytes } = await app.stranger.send(accounts.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...(cookie ? { cookie } : {}) },
    body: JSON.stringify(body),
  });
  const answer = JSON.parse(bytes.toString()) as Omit<Answer, 'cookie'>;
  return { ...answer, cookie: headers.get('set-cookie')?.split(';')[0] ?? cookie };
}
const wrong = (username: string, at = 0) => signIn({ username, password: `guess${at}` });
const many = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));
const codesOf = (answers: { code: number }[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ code }) => code)].map(([code, all]) => [code, all.length]));

test('of twelve simultaneous wrong passwords three are checked, and a known device or a proof of work still signs in', async () => {
  const { username } = await app.person();
  const right = { username, password: testPassword };
  const { cookie } = await signIn(right);
  expect(codesOf(await many(12, (at) => wrong(username, at)))).toEqual({ [-1]: 3, 4029: 9 });
  expect(await signIn(right)).toMatchObject({ code: 4029, data: { challenge_needed: true, work: 1 } });
  expect((await signIn(right, cookie)).code).toBe(0);
  expect((await signIn({ ...right, challenge: await solved(app) })).code).toBe(0);
});

test('attempts without the required proof of work are not counted, however many there are', async () => {
  const { username } = await app.person();
  for (let at = 0; at < 3; at++) await wrong(username, at);
  const { rows: before } = await query(`select kind, subject, count from attempt order by 1`);
  expect(codesOf(await many(60, (at) => wrong(username, at)))).toEqual({ 4029: 60 });
  expect((await query(`select kind, subject, count from attempt order by 1`)).rows).toEqual(before);
});

test('each failed sign-in doubles the proof of work, up to the maximum', async () => {
  const { username } = await app.person();
  const guess = { username, password: 'guess' };
  const works: (number | undefined)[] = [];
  for (let at = 0; at < 5; at++) works.push((await proved(app, signIn, guess)).data?.work);
  expect(works).toEqual([0, 0, 1, 2, dearest]);
  expect(await signIn({ ...guess, challenge: await solved(app, 2) })).toMatchObject({ code: 4029 });
  expect((await proved(app, signIn, { username, password: testPassword })).code).toBe(0);
});

test('a known device has its own count of failures, and is unknown to another account', async () => {
  const [mine, other] = [await app.person(), await app.person()];
  const { cookie } = await signIn({ username: mine.username, password: testPassword });
  for (let at = 0; at < 3; at++)
    expect((await signIn({ username: mine.username, password: 'x' }, cookie)).code).toBe(-1);
  expect((await signIn({ username: mine.username, password: testPassword }, cookie)).code).toBe(4029);
  expect((await signIn({ username: mine.username, password: testPassword })).code).toBe(0);
  for (let at = 0; at < 3; at++) await wrong(other.username, at);
  expect((await signIn({ username: other.username, password: testPassword }, cookie)).code).toBe(4029);
});

test('a device becomes unknown after a sign-out from elsewhere or a new password, and with an altered cookie', async () => {
  const { username } = await app.person();
  const right = { username, password: testPassword };
  const [first, second] = [await signIn(right), await signIn(right)];
  const known = async (cookie: string) => {
    await query('delete from attempt');
    for (let at = 0; at < 3; at++) await wrong(username, at);
    return (await signIn({ username, password: 'x' }, cookie)).code === -1;
  };
  expect([await known(first.cookie), await known(second.cookie)]).toEqual([true, true]);
  expect(await known(`${first.cookie}x`)).toBe(false);
  const as = (jwt: string | undefined) => ({ authorization: `JWT ${jwt}` });
  const list = await app.stranger.fetch(accounts.sessions.path, { headers: as(second.data?.jwt) });
  const rows = ((await list.json()) as { data: { id: number; current: boolean }[] }).data;
  const path = `/api/accounts/sessions/${rows.find(({ current }) => !current)!.id}/`;
  await app.stranger.fetch(path, { method: 'DELETE', headers: as(second.data?.jwt) });
  expect([await known(first.cookie), await known(second.cookie)]).toEqual([false, true]);

  await query('delete from attempt');
  const third = await signIn(right);
  expect(await known(third.cookie)).toBe(true);
  await app.stranger.fetch(accounts.changePassword.path, {
    method: 'PUT',
    headers: { ...as(second.data?.jwt), 'content-type': 'application/json' },
    body: JSON.stringify({ old_password: testPassword, new_password: 'Blue-Kite-77' }),
  });
  expect([await known(third.cookie), await known(second.cookie)]).toEqual([false, true]);
  // A device is still known after its user signed out.
  await app.stranger.fetch(accounts.logout.path, { headers: as(second.data?.jwt) });
  expect(await known(second.cookie)).toBe(true);
});

test('seventy strangers at once do not block an address for its known people or for those with a proof of work', async () => {
  const [known, fresh] = [await app.person(), await app.person()];
  expect((await signIn({ username: known.username, password: testPassword }, '', 'Firefox')).code).toBe(0);
  const answers = codesOf(await many(70, (at) => wrong(`stranger${at}`, at)));
  expect(answers[-1]).toBeGreaterThanOrEqual(30);
  expect(answers[-1]).toBeLessThanOrEqual(34);
  expect(answers[4029]).toBe(70 - answers[-1]!);
  expect((await signIn({ username: known.username, password: testPassword }, '', 'Firefox')).code).toBe(0);
  expect((await signIn({ username: fresh.username, password: testPassword })).code).toBe(4029);
  expect((await proved(app, signIn, { username: fresh.username, password: testPassword })).code).toBe(0);
});

test('seventy people at one address, and one person seventy times, can all sign in at once', async () => {
  const people: { username: string }[] = [];
  for (let at = 0; at < 70; at++) people.push(await app.person());
  const all = await Promise.all(people.map(({ username }) => signIn({ username, password: testPassword })));
  expect(codesOf(all)).toEqual({ 0: 70 });
  const { username } = people[0]!;
  expect(codesOf(await many(70, () => signIn({ username, password: testPassword })))).toEqual({ 0: 70 });
  expect((await query('select 1 from attempt')).rows).toEqual([]);
});

test('guessing a number’s code from elsewhere uses up no attempt of its owner’s own device', async () => {
  const phone = '13900000007';
  await app.person({ phone });
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
  await eventually(async () => expect((await app.services.settings.get('login')).phone_login).toBe(true));
  const code = async (cookie = '') => {
    await query(`delete from attempt where kind like 'code-%' and kind <> 'code-guess'`);
    await app.stranger.send(`/api/accounts/smscode/${phone}/`, { headers: { cookie } });
    return sent.at(-1)!.code;
  };
  const { cookie, code: came } = await signIn({ phone, code: await code() });
  expect(came).toBe(0);
  const right = await code(cookie);
  const other = right === '000000' ? '000001' : '000000';
  for (let at = 0; at < 7; at++) {
    await query(`delete from attempt where kind like 'sign-in%'`);
    expect((await signIn({ phone, code: other })).code).toBe(-1);
  }
  expect((await signIn({ phone, code: right })).code).toBe(-1);
  expect((await signIn({ phone, code: right }, cookie)).code).toBe(0);
});
