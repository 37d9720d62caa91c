import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { prepared, type Db } from '#kernel/server/db/db.ts';
import { asksText } from '../automation/asking.ts';
import type { SignedEntry } from '../visibility/delegation.ts';

/** The hashed content of a log row; `at` in microseconds since 1970. */
export type Content = SignedEntry & { ticket_id: number; at: string };

/** Returns the same text for the same values, in whatever order the database returns the keys. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function hashOf(previous: string | null, row: Content): string {
  const { ticket_id, seq, at, actor, on_behalf, action, intervene_type, transition_id } = row;
  const { from_state_id, to_state_id, suggestion, task_nos, events, trace, signature, files, via } = row;
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
  // One is a number, one a list and one a string, so they cannot be confused.
  const beside = [
    ...(signature === null ? [] : [signature]),
    ...(files.length === 0 ? [] : [files]),
    ...(via === '' ? [] : [via]),
  ];
  return createHash('sha256')
    .update(canonical([previous ?? '', ...said, task_nos, events, trace, ...beside]))
    .digest('hex');
}

export interface Link {
  prev_hash: string | null;
  hash: string;
}
/** Ids of the files of a log row, in order. */
export const filesOf = sql<
  number[]
>`array(select f.file_id from ticket_log_file f where f.log_id = ticket_log.id order by f.place)`;

/** The end of a ticket's log, and the time that every row of this transaction gets. */
export interface LogEnd {
  ticket_id: number;
  at: string;
  hash: string | null;
}

/** The end of a new ticket's log: only its id and the time. From here on its transaction asks for people. */
export async function newLog(tx: Db): Promise<LogEnd> {
  const [row] = await prepared<LogEnd>(tx, 'ticket-new-log', newText, []);
  return row!;
}

const newText = `select (extract(epoch from now()) * 1000000)::bigint::text as at, nextval(pg_get_serial_sequence('ticket', 'id'))::int as ticket_id, null as hash,
  ${asksText} as asks`;

/** Chains new rows to the end of a ticket's log. */
export function linked({ ticket_id, at, hash }: LogEnd, log: readonly SignedEntry[]): Link[] {
  let previous = hash;
  return log.map((entry) => {
    const link = { prev_hash: previous, hash: hashOf(previous, { ...entry, ticket_id, at }) };
    previous = link.hash;
    return link;
  });
}

/** The links of whole logs, ticket after ticket and by `seq`. */
export function chained(rows: readonly Content[]): Link[] {
  let last: { ticket_id: number; hash: string } | null = null;
  return rows.map((row) => {
    const prev_hash: string | null = last?.ticket_id === row.ticket_id ? last.hash : null;
    last = { ticket_id: row.ticket_id, hash: hashOf(prev_hash, row) };
    return { prev_hash, hash: last.hash };
  });
}

export interface VerifiedTickets {
  rows: number;
  /** Rows written before hashing was introduced. */
  unsealed: number;
  /** The first row that was altered or is missing. */
  broken: { ticket_id: number; seq: number } | null;
}

const portion = 1000;

/** Verifies the logs of all tickets in portions; call it within one snapshot. */
export async function verifyTicketLogs(tx: Db): Promise<VerifiedTickets> {
  let last = { ticket_id: 0, seq: 0 };
  let hash: string | null = null;
  let [count, unsealed] = [0, 0];
  for (;;) {
    const { rows } = await tx.execute<
      Content & Record<string, unknown> & { hash: string | null; prev_hash: string | null }
    >(sql`
      select ticket_id, seq, (extract(epoch from at) * 1000000)::bigint::text as at, actor_id as actor, on_behalf_id as on_behalf, action,
        intervene_type, transition_id, from_state_id, to_state_id, suggestion, task_nos, events, trace,
        signature_file_id as signature, ${filesOf} as files, via, prev_hash, hash
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
    if (rows.length < portion) return { rows: count, unsealed, broken: await cutOff(tx) };
  }
}

/** The first ticket whose log does not end where the ticket says: rows removed at the end leave no gap in the log itself. */
async function cutOff(tx: Db): Promise<VerifiedTickets['broken']> {
  const { rows } = await tx.execute<{ ticket_id: number; seq: number }>(sql`
    select t.id as ticket_id, t.seq from ticket t
      left join lateral (select seq, hash from ticket_log where ticket_id = t.id order by seq desc limit 1) l on true
    where (l.seq, l.hash) is distinct from (t.seq, t.log_hash) order by t.id limit 1`);
  return rows[0] ?? null;
}
