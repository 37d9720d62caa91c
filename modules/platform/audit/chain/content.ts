import { createHash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';

/** A row of the log as text, column by column, so that no digit, blank or microsecond is lost before hashing. */
export interface LogRow extends Record<string, unknown> {
  id: string;
  content: string[];
  seal: string | null;
  content_hash: string | null;
  prev_hash: string | null;
  hash: string | null;
  removed: number;
  blank: boolean;
}

const columns = sql`
  id::text,
  coalesce(user_id::text, ''),
  username,
  alias,
  module,
  action,
  object_type,
  object_id,
  title,
  method,
  path,
  ip,
  ua,
  result::text,
  ms::text,
  diff::text,
  trace_id,
  to_char(gmt_created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'),
  search::text,
  (removed = 2)::text`;

/** Rows under a condition, in the order of `order`, with their hashed content. */
export function logRows(where: SQL, order: 'id' | 'seal', limit: number): SQL {
  return sql`select id::text, array[${columns}] as content, seal::text, content_hash, prev_hash, hash,
      removed, log_is_blank(log) as blank
    from log where ${where} order by ${order === 'id' ? sql`log.id` : sql`log.seal`} limit ${limit}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

export const firstHash = '0'.repeat(64);
export const contentHash = (row: LogRow) => sha256(JSON.stringify(row.content));
/** The hash of a link: its position, its row, the content and the previous link. */
export const linkHash = (seal: number, id: string, content: string, previous: string) =>
  sha256(JSON.stringify([seal, id, content, previous]));
