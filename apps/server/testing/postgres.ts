import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountFor, commandAs } from '#kernel/server/postgres/embedded-account.ts';
import { quietPort } from './port.ts';

const programs = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'];
const debian = '/usr/lib/postgresql';

/** The folder of the newest PostgreSQL on this machine with a server and its tools; null if there is none. */
export function findPostgres(): string | null {
  const packaged = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
  const whole = [...(process.env['PATH'] ?? '').split(delimiter), ...packaged].filter((folder) =>
    programs.every((name) => existsSync(join(folder, name))),
  );
  const versionOf = (bin: string) =>
    Number(/\d+/.exec(spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? 0);
  return whole.toSorted((a, b) => versionOf(b) - versionOf(a))[0] ?? null;
}

/** A separate server, like an administrator's; `postgres` connects without a password. */
export async function startPostgres(bin: string): Promise<{ port: number; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'gongdan-external-'));
  const account = accountFor(home);
  if (account) chownSync(home, account.uid, account.gid);
  const data = join(home, 'data');
  const made = commandAs(account, join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
  ]);
  const told = spawnSync(made.file, made.args, { ...made.options, cwd: home, encoding: 'utf8' });
  if (told.status !== 0) throw new Error(`initdb: ${told.stderr}`);
  const port = await quietPort();
  const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=`, 'fsync=off', `port=${port}`];
  const run = commandAs(account, join(bin, 'postgres'), ['-D', data, ...settings.flatMap((one) => ['-c', one])]);
  const server = spawn(run.file, run.args, { ...run.options, cwd: home, stdio: 'ignore' });
  const gone = once(server, 'exit');
  const ready = () =>
    spawnSync(join(bin, 'psql'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-c', 'select 1']).status ===
    0;
  for (const until = Date.now() + 60_000; !ready(); await pause(100))
    if (server.exitCode !== null || Date.now() > until) throw new Error('PostgreSQL 没有启动');
  return {
    port,
    async stop() {
      server.kill('SIGINT');
      await gone;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
