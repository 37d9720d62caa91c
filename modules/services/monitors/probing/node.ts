import pg from 'pg';
import { hostsOf, poolOf } from '#kernel/server/db/primary/hosts.ts';
import { createProbes, type Probe, type Probed, type Probes } from '#kernel/server/outside/probing.ts';
import { monitorType } from '../contract/codes.ts';
import { monitorSettings, usualReferences } from '../contract/references.ts';
import type { Result } from '../engine/judge.ts';
import { apply, msOf, pushPatience, type Found } from './apply.ts';

export interface NodeOptions {
  /** The node's name, unique among all nodes. */
  node: string;
  url: string;
  /** The local file with the known history of the database; nothing is written to a server with an older one. */
  history?: string;
  /** The number of concurrent probes. */
  places: number;
  allow: readonly string[];
  own?: string | undefined;
  fping: string | null;
  /** Reliable hosts as `host:port`: if none answers, the node's own network has failed. Defaults to the settings. */
  references?: readonly string[];
  /** Milliseconds between two claims, and the longest delay before a result is written; for tests. */
  claimMs?: number;
  flushMs?: number;
  onError(error: Error): void;
  onBlind?(blind: boolean): void;
  probes?: Probes;
}
export interface Node {
  /** Returns leases that have not begun, waits for the rest, and starts nothing more. */
  stop(): Promise<void>;
  readonly busy: number;
}

interface Claimed {
  project_id: number;
  lease_no: number;
  type: number;
  target: string;
  timeout_s: number;
  accepted_codes: string;
  keyword: string;
  ignore_tls: boolean;
  late: number;
  pushed: number | null;
  interval_s: number;
  now: number;
}
const kinds: Record<number, Probe['kind']> = { 1: 'http', 2: 'keyword', 3: 'tcp', 4: 'ping', 5: 'certificate' };
/** The probe for a monitor's settings. */
export const probeOf = (
  of: Pick<Claimed, 'type' | 'target' | 'timeout_s' | 'accepted_codes' | 'keyword' | 'ignore_tls'>,
): Probe => ({
  kind: kinds[of.type]!,
  target: of.target,
  seconds: of.timeout_s,
  accepted: of.accepted_codes,
  keyword: of.keyword,
  ignoreTls: of.ignore_tls,
});
const patience = 10;
const longAway = 120_000;
const flushAt = 200;
const hostOf = (target: string) => (URL.canParse(target) && new URL(target).hostname) || target.replace(/:\d+$/, '');
/** The latest probes, from which a failure of the own network is suspected. */
const watched = { looks: 40, hosts: 10, share: 0.5 };

/** The settings are locked with the lease: those of a moment before a change would go with the lease that follows it, and count as its result. */
const claimDue = `with due as (
    select d.project_id, m.type, m.target, m.timeout_s, m.accepted_codes, m.keyword, m.ignore_tls, m.interval_s
    from monitor_due d join monitor m using (project_id)
    where d.next_at <= now() and (d.lease_until is null or d.lease_until < now()) and m.enabled
      and (d.avoid_node is distinct from $1 or d.next_at < now() - make_interval(secs => m.retry_interval_s) or $3)
    order by d.next_at limit $2 for update of d skip locked for share of m skip locked),
  leased as (
    update monitor_due d set lease_until = now() + make_interval(secs => due.timeout_s + ${patience}), lease_no = lease_no + 1, lease_node = $1
    from due where d.project_id = due.project_id
    returning d.project_id, d.lease_no, d.next_at)
  select project_id, lease_no::float8, due.type, due.target, due.timeout_s, due.accepted_codes, due.keyword, due.ignore_tls, due.interval_s,
    ${msOf('now() - l.next_at')} late, ${msOf('s.pushed_at')} pushed, ${msOf('now()')} now
  from leased l join due using (project_id) join monitor_state s using (project_id)`;
/** Spreads the due times, so that after a stop not all are probed at once. */
const spread = `update monitor_due d set next_at = now() + random() * make_interval(secs => least(m.interval_s, 60))
  from monitor m where m.project_id = d.project_id and d.next_at < now() - interval '30 seconds' and (d.lease_until is null or d.lease_until < now())`;
const giveBack = 'update monitor_due set lease_until = null where lease_node = $1 and lease_until is not null';
const sayAlive = `insert into monitor_node (node, places, busy, lag_ms, pings, blind_since) values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))
  on conflict (node) do update set seen_at = now(), busy = $3, lag_ms = $4, blind_since = excluded.blind_since returning
  (select count(*)::int from monitor_node where seen_at > now() - interval '15 seconds' and node <> $1 and blind_since is null) others,
  (select value -> 'references' from setting where key = '${monitorSettings}') "references"`;

/** Probes what is due, up to the number of places at once. Unclaimed monitors wait in the table, not in a queue here. */
export function startNode(options: NodeOptions): Node {
  const { node, places, onError, claimMs = 1000, flushMs = 250 } = options;
  let references = options.references ?? usualReferences;
  const probes = options.probes ?? createProbes({ allow: options.allow, own: options.own, fping: options.fping });
  const hosts = hostsOf(options.url);
  if (options.history !== undefined) hosts.history.follow(options.history);
  const pool = new pg.Pool({
    ...poolOf(hosts),
    max: 2,
    // Each new connection checks whether its server has an older history.
    maxLifetimeSeconds: 60,
    application_name: 'gongdan-monitor',
    statement_timeout: 10_000,
    query_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
  });
  pool.on('error', onError);
  let [stopped, busy, lag, alone, lost] = [false, 0, 0, true, true];
  /** Missing heartbeats count only from here on, because none could be received before. */
  let hearsFrom = performance.now();
  let blind: number | null = null;
  let seen: { host: string; failed: boolean }[] = [];
  let written: Found[] = [];
  let writing: Promise<void> = Promise.resolve();
  let aliveAt = 0;

  async function claim(): Promise<boolean> {
    if (lost) {
      await pool.query(spread);
      hearsFrom = performance.now();
    }
    lost = false;
    const free = places - busy;
    if (free <= 0) return false;
    // This thread has to close its own connections if the server has an older history than others have seen.
    if (options.history !== undefined) await hosts.history.examine(pool);
    const { rows } = await pool.query<Claimed>(claimDue, [node, free, alone]);
    if (rows.length === 0) return false;
    lag = Math.max(...rows.map((row) => row.late));
    // After a clock jump or a stop of all nodes, heartbeats of that time could not arrive.
    if (lag > longAway) hearsFrom = performance.now();
    busy += rows.length;
    const pinged = rows.filter((row) => row.type === monitorType.ping);
    if (pinged.length > 0) void lookAll(pinged);
    for (const row of rows) if (row.type !== monitorType.ping) void look(row);
    return rows.length === free;
  }

  async function look(row: Claimed): Promise<void> {
    if (row.type === monitorType.push) return done(row, beat(row));
    done(row, await probes.probe(probeOf(row)));
  }
  async function lookAll(rows: readonly Claimed[]): Promise<void> {
    const seconds = Math.max(...rows.map((row) => row.timeout_s));
    const found = await probes.ping(
      rows.map((row) => row.target),
      seconds,
    );
    rows.forEach((row, index) => done(row, found[index]!));
  }
  /** A pushed heartbeat that is missing. */
  function beat({ pushed, interval_s, now }: Claimed): Probed {
    const here = pushed !== null && now - pushed < pushPatience(interval_s);
    const could = performance.now() - hearsFrom >= pushPatience(interval_s);
    const since = pushed === null ? '还没有收到过心跳' : `已有 ${Math.round((now - pushed) / 1000)} 秒没有收到心跳`;
    return {
      outcome: here ? 'ok' : could ? 'fail' : 'unsure',
      msg: here ? '' : since,
      ms: 0,
      http_code: null,
      network: false,
      steps: {},
      certificate: null,
    };
  }

  function done(row: Claimed, probed: Probed): void {
    busy--;
    if (row.type !== monitorType.push)
      seen = [...seen, { host: hostOf(row.target), failed: probed.network }].slice(-watched.looks);
    // A blind node writes no results and returns its leases.
    if (blind !== null) return;
    const { outcome, ms, http_code, msg, certificate } = probed;
    // A probe that is not allowed means a wrong setting and says nothing about the target.
    const result: Result = outcome === 'refused' ? 'unsure' : outcome;
    written.push({ project_id: row.project_id, lease_no: row.lease_no, result, ms, http_code, msg, certificate });
    if (written.length >= flushAt) void flush();
  }

  /** One at a time: two transactions of one node would only wait for each other. */
  function flush(): Promise<void> {
    writing = writing.then(async () => {
      if (written.length === 0 || blind !== null) return;
      const batch = written;
      written = [];
      await check(batch.some((one) => one.result !== 'ok'));
      if (blind !== null) return;
      await write(batch).catch((error: Error) => {
        // The leases expire and another probe follows; until then nothing is known or reported.
        lost = true;
        onError(error);
      });
    });
    return writing;
  }
  async function write(batch: readonly Found[]): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await apply(client, batch, node);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if ((error as { code?: string }).code !== '23514') throw error;
      // After midnight the day's partition may be missing, if the job has not run yet.
      await client.query(`select monitor_log_days(current_date - 1, current_date + 3)`);
      await client.query('begin');
      await apply(client, batch, node);
      await client.query('commit');
    } finally {
      client.release();
    }
  }

  /** Checks the references, if so many probes failed that the own network is suspected. */
  async function check(failing: boolean): Promise<void> {
    const failed = seen.filter((one) => one.failed);
    const suspect = seen.length >= watched.hosts && failed.length >= seen.length * watched.share;
    if (!failing || !suspect || new Set(failed.map((one) => one.host)).size < watched.hosts || references.length === 0)
      return;
    if (await anyAnswers()) return;
    blind = Date.now();
    written = [];
    options.onBlind?.(true);
    await pool.query(giveBack, [node]).catch(onError);
  }
  async function anyAnswers(): Promise<boolean> {
    const answers = await Promise.all(references.map((target) => probes.probe({ kind: 'tcp', target, seconds: 3 })));
    return answers.some((one) => one.outcome === 'ok');
  }

  async function alive(): Promise<void> {
    if (Date.now() - aliveAt < 5000) return;
    aliveAt = Date.now();
    if (blind !== null && (await anyAnswers())) {
      [blind, seen, lost] = [null, [], true];
      options.onBlind?.(false);
    }
    const { rows } = await pool.query<{ others: number; references: string[] | null }>(sayAlive, [
      node,
      places,
      busy,
      Math.round(lag),
      probes.canPing,
      blind,
    ]);
    alone = rows[0]!.others === 0;
    references = options.references ?? rows[0]!.references ?? usualReferences;
  }

  let timer: NodeJS.Timeout;
  let turning: Promise<void> = Promise.resolve();
  const turn = async (): Promise<void> => {
    let more = false;
    try {
      await alive();
      if (blind === null) more = await claim();
    } catch (error) {
      lost = true;
      onError(error as Error);
    }
    if (!stopped) timer = setTimeout(() => (turning = turn()), more ? 50 : claimMs);
  };
  timer = setTimeout(() => (turning = turn()), 0);
  const flushing = setInterval(() => void flush(), flushMs);
  return {
    get busy() {
      return busy;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turning;
      for (const until = Date.now() + 10_000; busy > 0 && Date.now() < until;)
        await new Promise((go) => setTimeout(go, 20));
      clearInterval(flushing);
      await flush();
      await pool.query(giveBack, [node]).catch(() => undefined);
      await pool.query('delete from monitor_node where node = $1', [node]).catch(() => undefined);
      await pool.end();
    },
  };
}
