import { createHash, createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, testPassword, type TestOffice } from '#apps/server/testing.ts';
import { logTable } from '#modules/platform/audit/tables.ts';
import { accounts } from './contract.ts';
import { solved } from './testing/challenge.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.services.databases.pool.query('delete from attempt'));

const login = (username: string, password: string, challenge?: string) =>
  app.stranger.ask(accounts.login, { body: { username, password, ...(challenge ? { challenge } : {}) } });

test('signing in returns the fields of the specification and a usable token', async () => {
  const dept = await app.dept('信息中心');
  const person = await app.person({ dept, phone: '13800000001' });
  const answer = await login(person.username, testPassword);
  const fields = 'jwt alias phone company department email username user_id user_dept is_yg'.split(' ');
  expect(Object.keys(answer.data)).toEqual(expect.arrayContaining(fields));
  expect(answer.data).toMatchObject({
    alias: person.alias,
    phone: '13800000001',
    department: '信息中心',
    username: person.username,
    user_id: person.id,
    user_dept: dept,
    is_yg: true,
    must_change_pwd: false,
  });
  const me = await app.stranger.fetch('/api/accounts/users/info/', {
    headers: { authorization: `JWT ${answer.data.jwt}` },
  });
  expect(await me.json()).toMatchObject({ code: 0, data: { id: person.id, roles: [{ code: 'reception' }] } });
  const [entry] = await app.db.select().from(logTable).where(eq(logTable.user_id, person.id));
  expect(entry).toMatchObject({ action: '登录', result: 0 });
});

test('an unknown user and a wrong password get the same answer after the same work', async () => {
  const { username } = await app.person();
  const wrong = await login(username, 'Wrong@12345');
  const unknown = await login('nobody.here', 'Wrong@12345');
  expect(unknown).toEqual(wrong);
  const least = { [username]: Infinity, 'nobody.here': Infinity };
  // Alternating, so that other load on the machine affects both alike.
  for (let i = 0; i < 15; i++) {
    for (const name of Object.keys(least)) {
      await app.services.databases.pool.query('delete from attempt');
      const started = performance.now();
      await login(name, 'Wrong@12345');
      least[name] = Math.min(least[name]!, performance.now() - started);
    }
  }
  // If unknown names were not checked too, they would answer in a tenth of the time.
  const [known, none] = [least[username]!, least['nobody.here']!];
  expect(none / known).toBeGreaterThan(0.5);
});

test('the fourth attempt needs a solved challenge, which is accepted once', async () => {
  const { username } = await app.person();
  for (let i = 0; i < 2; i++) expect((await login(username, 'x')).code).toBe(-1);
  const third = await login(username, 'x');
  expect(third.data).toEqual({ challenge_needed: true, work: 1 });
  expect(await login(username, testPassword)).toMatchObject({ code: 4029, data: { challenge_needed: true } });
  const proof = await solved(app);
  expect((await login(username, 'x', proof)).code).toBe(-1);
  expect(await login(username, testPassword, proof)).toMatchObject({ code: 4029, data: { work: 2 } });
  expect((await login(username, testPassword, await solved(app, 2))).code).toBe(0);
});

test('a challenge that was altered, is too easy or is nonsense proves nothing', async () => {
  const { username } = await app.person();
  for (let i = 0; i < 3; i++) await login(username, 'x');
  const proof = JSON.parse(Buffer.from(await solved(app), 'base64').toString()) as {
    challenge: { parameters: Record<string, unknown>; signature: string };
    solution: object;
  };
  const pack = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
  const { challenge, solution } = proof;
  const easier = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '0' } };
  const later = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4_000_000_000 } };
  const bad = [
    'x',
    pack(null),
    pack({ challenge: easier, solution }),
    pack({ challenge: later, solution }),
    pack({ challenge, solution: { counter: 1, derivedKey: '00' } }),
    pack({ challenge: { ...challenge, signature: '0'.repeat(64) }, solution }),
  ];
  for (const one of bad) expect(await login(username, testPassword, one)).toMatchObject({ code: 4029 });
});

test.runIf(process.env['NIGHTLY'])(
  'a wrong password is refused as fast for an existing as for an unknown user, among a thousand attempts each',
  { timeout: 600_000 },
  async () => {
    const { username } = await app.person();
    const times = { [username]: [] as number[], 'nobody.here': [] as number[] };
    for (let i = 0; i < 1000; i++)
      for (const [name, taken] of Object.entries(times)) {
        await app.services.databases.pool.query('delete from attempt');
        const started = performance.now();
        expect((await login(name, 'Wrong@12345')).code).toBe(-1);
        taken.push(performance.now() - started);
      }
    const [known, none] = Object.values(times).map((all) => all.toSorted((a, b) => a - b)[all.length >> 1]!);
    process.stdout.write(`wrong password, median ms: known ${known}, unknown ${none}\n`);
    expect(Math.abs(known! - none!)).toBeLessThan(2);
  },
);

/** Ten thousand at night. */
const guesses = process.env['NIGHTLY'] ? 10_000 : 1000;
test(
  'endless guesses under a thousand forged addresses have only three passwords checked',
  { timeout: 600_000 },
  async () => {
    const { username, id } = await app.person();
    const codes = new Map<number, number>();
    for (let at = 0; at < guesses; at += 20) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          app.stranger.ask(
            accounts.login,
            { body: { username, password: `guess${at + i}` } },
            { 'x-forwarded-for': `10.1.${((at + i) % 1000) >> 8}.${(at + i) & 255}` },
          ),
        ),
      );
      for (const { code } of answers) codes.set(code, (codes.get(code) ?? 0) + 1);
    }
    expect(codes.get(-1)).toBe(3);
    expect(codes.get(0)).toBeUndefined();
    expect((codes.get(-1) ?? 0) + (codes.get(4029) ?? 0)).toBe(guesses);
    const failed = await app.db.select().from(logTable).where(eq(logTable.user_id, id));
    expect(failed.every((row) => row.action === '登录失败' && row.result === -1)).toBe(true);
    expect(failed.length).toBeGreaterThan(0);
  },
);

test('the failure that raises the proof of work to its maximum is logged with its number', async () => {
  const { username, id } = await app.person();
  for (let i = 0; i < 5; i++) await login(username, 'x', i < 3 ? undefined : await solved(app, i - 2));
  const rows = await app.db.select().from(logTable).where(eq(logTable.user_id, id)).orderBy(logTable.id);
  expect(rows).toHaveLength(5);
  expect(rows.at(-1)!.title).toContain('已连续失败 5 次');
});

test('a disabled person is told so only with the right password', async () => {
  const { username } = await app.person({ active: false });
  expect((await login(username, 'x')).msg).toBe('用户名或密码不正确');
  expect((await login(username, testPassword)).msg).toBe('您的账号已停用，请联系管理员');
});

test('an altered token is refused', async () => {
  const client = await app.signIn(await app.person());
  const [head = '', body = '', mark = ''] = client.token!.split('.');
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>;
  const signed = (header: object, payload: object, key: string, hash = 'sha256') => {
    const text = `${encode(header)}.${encode(payload)}`;
    return `${text}.${createHmac(hash, key).update(text).digest('base64url')}`;
  };
  const secret = 's'.repeat(48);
  const hs256 = { alg: 'HS256', typ: 'JWT' };
  const now = Math.floor(Date.now() / 1000);
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const mutants = new Set<string>([
    ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((alg) => [
      `${encode({ alg })}.${body}.`,
      `${encode({ alg })}.${body}.${mark}`,
      `${encode({ alg })}.${body}`,
    ]),
    ...['HS384', 'HS512', 'RS256', 'ES256', 'EdDSA', 'PS256'].flatMap((alg) => [
      signed({ alg }, claims, secret),
      signed({ alg }, claims, secret, alg === 'HS384' ? 'sha384' : 'sha512'),
    ]),
    ...Array.from({ length: 40 }, (_, i) => signed(hs256, claims, `another key ${i}`)),
    ...['', 's', 'secret', 's'.repeat(47), 's'.repeat(49), createHash('sha256').update(secret).digest('hex')]
      .filter(Boolean)
      .map((key) => signed(hs256, claims, key)),
    ...Array.from({ length: 30 }, (_, i) => `${head}.${encode({ ...claims, sub: String(i + 1000) })}.${mark}`),
    ...Array.from({ length: 30 }, (_, i) => `${head}.${encode({ ...claims, sid: i + 1000 })}.${mark}`),
    ...Array.from({ length: 30 }, (_, i) => client.token!.slice(0, -1 - i * 3)),
    ...Array.from({ length: 30 }, (_, i) => {
      const at = 2 + i * Math.floor((client.token!.length - 6) / 30);
      return client.token!.slice(0, at) + (client.token![at] === 'A' ? 'B' : 'A') + client.token!.slice(at + 1);
    }),
    ...Array.from({ length: 10 }, (_, i) => signed(hs256, { ...claims, exp: now - 1 - i * 60 }, secret)),
    ...['other', '', 'gongdan2', ['x']].map((aud) => signed(hs256, { ...claims, aud }, secret)),
    ...['aud', 'sub', 'sid', 'jti', 'exp'].map((name) => signed(hs256, without(name), secret)),
    signed(hs256, { ...claims, sub: '1' }, secret),
    signed(hs256, { ...claims, sid: 999_999 }, secret),
    signed(hs256, { ...claims, sid: '1 or 1=1' }, secret),
    signed({ ...hs256, kid: '../../etc/passwd' }, claims, 'x'),
    signed({ ...hs256, jwk: { kty: 'oct', k: encode('x') } }, claims, 'x'),
  ]);
  mutants.delete(client.token!);
  expect(mutants.size).toBeGreaterThanOrEqual(200);
  for (const token of mutants) {
    const answer = await app.stranger.fetch('/api/accounts/users/info/', {
      headers: { authorization: `JWT ${token}` },
    });
    expect(await answer.json(), token).toMatchObject({ code: 401 });
  }
  expect((await client.ask(accounts.me)).code).toBe(0);
});

test('neither a cookie nor a token under another scheme signs anybody in', async () => {
  const { token } = await app.signIn(await app.person());
  const tried: Record<string, string>[] = [
    { cookie: `Admin-Token=${token}; jwt=${token}; token=${token}` },
    { authorization: `Bearer ${token}` },
    { authorization: token! },
  ];
  for (const headers of tried) {
    const answer = await app.stranger.fetch('/api/accounts/users/info/', { headers });
    expect(await answer.json()).toMatchObject({ code: 401 });
  }
});

test('a GET request that writes is refused from another site', async () => {
  const client = await app.signIn(await app.person());
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect((await client.ask(accounts.logout, {}, headers)).code).toBe(4003);
  expect((await client.ask(accounts.updateCache, {}, headers)).code).toBe(4003);
  expect((await client.ask(accounts.me)).code).toBe(0);
});
