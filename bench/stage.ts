import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { eq, sql } from 'drizzle-orm';
import { openApp, type App } from '#apps/server/office.ts';
import { growDemo } from '#apps/server/demo.ts';
import { seed } from '#apps/server/seed.ts';
import { startEmbedded, type Embedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { sessionTable } from '#modules/platform/accounts/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { builtServer } from '../scripts/run-build.mjs';

export const secret = 'bench'.repeat(10);
const root = join(import.meta.dirname, '..');

/** A separate database with the demonstration organisation, and the product as a separate process on it. */
export interface Stage {
  database: string;
  /** The same database as the superuser. */
  adminDatabase: string;
  url: string;
  pid: number;
  dataDir: string;
  app: App;
  /** The present number of tickets. */
  size: number;
  grow(to: number): Promise<void>;
  signIn(username: string): Promise<string>;
  close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gongdan-bench-'));
  const embedded: Embedded = await startEmbedded({ dataDir, log: () => undefined });
  await migrate(embedded.url);
  const log = pino({ level: 'warn' }, pino.destination(2));
  const app = await openApp({
    databaseUrl: embedded.url,
    secret,
    log,
    trustedProxies: [],
    https: false,
    files: { folder: dataDir },
  });
  await seed(app.services, {
    adminPassword: 'Gongdan@2026',
    demo: true,
    host: '127.0.0.1',
    port: 0,
    publicUrl: undefined,
  });
  const server = await startServer({ DATABASE_URL: embedded.url, DATA_DIR: dataDir });
  const { databases, identity } = app.services;
  const stage: Stage = {
    database: embedded.url,
    adminDatabase: embedded.adminUrl,
    url: server.url,
    pid: server.pid,
    dataDir,
    app,
    size: 0,
    async grow(to) {
      if (to <= stage.size) return;
      await growDemo(databases, to - stage.size, new Date(), (line) => console.log(`  ${line}`));
      stage.size = to;
      await databases.pool.query('checkpoint').catch(() => undefined);
    },
    async signIn(username) {
      const [user] = await databases.fresh.select().from(userTable).where(eq(userTable.username, username));
      if (!user) throw new Error(`no such person: ${username}`);
      const [session] = await databases.write((tx) =>
        tx
          .insert(sessionTable)
          .values({
            user_id: user.id,
            session_version: user.session_version,
            ip: '127.0.0.1',
            ua: 'bench',
            expires_at: sql<string>`now() + interval '1 day'` as never,
          })
          .returning({ id: sessionTable.id }),
      );
      return identity.sign(user.id, session!.id);
    },
    async close() {
      await server.stop();
      await app.close();
      await embedded.stop();
    },
  };
  return stage;
}

export interface Server {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process until it is ready. */
  readyAfter: number;
  stop(): Promise<void>;
}

/** The product as people run it, with its log discarded. BENCH_PROFILE is a folder for its CPU profile. */
export async function startServer(env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const started = performance.now();
  const profile = process.env['BENCH_PROFILE'];
  const flags = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const child: ChildProcess = spawn(process.execPath, [...flags, builtServer(root)], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...env,
      PORT: String(port),
      SESSION_SECRET: secret,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    await sleep(10);
  }
  return {
    url,
    pid: child.pid ?? 0,
    readyAfter: performance.now() - started,
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Memory of a process in MB; null if the system does not report it. */
export function memoryOf(pid: number): number | null {
  try {
    const found = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return found ? Number(found[1]) / 1024 : null;
  } catch {
    return null;
  }
}

/** Runs one of our own files in a separate process and parses the JSON that it prints last. */
export async function alone<T>(file: string, asked: object): Promise<T> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), JSON.stringify(asked)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${file} ended with code ${code}`);
  return JSON.parse(text.trim().split('\n').at(-1) ?? 'null') as T;
}

export async function removeStage(stage: Stage): Promise<void> {
  await rm(stage.dataDir, { recursive: true, force: true });
}
