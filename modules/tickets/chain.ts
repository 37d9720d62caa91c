import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { LogEntry } from './engine/state.ts';

/** A row as it is kept: by whom, and on whose behalf. */
type Row = LogEntry & { on_behalf: number | null };
/** What a row of a ticket's log is hashed from; `at` in microseconds since 1970. */
type Content = Row & { ticket_id: number; at: string };

/** The same text for the same values, in whatever order the database gives back the keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function hashOf(previous: string | null, row: Content): string {
  const { ticket_id, seq, at, actor, on_behalf, action, intervene_type, transition_id } = row;
  const { from_state_id, to_state_id, suggestion, task_nos, events, trace } = row;
  const said = [
    ticket_id,
    seq,
    at,
    actor,
    on_behalf,
    action,
    intervene_type,
    transition_id,
    from_state_id,
    to_state_id,
    suggestion,
  ];
  return createHash('sha256')
    .update(canonical([previous ?? '', ...said, task_nos, events, trace]))
    .digest('hex');
}

/** Ties new rows of a ticket's log to its last one. Every row of a transaction bears its time. */
export async function linked(
  tx: Db,
  ticket_id: number,
  log: readonly Row[],
): Promise<{ prev_hash: string | null; hash: string }[]> {
  const { rows } = await tx.execute<{ hash: string | null; at: string }>(sql`
    select (extract(epoch from now()) * 1000000)::bigint::text as at,
      (select hash from ticket_log where ticket_id = ${ticket_id} order by seq desc limit 1) as hash`);
  const at = rows[0]?.at ?? '';
  let previous = rows[0]?.hash ?? null;
  return log.map((entry) => {
    const link = { prev_hash: previous, hash: hashOf(previous, { ...entry, ticket_id, at }) };
    previous = link.hash;
    return link;
  });
}

export interface VerifiedTickets {
  rows: number;
  /** Written without a hash: demonstration data. */
  unsealed: number;
  /** The first row that is not as it was written. */
  broken: { ticket_id: number; seq: number } | null;
}

const portion = 1000;

/** Walks the logs of all tickets in portions; give it one snapshot. */
export async function verifyTicketLogs(tx: Db): Promise<VerifiedTickets> {
  let last = { ticket_id: 0, seq: 0 };
  let hash: string | null = null;
  let [count, unsealed] = [0, 0];
  for (;;) {
    const { rows } = await tx.execute<
      Content & Record<string, unknown> & { hash: string | null; prev_hash: string | null }
    >(sql`
      select ticket_id, seq, (extract(epoch from at) * 1000000)::bigint::text as at, actor_id as actor, on_behalf_id as on_behalf, action, intervene_type,
        transition_id, from_state_id, to_state_id, suggestion, task_nos, events, trace, prev_hash, hash
      from ticket_log where (ticket_id, seq) > (${last.ticket_id}, ${last.seq}) order by ticket_id, seq limit ${portion}`);
    for (const row of rows) {
      const { ticket_id, seq } = row;
      if (ticket_id !== last.ticket_id) hash = null;
      const follows = seq === (ticket_id === last.ticket_id ? last.seq + 1 : 1);
      const sound = row.hash === null ? hash === null : row.prev_hash === hash && row.hash === hashOf(hash, row);
      if (!follows || !sound) return { rows: count, unsealed, broken: { ticket_id, seq } };
      if (row.hash === null) unsealed++;
      count++;
      hash = row.hash;
      last = { ticket_id, seq };
    }
    if (rows.length < portion) return { rows: count, unsealed, broken: null };
  }
}
