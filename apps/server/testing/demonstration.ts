import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findEmbedded, startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { startNode, type Node } from './node.ts';
import { quietPort } from './port.ts';

/** Password of the administrator and of every demonstration account in tests. */
export const demoPassword = 'Gongdan@2026';
const settings = { ADMIN_PASSWORD: demoPassword, DEMO: '1', LOG_LEVEL: 'warn' };

async function ask(url: string, text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query<Record<string, unknown>>(text, values).then(
    ({ rows }) => client.end().then(() => rows),
    async (error: unknown) => {
      await client.end();
      throw error;
    },
  );
}

/** Creates the template: an app that was started once and has completed its queued jobs, such as the demonstration's papers. */
async function makeTemplate(data: string): Promise<void> {
  const node = await startNode(await quietPort(), { ...settings, DATA_DIR: data });
  const { url } = findEmbedded(data)!;
  const queued = 'select from graphile_worker._private_jobs where run_at <= now() and attempts < max_attempts limit 1';
  while ((await ask(url, queued)).length > 0) await pause(100);
  await node.stop('SIGTERM');
}

/** The template's data folder; the first process creates it, or one that finds the remains of a killed one; the others wait. */
async function requireTemplate(place: string): Promise<string> {
  const [data, whole] = [join(place, 'data'), join(place, 'whole')];
  while (!existsSync(whole)) {
    if (!takePlace(place)) {
      await pause(100);
      continue;
    }
    try {
      rmSync(data, { recursive: true, force: true });
      await makeTemplate(data);
      writeFileSync(whole, '');
    } catch (error) {
      rmSync(place, { recursive: true, force: true });
      throw error;
    }
  }
  return data;
}

/** Claims the place for this process if nobody is working on it; of several processes that find a dead one's claim only one renames it. */
export function takePlace(place: string): boolean {
  const mark = (pid: number | string) => join(place, `maker-${pid}`);
  try {
    mkdirSync(place);
    writeFileSync(mark(process.pid), '');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  try {
    const pid = readdirSync(place)
      .find((name) => name.startsWith('maker-'))
      ?.slice('maker-'.length);
    if (pid === undefined || isRunning(Number(pid))) return false;
    renameSync(mark(pid), mark(process.pid));
    return true;
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Copies the template to `dataDir` and points its monitors at this app's own port. */
async function copyTemplate(data: string, dataDir: string, port: number): Promise<void> {
  // As root, if PostgreSQL's account cannot reach this folder, the database lies elsewhere; such an app sets itself up.
  if (lstatSync(join(data, 'postgres')).isSymbolicLink()) return;
  mkdirSync(dataDir, { recursive: true });
  const above = dirname(dataDir);
  chmodSync(above, statSync(above).mode | 0o011);
  // This program keeps the owner of each file.
  await promisify(execFile)('cp', ['-a', `${data}/.`, dataDir]);
  const database = await startEmbedded({ dataDir, log: () => undefined });
  try {
    await ask(
      database.url,
      `update monitor set target = regexp_replace(target, '^http://127\\.0\\.0\\.1:[0-9]+/', $1)`,
      [`http://127.0.0.1:${port}/`],
    );
  } finally {
    await database.stop();
  }
}

/**
 * Starts the product in `dataDir` with the demonstration organisation. In a whole test run, which names a place in `DEMO_TEMPLATE`, the demonstration
 * is created once and then copied.
 */
export async function startDemo(port: number, dataDir: string, more: NodeJS.ProcessEnv = {}): Promise<Node> {
  const place = process.env['DEMO_TEMPLATE'];
  if (place && process.platform !== 'win32' && !existsSync(join(dataDir, 'postgres')))
    await copyTemplate(await requireTemplate(place), dataDir, port);
  return startNode(port, { ...settings, ...more, DATA_DIR: dataDir });
}
