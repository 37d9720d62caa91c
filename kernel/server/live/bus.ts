import pg from 'pg';
import { sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import { HostClient, hostsOf } from '../db/primary/hosts.ts';

/** Notifies every node when the transaction commits. At most 8,000 bytes. */
export async function notify(tx: Db, channel: string, payload: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${channel}, ${payload})`);
}

export interface Bus {
  listen(channel: string, hear: (payload: string) => void): void;
  /** Called whenever messages may have been missed: caches that depend on them must be read again. */
  onGap(forget: () => void): void;
  /** False while the connection is lost. */
  connected(): boolean;
  /** Resolves once every message has arrived that was sent before this call; at once while the connection is lost, which counts as a gap. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * An arbitrary number: every running server holds this database lock as shared on its connection, so that code that takes it exclusively never runs
 * beside a server.
 */
const serving = 4_020_261_122;

/** True if no server is running on this database; servers that start then wait until the transaction ends. */
export async function noServerIsUp(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ free: boolean }>(sql`select pg_try_advisory_xact_lock(${serving}) as free`);
  return rows[0]!.free;
}

/** A dead connection reports nothing, and nobody sends on it by itself, so it is asked at intervals and must answer in time. */
const usualPulse = { everyMs: 10_000, patienceMs: 10_000 };

/** Receives what any node notifies. Reconnects by itself, also after a connection died silently, and calls `onGap` each time. */
export async function openBus(url: string, onError: (error: Error) => void, pulse = usualPulse): Promise<Bus> {
  const hearers = new Map<string, ((payload: string) => void)[]>();
  const gaps: (() => void)[] = [];
  let client: pg.Client | null = null;
  let closed = false;
  // One statement after the other: a client accepts no second one while the first runs.
  let turn: Promise<unknown> = Promise.resolve();

  const connect = async (): Promise<void> => {
    const next = new HostClient({
      hosts: hostsOf(url),
      application_name: 'gongdan-bus',
      connectionTimeoutMillis: pulse.patienceMs,
      query_timeout: pulse.patienceMs,
    });
    next.on('notification', (word) => hearers.get(word.channel)?.forEach((hear) => hear(word.payload ?? '')));
    next.on('error', onError);
    // Each connection ends exactly once, also one that was never made, so each attempt is followed by one other.
    next.on('end', () => {
      client = null;
      gaps.forEach((forget) => forget());
      if (!closed) setTimeout(retry, 1000).unref();
    });
    try {
      await next.connect();
      await next.query('select pg_advisory_lock_shared($1)', [serving]);
      for (const channel of hearers.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      await next.end();
      throw error;
    }
    if (closed) return next.end();
    client = next;
    gaps.forEach((forget) => forget());
  };
  const retry = () => {
    if (!closed) connect().catch(onError);
  };
  await connect().catch((error: unknown) => {
    closed = true;
    throw error;
  });
  // The database sends notifications before it answers, so an answer to a query sent now arrives after everything committed until now.
  const ask = (): Promise<void> => {
    const asked = client;
    turn = turn
      .then(() => asked?.query('select 1'))
      .catch((error: unknown) => {
        onError(error as Error);
        // This closes the connection if a query is unanswered.
        return asked?.end();
      });
    return turn.then(() => undefined);
  };
  let next: Promise<void> | null = null;
  const asking = setInterval(ask, pulse.everyMs).unref();

  return {
    listen(channel, hear) {
      const known = hearers.get(channel);
      if (known) known.push(hear);
      else {
        hearers.set(channel, [hear]);
        const now = client;
        turn = turn.then(() => now?.query(`listen ${pg.escapeIdentifier(channel)}`)).catch(onError);
      }
    },
    onGap: (forget) => void gaps.push(forget),
    connected: () => client !== null,
    caughtUp() {
      if (client === null) return Promise.resolve();
      // Callers share a query that waits for its turn; one that is already under way was sent too early for them.
      next ??= turn.then(() => {
        next = null;
        return ask();
      });
      return next;
    },
    async close() {
      closed = true;
      clearInterval(asking);
      await client?.end();
    },
  };
}
