import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { codes } from '#kernel/contract/refusal.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { openTestApp, type TestOffice } from './testing.ts';

// Each command is a separate program, which a shared machine starts slowly.
vi.setConfig({ testTimeout: 300_000 });

const root = join(import.meta.dirname, '../..');
let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** The command as an operator types it beside the running server. */
function admin(...typed: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtServer(root, 'admin'), ...typed], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATABASE_URL: app.databaseUrl },
  });
  return { status, said: (stdout + stderr).trim() };
}
const signIn = async (username: string, password: string) =>
  (
    await app.stranger.fetch('/api/accounts/login/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
  ).json() as Promise<{ code: number; msg: string }>;
const passwordIn = (said: string) => /一次性密码 (\S+?)（/.exec(said)![1]!;

test('an administrator on the server gives a person a one-time password, which ends all of the person’s sessions', async () => {
  const person = await app.person({ alias: '周远' });
  const before = await app.signIn(person);
  const asked = async () => ((await (await before.fetch('/api/accounts/sessions/')).json()) as { code: number }).code;
  expect(await asked()).toBe(0);
  const { status, said } = admin('reset-password', person.username.toUpperCase());
  expect({ status, said }).toMatchObject({ status: 0, said: expect.stringContaining(`周远（${person.username}）`) });
  expect(await asked()).toBe(codes.signedOut);
  expect(await signIn(person.username, passwordIn(said))).toMatchObject({ code: 0 });
  const { rows } = await app.services.databases.pool.query(
    "select action, object_type, object_id, title from log where method = 'CLI'",
  );
  const entry = { object_type: '用户', object_id: String(person.id), title: '周远' };
  expect(rows).toEqual([{ ...entry, action: '命令行：重置密码，显示一次性密码，并结束其所有登录' }]);
});

test('a system whose only administrator left gets another one, and no user name twice', async () => {
  const made = admin('create-admin', 'erhao');
  expect(await signIn('erhao', passwordIn(made.said))).toMatchObject({ code: 0 });
  expect(admin('create-admin', 'ErHao')).toEqual({ status: 1, said: '用户名“ErHao”已被使用，请换一个。' });
  expect(admin('create-admin', '二号').said).toContain('请用 2–50 个字母、数字');
});

test('a person locked out by wrong passwords is unlocked on the server and can sign in at once', async () => {
  const person = await app.person();
  for (let tried = 0; tried < 12; tried += 1) await signIn(person.username, `wrong ${tried}`);
  const counted = async () =>
    (
      await app.services.databases.pool.query("select from attempt where kind = 'sign-in' and subject = lower($1)", [
        person.username,
      ])
    ).rowCount;
  expect(await counted()).toBe(1);
  await app.services.databases.pool.query(
    "insert into attempt (kind, subject, count, expires_at) values ('second-step-day', $1, 31, now() + interval '1 day')",
    [String(person.id)],
  );
  expect(admin('unlock', person.username).said).toMatch(/^已解除 .+ 的锁定$/);
  expect(await counted()).toBe(0);
  const { rows } = await app.services.databases.pool.query('select from attempt where subject = $1', [
    String(person.id),
  ]);
  expect(rows).toEqual([]);
});

test('resetting a second factor that was never set up says so, and ending sessions signs a person out everywhere', async () => {
  const person = await app.person();
  expect(admin('forget-second', person.username)).toMatchObject({
    status: 1,
    said: expect.stringContaining('没有设置二次验证'),
  });
  const session = await app.signIn(person);
  expect(admin('end-sessions', person.username)).toMatchObject({ status: 0 });
  const answer = (await (await session.fetch('/api/accounts/sessions/')).json()) as { code: number };
  expect(answer.code).toBe(codes.signedOut);
});

test('a failed job is listed with its reason and retried by its number', async () => {
  expect(admin('jobs').said).toBe('没有失败的后台任务');
  await app.services.databases.write((tx) => enqueue(tx, 'of nobody', null, { attempts: 1 }));
  const { rows } = await app.services.databases.pool.query<{ id: string }>(
    `update graphile_worker._private_jobs set attempts = 1, last_error = 'printer on fire' || chr(10) || 'at line 1'
     where task_id = (select id from graphile_worker._private_tasks where identifier = 'of nobody') returning id`,
  );
  expect(admin('jobs').said).toBe(`${rows[0]!.id}　of nobody　试过 1 次，不再重试：printer on fire`);
  expect(admin('retry-job', rows[0]!.id)).toMatchObject({ status: 0 });
  expect(admin('retry-job', '1e3').said).toContain('没有编号为 1e3 的失败任务');
});

test('a mistyped administration command lists the possible ones and changes nothing', () => {
  for (const typed of [['reset-password'], ['unlock', 'a', 'b']])
    expect(admin(...typed)).toMatchObject({ status: 1, said: expect.stringContaining('用法：npm run admin -- 命令') });
  expect(admin('unlock', 'nobody.here')).toEqual({ status: 1, said: '没有用户名为“nobody.here”的账号，请核对。' });
});
