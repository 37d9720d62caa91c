import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync, realpathSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { oldestPostgres } from '#kernel/server/postgres/postgres-release.ts';
import { openLine } from '#kernel/server/testing/line.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { dropDatabase } from './testing/drop-database.ts';

// The real commands, as an operator types them: all but the doctor are built.
const root = join(import.meta.dirname, '../..');
const programs = {
  main: builtServer(root),
  migrate: builtServer(root, 'migrate'),
  'forget-secret': builtServer(root, 'forget-secret'),
  doctor: join(root, 'apps/server/doctor.ts'),
};
type Program = keyof typeof programs;
const place = mkdtempSync(join(tmpdir(), 'gongdan-start-'));
const name = `start_${randomUUID().replaceAll('-', '')}`;
const databaseUrl = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
const running = new Set<ChildProcess>();
beforeAll(() => asked(inject('databaseUrl'), `create database ${name}`));
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await dropDatabase(inject('databaseUrl'), name);
  try {
    rmSync(realpathSync(join(place, 'data', 'postgres')), { recursive: true, force: true });
  } catch {
    // The database was never created.
  }
  rmSync(place, { recursive: true, force: true });
});

async function asked<R>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as R[];
  } finally {
    await client.end();
  }
}

interface Command {
  child: ChildProcess;
  out(): string;
  err(): string;
  ended: Promise<number | null>;
}
function command(program: Program, env: NodeJS.ProcessEnv, typed = ''): Command {
  const child = spawn(process.execPath, [programs[program]], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: 'pipe',
  });
  child.stdin.end(typed);
  running.add(child);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said.err += text));
  const ended = once(child, 'close').then(([code]) => (running.delete(child), code as number | null));
  return { child, out: () => said.out, err: () => said.err, ended };
}
async function ran(
  program: Program,
  env: NodeJS.ProcessEnv,
  typed?: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const { ended, out, err } = command(program, env, typed);
  const code = await ended;
  return { code, out: out(), err: err() };
}
/** Starts the product and waits until it prints its address. */
async function started(env: NodeJS.ProcessEnv): Promise<Command & { url: string }> {
  const product = command('main', { PORT: '0', ...env });
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const [, found] = /工单系统已启动：(\S+)\n(?:.+\n)*\n/.exec(product.out()) ?? [];
      if (found) resolve(found);
    };
    product.child.stdout!.on('data', look);
    void product.ended.then((code) => reject(new Error(`it ended with ${code}: ${product.err()}`)));
  });
  return { ...product, url };
}
async function call(url: string, method: string, path: string, body?: unknown, jwt?: string) {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...(jwt ? { authorization: `JWT ${jwt}` } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as { code: number; data: Record<string, never> };
}

test(
  'a wrong value ends the product and its migration with one sentence and exit code 1',
  { timeout: 180_000 },
  async () => {
    const env = { PORT: 'eighty', ADMIN_PASSWORD: 'short', DATA_DIR: join(place, 'never') };
    for (const program of ['main', 'migrate'] as const) {
      expect(await ran(program, env)).toEqual({
        code: 1,
        out: '',
        err:
          '环境变量 PORT 的值“eighty”不正确，应为：0 到 65535 的整数（0 表示由系统选择）。\n' +
          '环境变量 ADMIN_PASSWORD 的值（5 个字符，不予显示）不正确，应为：8 到 256 个字符。\n',
      });
    }
    expect(readdirSync(place)).not.toContain('never');
  },
);

test(
  'two simultaneous migrations run each file once, and a file changed afterwards is refused',
  { timeout: 300_000 },
  async () => {
    const files = readdirSync(join(import.meta.dirname, '../../migrations')).filter((file) => file.endsWith('.sql'));
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: place };
    const both = await Promise.all([ran('migrate', env), ran('migrate', env)]);
    expect(both.map(({ code, err }) => ({ code, err }))).toEqual([0, 0].map((code) => ({ code, err: '' })));
    expect(both.map(({ out }) => out).toSorted()).toEqual(
      [
        `数据库结构已更新：${files.toSorted().slice(0, 5).join('、')} 等 ${files.length} 个文件\n`,
        '数据库结构已是最新\n',
      ].toSorted(),
    );
    expect(
      (await asked<{ name: string }>(databaseUrl, 'select name from migration order by name')).map((row) => row.name),
    ).toEqual(files.toSorted());
    await asked(databaseUrl, `update migration set sha256 = repeat('0', 64) where name = '${files.toSorted()[1]}'`);
    for (const program of ['migrate', 'main'] as const)
      expect(await ran(program, { ...env, PORT: '0' })).toEqual({
        code: 1,
        out: '',
        err: `数据库结构文件 ${files.toSorted()[1]} 在执行之后被改动过，请恢复原文件，改动另写一个文件\n`,
      });
  },
);

test(
  'a first start without a demo prints a password once, which must be changed and survives a restart',
  { timeout: 300_000 },
  async () => {
    const env = { DATA_DIR: join(place, 'data'), DEMO: '0' };
    const first = await started({ ...env, LOG_LEVEL: 'info' });
    // In the words of `npm run migrate`.
    expect(first.out()).toMatch(/数据库结构已更新：0001-tables\.sql、/);
    const [, password = ''] = /管理员 admin，初始密码 (\S+)（只显示这一次，登录后请修改）/.exec(first.out()) ?? [];
    expect(password).toMatch(/^[\w-]{16}$/);
    expect(first.out()).not.toContain('演示账号');
    const { data } = await call(first.url, 'POST', '/api/accounts/login/', { username: 'admin', password });
    const jwt = data['jwt']!;
    expect(data['must_change_pwd']).toBe(true);
    const everybody = '/api/accounts/users/';
    expect((await call(first.url, 'GET', everybody, undefined, jwt)).code).toBe(4003);
    const change = { old_password: password, new_password: 'Blue-Kite-77' };
    expect((await call(first.url, 'PUT', '/api/accounts/users/change_pwd/', change, jwt)).code).toBe(0);
    const people = { code: 0, data: { total: 1, value: [{ username: 'admin' }] } };
    const seen = async () => expect(await call(first.url, 'GET', everybody, undefined, jwt)).toMatchObject(people);
    await eventually(seen);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    const again = await started({ ...env, ADMIN_PASSWORD: 'Another-Word-88' });
    expect(again.out()).not.toContain('密码');
    const entered = async (given: string) =>
      (await call(again.url, 'POST', '/api/accounts/login/', { username: 'admin', password: given })).code;
    expect([await entered('Blue-Kite-77'), await entered(password), await entered('Another-Word-88')]).toEqual([
      0, -1, -1,
    ]);
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  },
);

/** The secret of these tests' office after its first one was lost. */
const secondSecret = 'quite another one '.repeat(3);

test(
  'with a secret other than its database’s nothing starts until the old one is declared lost',
  { timeout: 300_000 },
  async () => {
    const env = { DATA_DIR: join(place, 'data'), DEMO: '0', SESSION_SECRET: secondSecret };
    const refused = await ran('main', { ...env, PORT: '0' });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('会话密钥不是这个数据库原来的那一个') });
    rmSync(join(place, 'data', 'session-secret'));
    expect(await ran('forget-secret', env, '放弃\n')).toMatchObject({
      code: 0,
      out: expect.stringContaining('应用令牌'),
    });
    const again = await started(env);
    again.child.kill('SIGTERM');
    expect(await again.ended).toBe(0);
  },
);

/** Large packages that few need, loaded by the first code that uses them. */
const readLater = [
  '@aws-sdk/client-s3',
  '@cantoo/pdf-lib',
  'ajv',
  'fast-xml-parser',
  'fflate',
  'file-type',
  'libheif-js',
  'mammoth',
  'nodemailer',
  'openid-client',
  'pdfjs-dist',
  'pdfkit',
  'pinyin-pro',
  'qrcode',
  'read-excel-file',
  'rrule-temporal',
  'sanitize-html',
  'sharp',
  'undici',
  'web-push',
];
/** Runs before a program and at its end records which packages it has loaded. */
const noting = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      const [, name] = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url) ?? [];
      if (name) packages.add(name);
      return next(url, context);
    },
  });
  process.on('exit', () => writeFileSync(process.env.READ_TO, [...packages].join('\\n')));`;

test('a started server has read no file that only few calls need', { timeout: 300_000 }, async () => {
  const noted = join(place, 'read');
  const product = await started({
    DATA_DIR: join(place, 'data'),
    DEMO: '0',
    SESSION_SECRET: secondSecret,
    READ_TO: noted,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noting)}`,
  });
  product.child.kill('SIGTERM');
  expect(await product.ended).toBe(0);
  const read = readFileSync(noted, 'utf8').split('\n');
  expect(read).toContain('fastify');
  expect(read.filter((name) => readLater.includes(name))).toEqual([]);
});

test(
  'several processes serve one port: a killed one is restarted, and all stop together',
  { timeout: 300_000 },
  async () => {
    const product = await started({
      DATA_DIR: join(place, 'data'),
      DEMO: '0',
      SESSION_SECRET: secondSecret,
      PROCESSES: '2',
      LOG_LEVEL: 'info',
    });
    const begun = () =>
      Array.from(product.out().matchAll(/"process":(\d+),"msg":"process answers"/g), ([, pid]) => Number(pid));
    const begunAre = (count: number) => eventually(() => expect(begun()).toHaveLength(count), 120_000);
    await begunAre(2);
    process.kill(begun()[0]!, 'SIGKILL');
    await begunAre(3);
    const ready = async () => (await fetch(`${product.url}/readyz`)).status;
    expect(await Promise.all([ready(), ready(), ready(), ready()])).toEqual([200, 200, 200, 200]);
    product.child.kill('SIGTERM');
    expect(await product.ended).toBe(0);
    for (const pid of begun()) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  },
);

test(
  'the first of several processes that cannot start ends them all with its sentence',
  { timeout: 180_000 },
  async () => {
    const env = {
      DATA_DIR: join(place, 'data'),
      DEMO: '0',
      PROCESSES: '2',
      PORT: '0',
      SESSION_SECRET: 'not ours '.repeat(5),
    };
    expect(await ran('main', env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('会话密钥不是这个数据库原来的那一个'),
    });
  },
);

test(
  'a database older than documented is refused at start and by the migration, before anything is written',
  { timeout: 180_000 },
  async () => {
    const [{ number, version }] = (await asked<{ number: string; version: string }>(
      databaseUrl,
      `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    )) as [{ number: string; version: string }];
    const older = (text: string) => String(oldestPostgres - 1) + text.slice(2);
    const line = await openLine(databaseUrl, (bytes) =>
      Buffer.from(
        bytes.toString('latin1').replaceAll(number, older(number)).replaceAll(version, older(version)),
        'latin1',
      ),
    );
    const env = { DATABASE_URL: line.url, DATA_DIR: join(place, 'older') };
    const why = `的版本 ${older(version)} 过旧，需要 PostgreSQL ${oldestPostgres} 或更高版本`;
    for (const program of ['main', 'migrate'] as const)
      expect(await ran(program, { ...env, PORT: '0' })).toEqual({
        code: 1,
        out: '',
        err: `数据库${why}，没有启动：请先升级数据库。\n`,
      });
    const doctor = await ran('doctor', env);
    expect(doctor).toMatchObject({ code: 1, out: expect.stringContaining(`失败  外部数据库${why}`) });
    line.close();
    for (const page of ['README.md', 'docs/operations.md'])
      expect(readFileSync(join(import.meta.dirname, '../..', page), 'utf8'), page).toContain(
        `PostgreSQL ${oldestPostgres} 或更高版本`,
      );
  },
);
