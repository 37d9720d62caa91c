import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startNode, writtenServer, type Node } from '#apps/server/testing/node.ts';
import { quietPort } from '#apps/server/testing/port.ts';
import { startProxy } from '#apps/server/testing/proxy.ts';
import { findLostWrites } from '#apps/server/lost-writes.ts';
import { firstBreak } from '#apps/server/verify-office.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { builtServer } from '../../scripts/run-build.mjs';
import { keep, type Keeper } from './keeper.ts';
import { work, type People } from './people.ts';
import { makeServer, type Server, type Template } from './servers.ts';

export const faults = {
  killed: '主库进程被杀',
  lost: '主库主机失联',
  hung: '主库主机挂起',
  woken: '挂起的旧主库夺回主位',
  over: '切换',
  back: '再切换',
  node: '节点被杀',
  upgrade: '逐个换成新版本',
} as const;
export type Fault = keyof typeof faults;

export interface Found {
  acknowledged: number;
  /** Acknowledged writes that are missing; if an older database was accepted, those that no list names. */
  lost: number;
  twice: number;
  /** The number of times a write had to be sent again. */
  waited: number;
  /** Migrations that ran meanwhile. */
  migrations: number;
  /** Reads tried during the fault, from its start to the first write after it. */
  reads: number;
  unread: number;
  statuses: number[];
  slowestRead: number;
  /** Longest time between two acknowledged writes. */
  stood: number;
  /** The first unexpected answers. */
  strange: string[];
}

export const password = 'Gongdan@2026';
const settings = {
  SESSION_SECRET: 'cluster'.repeat(8),
  ADMIN_PASSWORD: password,
  MONITOR_PLACES: '0',
  LOG_LEVEL: 'fatal',
};
const names = ['a', 'b', 'c'] as const;

/** The server of another checkout, which is not built there; the built one of this checkout unless one is given. */
const programOf = (root?: string) => (root === undefined ? undefined : writtenServer(root));

/** The files of a server with the demonstration in it, made by the checkout at `root`. */
export async function makeTemplate(folder: string, root?: string): Promise<Template> {
  const { url, adminUrl, stop } = await startEmbedded({ dataDir: folder, log: () => undefined });
  const node = await startNode(
    await quietPort(),
    { ...settings, DATABASE_URL: url, DATA_DIR: folder, DEMO: '1' },
    programOf(root),
  );
  await node.stop('SIGTERM');
  await stop();
  const admin = Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href;
  return { home: join(folder, 'postgres'), url, adminUrl: admin };
}

export interface Drill {
  leaseMs: number;
  writers: number;
  readers: number;
  pooled: boolean;
  nginx: string;
  /** The checkout that both nodes run at first; ours if absent. */
  root?: string | undefined;
}

/** Creates a cluster, lets people work, causes one fault, and afterwards looks for each acknowledged write. */
export async function tryOut(template: Template, fault: Fault, drill: Drill): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'gongdan-cluster-'));
  // The databases' account must be able to enter.
  chmodSync(folder, 0o711);
  mkdirSync(join(folder, 'files'));
  const servers: Server[] = [];
  const nodes: Node[] = [];
  let keeper: Keeper | undefined;
  let proxy: { url: string; stop(): Promise<void> } | undefined;
  try {
    for (const name of names) servers.push(await makeServer(template, folder, name, names, drill.pooled));
    keeper = await keep(servers, drill.leaseMs);
    const own = new URL(servers[0]!.url);
    const hosts = `postgres://${own.username}:${own.password}@${servers.map(({ url }) => new URL(url).host).join(',')}${own.pathname}`;
    const env = {
      ...settings,
      DATABASE_URL: `${hosts}?target_session_attrs=read-write`,
      READ_DATABASE_URL: `${hosts}?target_session_attrs=prefer-standby`,
      DATA_DIR: join(folder, 'files'),
      TRUSTED_PROXIES: '127.0.0.1',
    };
    const node = async () => startNode(await quietPort(), env, programOf(drill.root));
    // One after the other: a pool's sessions have a time limit, which would end a wait for the migration.
    for (let each = 0; each < 2; each++) nodes.push(await node());
    proxy = await startProxy(drill.nginx, [nodes[0]!.url, nodes[1]!.url]);
    const workflow = Number(
      (await keeper.leader().ask(`select id from workflow where key = 'it_service' and not is_deleted`))[0]!['id'],
    );
    const migrations = async () =>
      Number((await keeper!.leader().ask('select count(*)::int as n from migration'))[0]!['n']);
    const older = await migrations();
    const people = await work(proxy.url, { ...drill, password, workflow });
    const { met } = people;
    await pause(4000);
    people.count(true);
    const from = performance.now();
    const old = keeper.leader();
    if (fault === 'upgrade') await upgrade(nodes, env);
    else await strike(fault, keeper, nodes, drill.leaseMs);
    // The administrator determines how long nothing is saved while the database is older.
    const struck = performance.now();
    if (fault === 'woken') met.strange.push(...(await takeBack(keeper, old, nodes, people, env)));
    const back = () => met.acknowledged.some(({ at }) => at > from + 1000);
    while (!back() && performance.now() < from + 90_000) await pause(50);
    people.count(false);
    await pause(3000);
    await people.stop();
    const rows = await keeper
      .leader()
      .ask(`select title, count(*)::int as n from ticket where title ~ '^w\\d+x' group by title`);
    const kept = new Map(rows.map(({ title, n }) => [String(title), Number(n)]));
    const missing = met.acknowledged.filter(({ title }) => !kept.has(title)).length;
    const listed = fault === 'woken' ? listedIn(join(folder, 'files')) : 0;
    const counts = (at: number) => at > from && (fault !== 'woken' || at < struck);
    const moments = [from, ...met.acknowledged.map(({ at }) => at).filter(counts)].toSorted((a, b) => a - b);
    return {
      acknowledged: met.acknowledged.length,
      lost: Math.max(0, missing - listed),
      twice: [...kept.values()].filter((n) => n > 1).length,
      waited: met.waited,
      migrations: (await migrations()) - older,
      reads: met.reads,
      unread: met.unread,
      statuses: met.statuses.slice(0, 5),
      slowestRead: Math.round(met.slowestRead),
      stood: Math.round(Math.max(...moments.slice(1).map((at, index) => at - moments[index]!), back() ? 0 : 90_000)),
      strange: [...met.strange, ...(await brokenIn(keeper.leader()))].slice(0, 5),
    };
  } finally {
    await proxy?.stop();
    await Promise.all(nodes.map((one) => one.stop('SIGKILL')));
    await keeper?.close();
    await Promise.all(servers.map((one) => one.close()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Upgrades one node after the other, as in the handbook: the first one migrates while the other still runs the previous version. */
async function upgrade(nodes: Node[], env: NodeJS.ProcessEnv): Promise<void> {
  for (const [at, { url, stop }] of nodes.entries()) {
    await stop('SIGTERM');
    nodes[at] = await startNode(Number(new URL(url).port), env);
    await pause(5000);
  }
}

async function strike(fault: Exclude<Fault, 'upgrade'>, keeper: Keeper, nodes: Node[], leaseMs: number): Promise<void> {
  const old = keeper.leader();
  if (fault === 'node') await nodes[0]!.stop('SIGKILL');
  else if (fault === 'killed') old.kill();
  else if (fault === 'over') await keeper.switchOver();
  else if (fault === 'back') {
    await keeper.switchOver();
    await pause(3000);
    await keeper.switchOver();
  } else {
    // Packets to the host are not even refused.
    old.line.hang();
    old.signal('SIGSTOP');
    await pause(2 * leaseMs);
    if (fault === 'lost') return;
    // It resumes, and nobody has told it that it is no longer primary.
    old.signal('SIGCONT');
    old.line.mend();
    await pause(3000);
  }
}

const readOnlyMs = 30_000;
/**
 * The server that hung becomes primary again, with its old data. Both nodes must report it and save nothing until an administrator accepts it; then
 * people continue to work. Returns what went wrong.
 */
async function takeBack(
  keeper: Keeper,
  old: Server,
  nodes: readonly Node[],
  { met, count }: People,
  env: NodeJS.ProcessEnv,
): Promise<string[]> {
  const strange: string[] = [];
  // No read is answered while there is no database at all.
  count(false);
  await keeper.takeBack(old);
  const from = performance.now();
  for (const { url } of nodes) {
    const said = () => fetch(`${url}/readyz`).then((reply) => reply.text(), String);
    while (!(await said()).startsWith('read-only')) {
      if (performance.now() > from + readOnlyMs) {
        strange.push(`${url}/readyz：${await said()}`);
        break;
      }
      await pause(100);
    }
  }
  count(true);
  await pause(5000);
  count(false);
  const written = met.acknowledged.filter(({ at }) => at > from).length;
  if (written > 0) strange.push(`${written} 次提交存进了较早的内容`);
  const program = builtServer(join(import.meta.dirname, '..', '..'), 'accept-history');
  const accepting = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const gone = once(accepting, 'exit');
  accepting.stdin.end('接受\n');
  if ((await gone)[0] !== 0) strange.push('accept-history 没有接受');
  const since = performance.now();
  while (!met.acknowledged.some(({ at }) => at > since)) {
    if (performance.now() > since + readOnlyMs) return [...strange, '接受之后没有恢复保存'];
    await pause(100);
  }
  return strange;
}

/** The confirmed writes that the nodes' lists name as missing. */
const listedIn = (folder: string) =>
  new Set(findLostWrites(folder).flatMap((file) => readFileSync(file, 'utf8').trim().split('\n').slice(1))).size;

async function brokenIn({ direct }: Server): Promise<string[]> {
  const databases = openDatabases({ url: direct, onError: () => undefined });
  const broken = await firstBreak(databases).finally(() => databases.close());
  return broken === null ? [] : [broken];
}
