import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/sha';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { TestOffice } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { sms } from './contract.ts';
import { smsLogTable } from './tables.ts';
import { openProviders } from './testing/providers.ts';

vi.setConfig({ testTimeout: 40_000 });

let app: TestOffice;
let close: () => Promise<void>;
beforeAll(async () => {
  const providers = await openProviders();
  ({ office: app, close } = providers);
  await providers.use(providers.account('aliyun'));
  await app.admin.get(settings.saveLogin, { body: { phone_login: true } });
  await eventually(async () => {
    if ((await ask('13900001000')).code !== 0) throw new Error('not open yet');
  });
});
afterAll(() => close());
beforeEach(() => app.services.databases.pool.query('delete from attempt'));

const ask = (phone: string, headers?: Record<string, string>, challenge?: string) =>
  app.stranger.ask(accounts.smsCode, { params: { phone }, query: { scene: 'login', challenge } }, headers);
const limited = (kind: string, subject: string, count: number) =>
  app.services.databases.pool.query(
    `insert into attempt (kind, subject, count, expires_at) values ($1, $2, $3, now() + interval '1 hour')`,
    [kind, subject, count],
  );
const lastFor = async (phone: string) =>
  (
    await app.db
      .select()
      .from(smsLogTable)
      .where(eq(smsLogTable.mobile_mark, app.services.secretBox.keyedHash(phone)))
      .orderBy(desc(smsLogTable.id))
      .limit(1)
  )[0]!;

test('a verification code is sent by the template through the outbox, signs in, and is stored nowhere in plain text', async () => {
  await app.person({ phone: '13900001001' });
  expect((await ask('13900001001')).data).toEqual({ expire: 300 });
  await eventually(async () => expect((await lastFor('13900001001')).state).toBe(1));
  const row = await lastFor('13900001001');
  const code = app.services.secretBox.open(row.secret!);
  expect(code).toMatch(/^\d{6}$/);
  expect(row.content).toMatch(/^【.+】验证码 \*{6}，用于登录，5 分钟内有效/);
  expect(JSON.stringify(row)).not.toContain(code);
  const { value } = await app.admin.get(sms.logs, { query: { module: 'accounts' } });
  expect(JSON.stringify(value)).not.toContain(code);
  expect((await app.stranger.ask(accounts.login, { body: { phone: '13900001001', code } })).code).toBe(0);
});

test('an unknown number gets the same answer after the same statements, and nothing is sent', async () => {
  await app.person({ phone: '13900001002' });
  const known = await ask('13900001002');
  expect(await ask('13900001099')).toEqual(known);
  const [real, none] = [await lastFor('13900001002'), await lastFor('13900001099')];
  expect(none.delivery_id).not.toBeNull();
  expect(none.secret!.length).toBeGreaterThan(0);
  await eventually(async () => {
    expect((await lastFor('13900001099')).state).toBe(5);
    expect((await lastFor('13900001002')).state).toBe(1);
  });
  expect({ ...none, id: 0 }).toMatchObject({ content: real.content, segments: real.segments, type: 1 });
});

test('a code to bind WeChat is sent only where that is enabled, and only to the number of one active person', async () => {
  const bind = (phone: string) => app.stranger.ask(accounts.smsCode, { params: { phone }, query: { scene: 'bind' } });
  expect(await bind('13900001020')).toMatchObject({ code: -1, msg: '微信登录未开放，请使用其他方式登录' });
  expect(await lastFor('13900001020')).toBeUndefined();
  await app.admin.get(settings.saveInterfaces, { body: { wechat: { appid: 'wx1', secret: 'x' } } as never });
  await app.admin.get(settings.saveLogin, { body: { wechat_enabled: true } });
  await eventually(async () => expect((await bind('13900001021')).code).toBe(0));
  await app.services.databases.pool.query('delete from attempt');
  await app.person({ phone: '13900001022' });
  await app.person({ phone: '13900001023', active: false });
  const answers = [await bind('13900001022'), await bind('13900001023'), await bind('13900001024')];
  for (const answer of answers) expect(answer).toEqual({ ...answers[0], code: 0 });
  await eventually(async () => {
    expect((await lastFor('13900001022')).state).toBe(1);
    for (const phone of ['13900001021', '13900001023', '13900001024']) expect((await lastFor(phone)).state).toBe(5);
  });
});

test.runIf(process.env['NIGHTLY'])(
  'asking for a code takes as long for a known number as for an unknown one',
  { timeout: 600_000 },
  async () => {
    await app.person({ phone: '13900001003' });
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let i = 0; i < 1000; i++)
      for (const [kind, phone] of [
        ['known', '13900001003'],
        ['unknown', '13900001098'],
      ] as const) {
        await app.services.databases.pool.query('delete from attempt');
        const from = performance.now();
        expect((await ask(phone)).code).toBe(0);
        times[kind].push(performance.now() - from);
      }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
    process.stdout.write(`code request, median ms: known ${median(times.known)}, unknown ${median(times.unknown)}\n`);
    expect(Math.abs(median(times.known) - median(times.unknown))).toBeLessThan(2);
  },
);

/** A thousand at night. */
const forged = process.env['NIGHTLY'] ? 1000 : 200;
test('many forged addresses get no more codes out than one', { timeout: 180_000 }, async () => {
  await app.person({ phone: '13900001004' });
  const before = await app.services.databases.pool.query('select count(*)::int n from sms_log');
  const codes = new Map<number, number>();
  for (let at = 0; at < forged; at += 25) {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, i) =>
        ask(`139${String(10_000_000 + ((at + i) % 500))}`, {
          'x-forwarded-for': `10.2.${(at + i) >> 8}.${(at + i) & 255}`,
          'x-real-ip': `10.2.${(at + i) >> 8}.${(at + i) & 255}`,
          forwarded: `for=10.2.${(at + i) >> 8}.${(at + i) & 255}`,
        }),
      ),
    );
    for (const { code } of answers) codes.set(code, (codes.get(code) ?? 0) + 1);
  }
  expect((codes.get(0) ?? 0) + (codes.get(4029) ?? 0)).toBe(forged);
  expect(codes.get(0) ?? 0).toBeLessThanOrEqual(20);
  const after = await app.services.databases.pool.query('select count(*)::int n from sms_log');
  expect((after.rows[0] as { n: number }).n - (before.rows[0] as { n: number }).n).toBe(codes.get(0) ?? 0);
});

/** Ten thousand at night. */
const guesses = process.env['NIGHTLY'] ? 10_000 : 200;
test(
  'endless guesses at a code from different addresses sign nobody in and use the code up',
  { timeout: 600_000 },
  async () => {
    const phone = '13900001011';
    const person = await app.person({ phone });
    await ask(phone);
    const code = app.services.secretBox.open((await lastFor(phone)).secret!);
    const enter = (guess: string, at: number) =>
      app.stranger.ask(
        accounts.login,
        { body: { phone, code: guess } },
        { 'x-forwarded-for': `10.3.${(at % 1000) >> 8}.${at & 255}` },
      );
    const answers = new Map<number, number>();
    for (let at = 0; at < guesses; at += 25) {
      // The general limits of signing in are removed: the code has a limit of its own.
      await app.services.databases.pool.query(`delete from attempt where kind like 'sign-in%'`);
      const wrong = Array.from({ length: 25 }, (_, i) =>
        String((Number(code) + 1 + at + i) % 1_000_000).padStart(6, '0'),
      );
      for (const { code: told } of await Promise.all(wrong.map((guess, i) => enter(guess, at + i))))
        answers.set(told, (answers.get(told) ?? 0) + 1);
    }
    expect([...answers.keys()].filter((told) => told !== -1 && told !== 4029)).toEqual([]);
    await app.services.databases.pool.query(`delete from attempt where kind like 'sign-in%'`);
    expect((await enter(code, 0)).code).toBe(-1);
    const opened = 'select id from session where user_id = $1';
    expect((await app.services.databases.pool.query(opened, [person.id])).rows).toEqual([]);
  },
);

test('even with all challenges solved an address gets twenty codes an hour, and the site two thousand a day', async () => {
  await limited('code-address', '127.0.0.1', 19);
  expect((await ask('13900001005', {}, await solved())).code).toBe(0);
  const full = await ask('13900001006', {}, await solved());
  expect(full).toMatchObject({ code: 4029, msg: expect.stringContaining('过于频繁') as string });
  await app.services.databases.pool.query(`delete from attempt where kind = 'code-address'`);
  await limited('code-day', 'login:13900001008', 10);
  expect(await ask('13900001008')).toMatchObject({ code: 4029 });
  await app.services.databases.pool.query(`delete from attempt where kind = 'code-address'`);
  await limited('code-all', '', 2000);
  expect(await ask('13900001007')).toMatchObject({ code: 4029 });
});

const counted = async (subject: string) =>
  (
    await app.services.databases.pool.query(
      `select kind from attempt where subject = $1 or right(subject, length($1) + 1) = ':' || $1`,
      [subject],
    )
  ).rows;

test('a refused request for a code uses up no number’s limit', async () => {
  await limited('code-address', '127.0.0.1', 20);
  expect(await ask('13900001030', {}, await solved())).toMatchObject({ code: 4029 });
  expect(await counted('13900001030')).toEqual([]);
  await app.services.databases.pool.query('delete from attempt');
  await limited('code-all', '', 2000);
  expect(await ask('13900001030')).toMatchObject({ code: 4029 });
  expect(await counted('13900001030')).toEqual([]);
  expect(await counted('127.0.0.1')).toEqual([]);
});

test('only codes actually sent count against the daily limit, and once it is full everybody gets the same answer', async () => {
  await app.person({ phone: '13900001031' });
  await app.person({ phone: '13900001032' });
  await limited('code-all', '', 1999);
  for (const phone of ['13900001091', '13900001092', '13900001031']) expect((await ask(phone)).code, phone).toBe(0);
  await app.services.databases.pool.query(`delete from attempt where kind = 'code-address'`);
  const [real, none] = [await ask('13900001032'), await ask('13900001093')];
  expect(real).toMatchObject({ code: 4029 });
  expect(none.msg.replace(/\d+/, '')).toBe(real.msg.replace(/\d+/, ''));
});

test('a code is not accepted for another purpose or after five minutes', async () => {
  const person = await app.signIn(await app.person({ phone: '13900001010' }));
  const enter = async (phone: string) =>
    (
      await app.stranger.ask(accounts.login, {
        body: { phone, code: app.services.secretBox.open((await lastFor(phone)).secret!) },
      })
    ).code;
  await person.get(accounts.smsCode, { params: { phone: '13900001010' }, query: { scene: 'change' } });
  expect(await enter('13900001010')).toBe(-1);
  await app.services.databases.pool.query('delete from attempt');
  await ask('13900001010');
  await app.services.databases.pool.query(`update phone_code set expires_at = now() - interval '1 second'`);
  expect(await enter('13900001010')).toBe(-1);
});

async function solved(): Promise<string> {
  const challenge = await app.stranger.get(accounts.challenge);
  const solution = await solveChallenge({ challenge, deriveKey } as Parameters<typeof solveChallenge>[0]);
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
