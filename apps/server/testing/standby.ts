import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { accountFor, commandAs } from '#kernel/server/postgres/embedded-account.ts';
import { copyCluster } from '#kernel/server/postgres/embedded-backup.ts';
import { findBinaries } from '#kernel/server/postgres/embedded-binaries.ts';
import { quietPort } from './port.ts';

/** A PostgreSQL that follows another one. */
export interface Standby {
  /** The standby's address of one of the primary's databases, as soon as it has arrived. */
  of(url: string): Promise<string>;
  start(): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

async function ask(url: string, text: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query<Record<string, string>>(text)
    .then(({ rows }) => rows[0] ?? {})
    .finally(() => client.end());
}

async function until(done: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await done();
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await pause(100);
    }
  }
}

/** Creates and starts a standby of the server at this address (the superuser's) from a copy of its files. */
export async function openStandby(adminUrl: string): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-standby-'));
  const cluster = join(folder, 'cluster');
  const { data_directory } = await ask(adminUrl, 'show data_directory');
  const home = dirname(data_directory ?? '');
  const slot = `standby_${process.pid}`;
  await ask(adminUrl, `select pg_create_physical_replication_slot('${slot}', true)`);
  mkdirSync(cluster);
  await copyCluster(adminUrl, home, cluster);
  writeFileSync(join(cluster, 'standby.signal'), '');
  const account = accountFor(data_directory ?? '');
  chmodSync(folder, 0o711);
  chmodSync(cluster, 0o700);
  if (account)
    for (const path of ['', ...readdirSync(cluster, { recursive: true, encoding: 'utf8' })])
      chownSync(join(cluster, path), account.uid, account.gid);
  const port = await quietPort();
  const primary = new URL(adminUrl);
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    primary_conninfo: `host=${primary.hostname} port=${primary.port} user=${primary.username} password=${primary.password}`,
    primary_slot_name: slot,
    wal_retrieve_retry_interval: '200ms',
    fsync: 'off',
  };
  const program = commandAs(account, findBinaries(home, account).postgres, [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const at = (url: string) => Object.assign(new URL(url), { port: String(port) }).href;
  let child: ChildProcess | undefined;
  const standby: Standby = {
    async of(url) {
      await until(() => ask(at(url), 'select 1'));
      return at(url);
    },
    async start() {
      child = spawn(program.file, program.args, { ...program.options, cwd: folder, stdio: 'ignore' });
      await until(() => ask(at(adminUrl), 'select 1'));
    },
    async stop() {
      const gone = child && child.exitCode === null ? once(child, 'exit') : undefined;
      child?.kill('SIGINT');
      await gone;
    },
    async close() {
      await standby.stop();
      await until(() => ask(adminUrl, `select pg_drop_replication_slot('${slot}')`));
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await standby.start();
  return standby;
}
