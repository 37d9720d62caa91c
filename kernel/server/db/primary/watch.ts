import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { setClock } from '../../process/clock.ts';
import { Away, isCrowded } from '../lost.ts';
import { factsText, nextTransactionText, OlderHistory, type Facts, type History, type Keeper } from './history.ts';
import { HostClient, type Hosts } from './hosts.ts';

/** The state of the server that accepts writes, as last seen: whether it is there, its position and its clock. */
export interface Primary {
  up(): boolean;
  /** The reason why it is not written to although it is there; null otherwise. */
  older(): OlderHistory | null;
  readonly history: Keeper;
  /** Checks it now; true if it is there. */
  look(): Promise<boolean>;
  /** Returns the answer of the primary; rejects with `Away` as soon as the primary goes away. */
  whileThere<T>(answer: Promise<T>): Promise<T>;
  /** The position of its log at the last check, or `before` milliseconds earlier; null if there was no check then. */
  position(before?: number): string | null;
  /** The time of the last successful check, by `performance.now()`: that position covers everything committed before. */
  seenAt(): number;
  /** Milliseconds since it went away, or since an older one took its place; 0 while it is there. */
  awayFor(): number;
  /** Milliseconds this machine's clock is ahead of it. */
  ahead(): number;
  close(): Promise<void>;
}

export interface Told {
  /** It went away, or is back. */
  turned(up: boolean, error?: Error): void;
  /** It has an older history, or no longer has. */
  aged?(older: OlderHistory | null): void;
  /** Called once a minute. */
  clock?(aheadMs: number): void;
}

const everyMs = 1000;
/** A server that does not answer for so long counts as gone: it may hang although its host still accepts packets. */
const patienceMs = 5000;
const clockEveryMs = 60_000;
const longestWayMs = 500;
const rememberedMs = 60_000;

interface Said {
  standby: boolean;
  position: string | null;
  at: number;
  facts: Facts | null;
  next: string;
}
const question = `select pg_is_in_recovery() as standby, (extract(epoch from clock_timestamp()) * 1000)::float8 as at,
  case when not pg_is_in_recovery() then pg_current_wal_insert_lsn()::text end as position,
  ${nextTransactionText} as next,
  case when not pg_is_in_recovery() then (select to_json(facts) from (${factsText}) facts) end as facts`;
interface Asked extends Said {
  sent: number;
  aged: OlderHistory | null;
}
/** On this channel, neighbours tell each other of a history that does not include the primary they reach. */
const channel = 'database_history';

/** Checks each second. When an answer fails to come all connections are cut, so that nobody waits in vain. */
export function watchPrimary(hosts: Hosts, told: Told): Primary {
  let client: HostClient | null = null;
  let up = true;
  let closed = false;
  let positions: { at: number; position: string | null }[] = [];
  let since = 0;
  let older: OlderHistory | null = null;
  let ahead = 0;
  let clockTold = 0;
  /** Messages of neighbours about the history since the last check. */
  const heard: string[] = [];
  // Callers that wait for an answer. Racing them against one shared promise would keep all of them in memory as long as nothing happens.
  const waiting = new Set<(error: Away) => void>();

  const turn = (now: boolean, error?: Error) => {
    if (closed || up === now) return;
    up = now;
    since = older ? since : performance.now();
    if (!up) for (const leave of waiting) leave(new Away(error));
    told.turned(up, error);
  };

  /** Callers with an earlier connection have to find another: one that leads to the older server would also outlast the return of the newer one. */
  const age = (now: OlderHistory | null) => {
    if (closed || (older === null) === (now === null)) return;
    older = now;
    since = performance.now();
    hosts.cut();
    told.aged?.(older);
  };

  async function connected(): Promise<HostClient> {
    if (client) return client;
    if (closed) throw new Away();
    const next = new HostClient({ hosts, reads: true, application_name: 'gongdan-watch' });
    next.on('end', () => void (client === next && (client = null)));
    next.on('notification', ({ payload = '' }) => {
      heard.push(payload);
      void look();
    });
    client = next;
    await next.connect();
    if (hosts.history.isKept()) await next.query(`listen ${channel}`);
    return next;
  }
  /** True if a neighbour knows more: the server is then examined by a new connection before anybody writes again. */
  async function learn(one: HostClient): Promise<boolean> {
    const before = hosts.history.known();
    for (const said of heard.splice(0)) await hosts.history.hear(said, one);
    return hosts.history.known() !== before;
  }

  async function ask(): Promise<Asked> {
    const one = await inTurns(connected());
    // A server that is already refused has nothing to learn.
    if (one.older) heard.length = 0;
    else if (await inTurns(learn(one))) {
      await drop();
      return ask();
    }
    const before = hosts.history.known();
    const sent = performance.now();
    const { rows } = await inTurns(one.query<Said>(question));
    const said = { ...rows[0]!, sent, aged: one.older };
    if (said.standby) throw new Error('the server takes no writes: it follows another one');
    said.aged ??= olderThan(before, said.facts!);
    const came = performance.now();
    const then = (sent + came) / 2;
    // An answer that was long under way says little about the clock.
    if (came - sent < longestWayMs || positions.length === 0) {
      setClock(said.at, then);
      ahead = Date.now() - (came - then) - said.at;
    }
    return said;
  }

  function olderThan(before: History | null, facts: Facts): OlderHistory | null {
    try {
      hosts.history.saw(facts, before);
      return null;
    } catch (error) {
      if (error instanceof OlderHistory) return error;
      throw error;
    }
  }

  /** A check that failed is repeated once on a new connection: the old one may lead to the previous primary. */
  async function answered(): Promise<Asked> {
    try {
      return await ask();
    } catch (error) {
      const late = error instanceof Late;
      await drop();
      if (late || !up) throw error;
      return ask();
    }
  }
  async function drop(): Promise<void> {
    const gone = client;
    client = null;
    gone?.connection.stream.destroy();
    hosts.forget();
  }

  async function lookOnce(): Promise<boolean> {
    try {
      const { position, sent: at, aged, next } = await answered();
      // The position of an older server says nothing about the newest.
      if (!aged) positions = [{ at, position }, ...positions.filter((one) => at - one.at < rememberedMs)];
      if (!aged) marking ??= mark(next).finally(() => (marking = null));
      if (client && aged) await leave(client);
      age(aged);
      turn(true);
      if (performance.now() - clockTold > clockEveryMs || clockTold === 0) {
        clockTold = performance.now();
        told.clock?.(ahead);
      }
    } catch (error) {
      // A server without free connections is still there.
      if (isCrowded(error)) return up;
      await drop();
      turn(false, error as Error);
      if (!closed) hosts.cut();
    }
    return up;
  }
  /**
   * Marks the database on a connection of its own for which nobody waits: where commits wait for another server, only writers are held up. An error
   * that prevents a mark shows again at a later beat.
   */
  let marker: HostClient | null = null;
  let marking: Promise<void> | null = null;
  async function mark(nextTransaction: string): Promise<void> {
    if (!hosts.history.isKept() || closed) return;
    try {
      if (!marker) {
        // A mark that a crash of the server could lose must not be known here.
        const next = new HostClient({ hosts, application_name: 'gongdan-mark', options: '-c synchronous_commit=on' });
        next.on('end', () => void (marker === next && (marker = null)));
        marker = next;
        await next.connect();
      }
      await hosts.history.mark(marker, nextTransaction);
    } catch {
      marker?.connection.stream.destroy();
      marker = null;
    }
  }
  /** Tells the other nodes what is known, through the server that lacks it; the next beat looks for another server. */
  async function leave(left: HostClient): Promise<void> {
    const known = JSON.stringify(hosts.history.known());
    if (hosts.history.isKept())
      await inTurns(left.query('select pg_notify($1, $2)', [channel, known])).catch(() => undefined);
    await drop();
  }
  let looking: Promise<boolean> | null = null;
  const look = () => (looking ??= lookOnce().finally(() => (looking = null)));

  let timer: NodeJS.Timeout;
  const plan = () => {
    timer = setTimeout(() => void look().then(() => void (closed || plan())), everyMs);
    timer.unref();
  };
  plan();

  return {
    up: () => up,
    older: () => older,
    history: hosts.history,
    async look() {
      // A check that is already running may have been sent before the event in question.
      await looking;
      return look();
    },
    async whileThere(answer) {
      const away = Promise.withResolvers<never>();
      waiting.add(away.reject);
      try {
        return await Promise.race([answer, away.promise]);
      } finally {
        waiting.delete(away.reject);
      }
    },
    position: (before = 0) => positions.find(({ at }) => at <= positions[0]!.at - before)?.position ?? null,
    seenAt: () => positions[0]?.at ?? 0,
    awayFor: () => (up && !older ? 0 : performance.now() - since),
    ahead: () => ahead,
    async close() {
      closed = true;
      clearTimeout(timer);
      const open: (pg.Client | null)[] = [client, marker];
      [client, marker] = [null, null];
      await looking;
      await Promise.all(open.map((one) => one?.end().catch(() => undefined)));
    },
  };
}

class Late extends Error {}

/** Waits for several turns of the event loop: if this process itself stood still, the answer may have arrived without being read yet. */
async function inTurns<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  const waiting = new AbortController();
  const turns = 5;
  const late = (async (): Promise<never> => {
    for (let turn = 0; turn < turns; turn++)
      await pause(patienceMs / turns, undefined, { signal: waiting.signal, ref: false });
    throw new Late('the server did not answer in time');
  })();
  late.catch(() => undefined);
  return Promise.race([answer, late]).finally(() => waiting.abort());
}
