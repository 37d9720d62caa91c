import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { StartupError } from '../process/config.ts';
import { copyCluster } from './embedded-backup.ts';
import { isAlive } from './embedded-lock.ts';
import { findEmbedded, startEmbedded } from './embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
const directories: string[] = [];
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'gongdan-embedded-'));
  chmodSync(directory, 0o711);
  directories.push(directory);
  return directory;
}
afterAll(() => directories.forEach((directory) => rmSync(directory, { recursive: true, force: true })));

/** One directory for the tests that need a cluster, in the order written: creating one takes most of a second. */
let dataDir: string;
const start = () => startEmbedded({ dataDir, log: () => {} });
beforeAll(() => void (dataDir = join(newDirectory(), 'data')));

async function ask<T>(connectionString: string, sql: string): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    return Object.values(rows[0] ?? {})[0] as T;
  } finally {
    await client.end();
  }
}

async function holdInAnotherProcess(): Promise<{ child: ChildProcess; url: string }> {
  const script = fileURLToPath(new URL('../testing/hold-embedded.ts', import.meta.url));
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((done) => child.stdout.once('data', (line) => done(String(line).trim())));
  return { child, url };
}

function kill(child: ChildProcess): Promise<unknown> {
  const gone = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  return gone;
}

test('a first start makes a UTF-8 database owned by a role that is no superuser, and a stop ends it', async () => {
  const server = await start();
  expect(await ask(server.url, 'show server_encoding')).toBe('UTF8');
  expect(await ask(server.url, 'show timezone')).toBe('Asia/Shanghai');
  expect(await ask(server.url, "select current_setting('is_superuser')")).toBe('off');
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
    expect(await ask(server.url, `show ${setting}`)).toBe('on');
  await ask(server.url, 'create table kept (n int)');
  await ask(server.url, 'insert into kept values (1)');
  expect(findEmbedded(dataDir)).toMatchObject({ url: server.url });
  await server.stop();
  expect(findEmbedded(dataDir)).toBeUndefined();
  await server.stop();
});

test('nobody connects without the password, which only its owner may read', async () => {
  const server = await start();
  try {
    const guess = new URL(server.url);
    guess.password = 'guess';
    await expect(ask(guess.href, 'select 1')).rejects.toThrow(/password authentication failed/);
    expect(statSync(join(dataDir, 'postgres/passwords.json')).mode & 0o077).toBe(0);
  } finally {
    await server.stop();
  }
});

test('where signals are missing the server is stopped by its own program, in good order', async () => {
  const server = await startEmbedded({ dataDir, log: () => {}, signals: false });
  const before = readFileSync(join(dataDir, 'postgres/server.log'), 'utf8').length;
  await server.stop();
  expect(findEmbedded(dataDir)).toBeUndefined();
  const said = readFileSync(join(dataDir, 'postgres/server.log'), 'utf8').slice(before);
  expect(said).toContain('received fast shutdown request');
  expect(said).toContain('database system is shut down');
});

test.runIf(isRoot)('under root the database runs as another user', async () => {
  const server = await start();
  try {
    const { pid } = findEmbedded(dataDir) ?? { pid: 0 };
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).not.toMatch(/^Uid:\t0\t/m);
  } finally {
    await server.stop();
  }
});

test.runIf(isRoot)('under root a data directory that the database user cannot reach still works', async () => {
  const directory = newDirectory();
  chmodSync(directory, 0o700);
  const hidden = join(directory, 'data');
  const server = await startEmbedded({ dataDir: hidden, log: () => {} });
  const elsewhere = realpathSync(join(hidden, 'postgres'));
  directories.push(elsewhere);
  expect(await ask(server.url, 'select 1')).toBe(1);
  expect(elsewhere).not.toContain(hidden);
  await server.stop();
});

test('a second start on a live directory is refused with the process number', async () => {
  const { child } = await holdInAnotherProcess();
  try {
    await expect(start()).rejects.toThrow(StartupError);
    await expect(start()).rejects.toThrow(`进程号 ${child.pid}`);
  } finally {
    await kill(child);
  }
});

test('a server killed with SIGKILL leaves no database process, and its committed data is there at the next start', async () => {
  const { child, url } = await holdInAnotherProcess();
  const { pid } = findEmbedded(dataDir) ?? { pid: 0 };
  await ask(url, 'insert into kept values (2)');
  await kill(child);
  const server = await start();
  expect(isAlive(pid)).toBe(false);
  expect(await ask(server.url, 'select sum(n)::int from kept')).toBe(3);
  await server.stop();
});

test('a database process that dies is started again on the same address', async () => {
  const lines: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => lines.push(line) });
  process.kill(findEmbedded(dataDir)?.pid ?? 0, 'SIGKILL');
  while (!lines.includes('内置数据库已重新启动')) await sleep(20);
  expect(await ask(server.url, 'select sum(n)::int from kept')).toBe(3);
  await server.stop();
});

test('a lock file whose process number now belongs to another program does not prevent the start', async () => {
  const lock = join(dataDir, 'postgres/cluster/postmaster.pid');
  writeFileSync(lock, `${process.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n\nready\n`);
  const server = await start();
  expect(await ask(server.url, 'select 1')).toBe(1);
  await server.stop();
});

test.runIf(process.platform === 'linux')(
  'a killed database whose process has not been collected yet is waited for',
  async () => {
    const lock = join(dataDir, 'postgres/cluster/postmaster.pid');
    const { url, stop } = await start();
    const lines = readFileSync(lock, 'utf8').split('\n');
    // PostgreSQL trusts only processes of its own account.
    const { uid, gid } = statSync(lock);
    await stop();
    // Becomes a program that collects no children and ends after two seconds.
    const careless = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 2'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      uid,
      gid,
      cwd: '/',
    });
    const dead = await new Promise<number>((done) => careless.stdout.once('data', (line) => done(Number(line))));
    while (!readFileSync(`/proc/${dead}/stat`, 'utf8').includes(') Z ')) await sleep(10);
    writeFileSync(lock, [dead, ...lines.slice(1)].join('\n'));
    chownSync(lock, uid, gid);
    const server = await start();
    expect(await ask(server.url, 'select 1')).toBe(1);
    expect(server.url).not.toBe(url);
    await server.stop();
  },
);

test('a copy is complete even if databases are dropped while it is made', async () => {
  const server = await start();
  let copied = false;
  const dropping = (async () => {
    for (let n = 0; !copied; n++) {
      await ask(server.adminUrl, `create database passing_${n} template template0 strategy file_copy`);
      await ask(server.adminUrl, `drop database passing_${n}`);
    }
  })();
  try {
    for (const name of ['first', 'second', 'third'])
      await copyCluster(server.adminUrl, join(dataDir, 'postgres'), join(newDirectory(), name));
  } finally {
    copied = true;
    await dropping;
    await server.stop();
  }
}, 180_000);

test('the test run itself has a server that may create databases', async () => {
  expect(await ask(inject('databaseUrl'), 'select rolcreatedb from pg_roles where rolname = current_user')).toBe(true);
});
