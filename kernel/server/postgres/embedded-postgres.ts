import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { houseZone } from '#kernel/contract/moment.ts';
import { StartupError } from '../process/config.ts';
import { commandAs } from './embedded-account.ts';
import { findBinaries } from './embedded-binaries.ts';
import type { Passwords } from './embedded-cluster.ts';
import { createCluster, prepareHome, readPasswords } from './embedded-cluster.ts';
import { claim, ensureFree, runningOn } from './embedded-lock.ts';
import { signalProcess } from './embedded-signal.ts';

export interface EmbeddedOptions {
  /** The product's data directory; the database lives in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Server settings that override ours, e.g. `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True if the system has signals that a program can handle; Windows has none. */
  readonly signals?: boolean;
}

export interface Embedded {
  /** Connects as the database's owner, who is no superuser. */
  readonly url: string;
  /** Connects as the superuser: for backups, checks and tests. */
  readonly adminUrl: string;
  /** Fast shutdown; resolves when the server is gone. May be called again. */
  stop(): Promise<void>;
}

const database = 'gongdan';

/** PostgreSQL says this while something of a killed server is still there: its backends, or the process itself until it is collected. */
const leftBehind = /Is another postmaster|Terminate any old server processes/;
/** Milliseconds until the remains of a killed server must be gone. */
const patience = 20_000;

const urlFor = (role: keyof Passwords, passwords: Passwords, port: number, name: string = database) =>
  `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/${name}`;

/** The addresses of a server that already runs under `dataDir`, or undefined. */
export function findEmbedded(dataDir: string): { url: string; adminUrl: string; pid: number } | undefined {
  const home = join(dataDir, 'postgres');
  const running = runningOn(join(home, 'cluster'));
  const passwords = readPasswords(home);
  if (!running?.ready || !passwords) return undefined;
  return {
    url: urlFor('gongdan', passwords, running.port),
    adminUrl: urlFor('postgres', passwords, running.port),
    pid: running.pid,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done, fail) => probe.once('error', fail).listen(0, '127.0.0.1', done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function settingsOf(port: number, extra: Readonly<Record<string, string>>): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: `${Math.max(32, Math.min(256, Math.floor(totalmem() / 2 ** 20 / 8)))}MB`,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    TimeZone: houseZone,
    log_timezone: houseZone,
    cluster_name: database,
    ...extra,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Keeps the log of the last two servers at most. */
function openLog(home: string): number {
  const file = join(home, 'server.log');
  if (existsSync(file) && statSync(file).size > 10 * 2 ** 20) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

async function createDatabase(adminUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const role = await client.query('select from pg_roles where rolname = $1', [database]);
    const verb = role.rowCount ? 'alter' : 'create';
    await client.query(`${verb} role ${database} login password ${client.escapeLiteral(password)}`);
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (!found.rowCount) await client.query(`create database ${database} owner ${database}`);
  } finally {
    await client.end();
  }
}

/**
 * Starts PostgreSQL under `dataDir`, creating the cluster on first use. It listens on a free port of 127.0.0.1 only and takes scram-sha-256 with
 * generated passwords kept in a file of mode 0600: TCP with a password is the one way that keeps out other local users on every platform and has no
 * limit on the length of a path. A server that dies while we run is started again on its port. Throws `StartupError` if the directory is in use or
 * the server cannot start.
 */
export async function startEmbedded({
  dataDir,
  log,
  settings = {},
  signals = process.platform !== 'win32',
}: EmbeddedOptions): Promise<Embedded> {
  const { home, account } = prepareHome(dataDir, log);
  const cluster = join(home, 'cluster');
  const binaries = findBinaries(home, account);
  const telling = { signals, pgCtl: binaries.pgCtl, account };
  await ensureFree(home, cluster, telling);
  claim(home);
  if (!existsSync(cluster)) await createCluster(home, account, binaries);
  const major = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (major !== binaries.major)
    throw new StartupError(`${cluster} 是 PostgreSQL ${major} 的数据，内置的是 ${binaries.major}，请先迁移数据。`);
  const passwords = readPasswords(home);
  if (!passwords) throw new StartupError(`找不到数据库口令文件 ${join(home, 'passwords.json')}，请从备份中恢复它。`);

  const port = await freePort();
  const postgres = commandAs(account, binaries.postgres, ['-D', cluster, ...settingsOf(port, settings)]);
  let stopping = false;
  let child: ChildProcess;

  // Detached: Ctrl-C in a terminal reaches the whole group, and the database has to outlive the requests that are being finished.
  function launch(): ChildProcess {
    const output = openLog(home);
    const server = spawn(postgres.file, postgres.args, {
      ...postgres.options,
      cwd: home,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    return server;
  }
  /** The reason why it ended before it was ready; null once it is ready. */
  async function untilReady(): Promise<string | null> {
    let failure: Error | undefined;
    child.once('error', (error) => (failure = error));
    for (;;) {
      const running = runningOn(cluster);
      if (running?.ready && running.pid === child.pid) return null;
      if (failure !== undefined || child.exitCode !== null || child.signalCode !== null)
        return failure?.message ?? readFileSync(join(home, 'server.log'), 'utf8').trim().split('\n').at(-1)!;
      await sleep(10);
    }
  }
  const notStarted = (reason: string) =>
    new StartupError(`内置数据库没有启动：${reason}（日志：${join(home, 'server.log')}）`);
  async function firstStart(): Promise<void> {
    const giveUp = performance.now() + patience;
    for (;;) {
      const reason = await untilReady();
      if (reason === null) return;
      if (!leftBehind.test(reason) || performance.now() > giveUp) throw notStarted(reason);
      await sleep(200);
      child = launch();
    }
  }
  function guard(pause = 200): void {
    child.once('exit', async (code, signal) => {
      if (stopping) return;
      log(`内置数据库意外退出（${signal ?? code}），正在重新启动`);
      await sleep(pause);
      if (stopping) return;
      child = launch();
      guard(Math.min(pause * 2, 5000));
      const reason = await untilReady();
      log(reason === null ? '内置数据库已重新启动' : notStarted(reason).message);
    });
  }

  child = launch();
  const killWithUs = () => void (child.pid !== undefined && signalProcess(child.pid, 'INT', telling));
  process.once('exit', killWithUs);
  try {
    await firstStart();
    await createDatabase(urlFor('postgres', passwords, port, 'postgres'), passwords.gongdan);
  } catch (error) {
    killWithUs();
    throw error;
  }
  guard();

  async function stop(): Promise<void> {
    stopping = true;
    process.off('exit', killWithUs);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    killWithUs();
    const impatient = setTimeout(() => child.pid !== undefined && signalProcess(child.pid, 'QUIT', telling), 30_000);
    await gone;
    clearTimeout(impatient);
  }
  return { url: urlFor('gongdan', passwords, port), adminUrl: urlFor('postgres', passwords, port), stop };
}
