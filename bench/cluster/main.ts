// Takes the primary away from a running product and says what people saw: what was acknowledged is there once, and reading goes on.
// `npm run cluster-test [-- --lease 5] [--rounds 1]`; a primary and a synchronous standby of the embedded PostgreSQL, one node.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startNode } from '#apps/server/testing/node.ts';
import { quietPort } from '#apps/server/testing/port.ts';
import { openStandby } from '#apps/server/testing/standby.ts';
import { startEmbedded } from '#kernel/server/postgres/embedded-postgres.ts';
import { openLine, type Line } from '#kernel/server/testing/line.ts';
import { accounts } from '#modules/accounts/contract.ts';
import { access } from '#modules/access/contract.ts';

const { values: given } = parseArgs({
  options: { lease: { type: 'string', default: '5' }, rounds: { type: 'string', default: '1' } },
});
const leaseMs = Number(given.lease) * 1000;
const password = 'Gongdan@2026';
const [writers, readers] = [4, 2];
const faults = ['killed', 'lost', 'hung'] as const;
type Fault = (typeof faults)[number];

interface Found {
  acknowledged: number;
  lost: number;
  twice: number;
  reads: number;
  unread: number;
  slowestRead: number;
  /** Milliseconds from the fault, or the promotion where there is one, to the first write acknowledged after it. */
  backAfter: number;
}

/** All processes of a server: each of them leads a group of its own. */
function processesOf(postmaster: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(postmaster);
      } catch {
        return false;
      }
    });
  return [postmaster, ...children];
}

async function told(url: string, ...texts: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  let rows: Record<string, unknown>[] = [];
  for (const text of texts) ({ rows } = await client.query<Record<string, unknown>>(text));
  await client.end();
  return rows;
}

async function tryOut(fault: Fault): Promise<Found> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gongdan-cluster-'));
  const primary = await startEmbedded({ dataDir, log: () => undefined });
  const standby = await openStandby(primary.adminUrl);
  const line: Line = await openLine(primary.url);
  await told(primary.adminUrl, `alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
  const [one, other] = [new URL(line.url), new URL(await standby.of(primary.url))];
  const hosts = `postgres://${one.username}:${one.password}@${one.host},${other.host}${one.pathname}`;
  const node = await startNode(await quietPort(), {
    DATABASE_URL: `${hosts}?target_session_attrs=read-write`,
    READ_DATABASE_URL: `${hosts}?target_session_attrs=prefer-standby`,
    SESSION_SECRET: 'cluster'.repeat(8),
    DATA_DIR: join(dataDir, 'node'),
    ADMIN_PASSWORD: password,
    LOG_LEVEL: 'fatal',
    MONITOR_PLACES: '0',
  });
  const postmaster = Number(
    readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  let stopped: number[] = [];
  try {
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ username: 'admin', password });
    const signedIn = await fetch(node.url + accounts.login.path, { method: 'POST', headers: json, body });
    const { data } = (await signedIn.json()) as { data: { jwt: string } };
    const headers = { authorization: `JWT ${data.jwt}`, ...json };
    const acknowledged: { name: string; at: number }[] = [];
    let [over, serial, reads, unread, slowestRead] = [false, 0, 0, 0, 0];
    const write = async (writer: number) => {
      while (!over) {
        const name = `w${writer}x${++serial}`;
        const init = {
          method: 'POST',
          headers: { ...headers, 'idempotency-key': name },
          body: JSON.stringify({ name, code: name }),
        };
        while (!over) {
          const done = await fetch(node.url + access.addRole.path, init).then(
            async (reply) => {
              if (reply.status !== 200) return false;
              const { code, msg } = (await reply.json()) as { code: number; msg: string };
              if (code !== 0) throw new Error(`“${name}”：${msg}`);
              return true;
            },
            () => false,
          );
          if (!done) {
            await pause(300);
            continue;
          }
          acknowledged.push({ name, at: performance.now() });
          break;
        }
        await pause(20);
      }
    };
    let away = false;
    const read = async () => {
      while (!over) {
        const [started, during] = [performance.now(), away];
        const status = await fetch(`${node.url}${access.roles.path}?per_page=10`, { headers }).then(
          async (reply) => (await reply.arrayBuffer(), reply.status),
          () => 0,
        );
        if (during) {
          reads += 1;
          if (status !== 200) unread += 1;
          slowestRead = Math.max(slowestRead, performance.now() - started);
        }
        await pause(50);
      }
    };
    const working = [
      ...Array.from({ length: writers }, (_, at) => write(at)),
      ...Array.from({ length: readers }, read),
    ];
    await pause(5000);
    away = true;
    let from = performance.now();
    if (fault === 'killed') process.kill(postmaster, 'SIGKILL');
    else {
      if (fault === 'lost') line.cut();
      else for (const pid of (stopped = processesOf(postmaster))) process.kill(pid, 'SIGSTOP');
      await pause(leaseMs);
      await told(await standby.of(primary.adminUrl), 'select pg_promote()');
      from = performance.now();
    }
    for (const until = from + 60_000; !acknowledged.some(({ at }) => at > from) && performance.now() < until;)
      await pause(50);
    const first = acknowledged.find(({ at }) => at > from);
    away = false;
    // The old one wakes up, and nobody has told it that it is no primary any more.
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];
    if (fault === 'lost') line.mend();
    await pause(5000);
    over = true;
    await Promise.all(working);
    const there = fault === 'killed' ? primary.url : await standby.of(primary.url);
    const rows = await told(there, `select name, count(*)::int as n from role where name ~ '^w\\d+x' group by name`);
    const kept = new Map(rows.map(({ name, n }) => [String(name), Number(n)]));
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter(({ name }) => !kept.has(name)).length,
      twice: [...kept.values()].filter((n) => n > 1).length,
      reads,
      unread,
      slowestRead: Math.round(slowestRead),
      backAfter: first ? Math.round(first.at - from) : -1,
    };
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await node.stop('SIGKILL');
    line.close();
    await told(primary.adminUrl, `alter system reset synchronous_standby_names`, 'select pg_reload_conf()').catch(
      () => [],
    );
    await standby.close().catch(() => undefined);
    await primary.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

let bad = false;
for (let round = 1; round <= Number(given.rounds); round++)
  for (const fault of faults) {
    const found = await tryOut(fault);
    bad ||= found.lost > 0 || found.twice > 0 || found.backAfter < 0 || found.unread > found.reads / 100;
    console.log(JSON.stringify({ round, fault, ...found }));
  }
process.exitCode = bad ? 1 : 0;
