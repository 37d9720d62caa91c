import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { accountFor, commandAs } from '#kernel/server/postgres/embedded-account.ts';
import { findBinaries } from '#kernel/server/postgres/embedded-binaries.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { openPooler, type Pooler } from '#kernel/server/testing/pooler.ts';
import { quietPort } from '#apps/server/testing/port.ts';

/** A PostgreSQL on its own host: the product reaches it through a line that can fail, the other servers and the keeper directly. */
export interface Server {
  readonly name: string;
  /** The data folder. */
  readonly data: string;
  /** The superuser's address of the product's database. */
  readonly direct: string;
  /** The product's address through the line that can fail. */
  readonly url: string;
  readonly line: Line;
  running(): boolean;
  /** Starts it, as a standby of `primary` if given, and waits until it answers. */
  start(primary?: Server): Promise<void>;
  /** Shuts it down cleanly: its standbys have everything by then. */
  stop(): Promise<void>;
  /** Sends a signal to all its processes. */
  signal(name: NodeJS.Signals): void;
  /** Kills its main process. */
  kill(): void;
  follow(primary: Server): Promise<void>;
  /** Replaces its files by those of another server; both are stopped. */
  copy(other: Server): void;
  ask(text: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface Template {
  /** A folder whose `cluster` is the data of a cleanly stopped server. */
  home: string;
  /** The addresses of the product and of the superuser. */
  url: string;
  adminUrl: string;
}

const answerMs = 2000;

/** All processes of a server, each of which leads its own group. */
function processesOf(postmaster: number): number[] {
  const parentOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1];
    } catch {
      return undefined;
    }
  };
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === String(postmaster));
  return [postmaster, ...children.map(Number)];
}

/** Creates a server from the template's files without starting it. `names` are all servers of the cluster: a write waits for one of the others. */
export async function makeServer(
  { home, url, adminUrl }: Template,
  folder: string,
  name: string,
  names: readonly string[],
  pooled: boolean,
): Promise<Server> {
  const data = join(folder, name);
  const account = accountFor(join(home, 'cluster'));
  const owned = (path: string) => void (account && chownSync(path, account.uid, account.gid));
  const copyFrom = (files: string) => {
    rmSync(data, { recursive: true, force: true });
    cpSync(files, data, { recursive: true });
    for (const path of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })]) owned(join(data, path));
    chmodSync(data, 0o700);
  };
  copyFrom(join(home, 'cluster'));
  const port = await quietPort();
  const at = (address: string) => Object.assign(new URL(address), { port: String(port) }).href;
  const direct = at(adminUrl);
  const { username, password } = new URL(direct);
  const pooler: Pooler | null = pooled ? await openPooler(at(url), true) : null;
  const line = await openLine(pooler?.url ?? at(url));
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: name,
    max_connections: '150',
    shared_buffers: '64MB',
    wal_keep_size: '256MB',
    wal_retrieve_retry_interval: '200ms',
    hot_standby_feedback: 'on',
    synchronous_standby_names: `ANY 1 (${names.filter((other) => other !== name).join(', ')})`,
    TimeZone: 'Asia/Shanghai',
  };
  const program = commandAs(account, findBinaries(home, account).postgres, [
    '-D',
    data,
    ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
  ]);
  let child: ChildProcess | undefined;
  const way = (primary: Server) => {
    const { hostname, port: there } = new URL(primary.direct);
    return `host=${hostname} port=${there} user=${username} password=${password} application_name=${name} connect_timeout=2`;
  };
  const server: Server = {
    name,
    data,
    direct,
    url: line.url,
    line,
    running: () => child !== undefined && child.exitCode === null && child.signalCode === null,
    async start(primary) {
      const signal = join(data, 'standby.signal');
      if (primary) {
        writeFileSync(signal, '');
        owned(signal);
        appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${way(primary)}'\n`);
      } else rmSync(signal, { force: true });
      child = spawn(program.file, program.args, { ...program.options, cwd: folder, stdio: 'ignore', detached: true });
      for (let tries = 0; ; tries++) {
        if (
          await server.ask('select 1').then(
            () => true,
            () => false,
          )
        )
          return;
        if (tries > 600 || !server.running()) throw new Error(`PostgreSQL ${name} 没有启动`);
        await pause(100);
      }
    },
    async stop() {
      if (!server.running()) return;
      const gone = once(child!, 'exit');
      child!.kill('SIGINT');
      await gone;
    },
    signal(kind) {
      if (server.running())
        for (const pid of processesOf(child!.pid!))
          try {
            process.kill(pid, kind);
          } catch {
            // It is already gone.
          }
    },
    kill: () => void child?.kill('SIGKILL'),
    async follow(primary) {
      await server.ask(`alter system set primary_conninfo = '${way(primary)}'`);
      await server.ask('select pg_reload_conf()');
    },
    copy: (other) => copyFrom(other.data),
    async ask(text) {
      const client = new pg.Client({
        connectionString: direct,
        connectionTimeoutMillis: answerMs,
        query_timeout: 10 * answerMs,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        void client.end().catch(() => undefined);
      }
    },
    async close() {
      server.signal('SIGCONT');
      if (server.running()) {
        const gone = once(child!, 'exit');
        child!.kill('SIGQUIT');
        await gone;
      }
      line.close();
      await pooler?.close();
      rmSync(data, { recursive: true, force: true });
    },
  };
  return server;
}
