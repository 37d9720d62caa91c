import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { setClock } from '../../process/clock.ts';
import { Away, isCrowded } from '../lost.ts';
import { factsText, nextTransactionText, OlderHistory, type Facts, type History, type Keeper } from './history.ts';
import { HostClient, type Hosts } from './hosts.ts';

/** What is known of the server that takes writes: whether it is there, how far it has come, and what time it is there. */
export interface Primary {
  up(): boolean;
  /** Why it is not written to though it is there; null while it is. */
  older(): OlderHistory | null;
  readonly history: Keeper;
  /** Asks it now: whether it is there. */
  look(): Promise<boolean>;
  /** The answer of what was asked of it; rejects with `Away` as soon as it is. */
  whileThere<T>(answer: Promise<T>): Promise<T>;
  /** How far it had written when it was last asked, or so many milliseconds before that; null where it was not asked then. */
  position(before?: number): string | null;
  /** When it was last asked with success, by `performance.now()`: all that was committed before is within that position. */
  seenAt(): number;
  /** Milliseconds since it went away, or an older one stood in its place; 0 while it is there. */
  awayFor(): number;
  /** Milliseconds this machine's clock is ahead of it. */
  ahead(): number;
  close(): Promise<void>;
}

export interface Told {
  /** It went away, or is back. */
  turned(up: boolean, error?: Error): void;
  /** It is of an older history, or is not any more. */
  aged?(older: OlderHistory | null): void;
  /** Asked once a minute. */
  clock?(aheadMs: number): void;
}

const everyMs = 1000;
/** A server that does not answer for so long is taken for gone: it may hang though its host still takes what is sent. */
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
/** By it neighbours tell each other of a history that the primary they meet does not come from. */
const channel = 'database_history';

/** Asks each second. Once there is no answer all connections to it are cut, so that nobody waits for what will not come. */
export function watchPrimary(hosts: Hosts, told: Told): Primary {
  let client: HostClient | null = null;
  let up = true;
  let closed = false;
  let positions: { at: number; position: string | null }[] = [];
  let since = 0;
  let older: OlderHistory | null = null;
  let ahead = 0;
  let clockTold = 0;
  /** What neighbours said of the history since the last look. */
  const heard: string[] = [];
  // Whoever waits for an answer. A promise that all of them raced with would keep every one of them for as long as nothing happens.
  const waiting = new Set<(error: Away) => void>();

  const turn = (now: boolean, error?: Error) => {
    if (closed || up === now) return;
    up = now;
    since = older ? since : performance.now();
    if (!up) for (const leave of waiting) leave(new Away(error));
    told.turned(up, error);
  };

  /** Whoever asks by a connection from before is to find another: one that leads to the older server outlasts the return of the newer, too. */
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
  /** Whether a neighbour knows more: then the server is looked at by a new connection before anybody writes on. */
  async function learn(one: HostClient): Promise<boolean> {
    const before = hosts.history.known();
    for (const said of heard.splice(0)) await hosts.history.hear(said, one);
    return hosts.history.known() !== before;
  }

  async function ask(): Promise<Asked> {
    const one = await inTurns(connected());
    // What refuses it already has nothing to learn.
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
    // What was long on its way tells little of the time.
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

  /** A question that failed is asked once more, of a new connection: the old one may lead to what was the primary before. */
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
      // What an older one has says nothing of what the newest has.
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
      // One that has no connection left is there.
      if (isCrowded(error)) return up;
      await drop();
      turn(false, error as Error);
      if (!closed) hosts.cut();
    }
    return up;
  }
  /**
   * Marks the database by a connection of its own, at which nobody waits: where commits wait for another server, only what writes is held up.
   * Whatever keeps a mark from being set is met again at a later beat.
   */
  let marker: HostClient | null = null;
  let marking: Promise<void> | null = null;
  async function mark(nextTransaction: string): Promise<void> {
    if (!hosts.history.isKept() || closed) return;
    try {
      if (!marker) {
        // What is lost in a crash of the server must not be known here.
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
  /** Tells those beside us what is known, by the server that lacks it; another one is looked for at the next beat. */
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
      // One that is under way may have been sent before what is asked about.
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

/** Waits in several turns: where this process itself stood still, the answer may be there and only not read yet. */
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
