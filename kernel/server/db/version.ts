import { sql, type AnyColumn } from 'drizzle-orm';
import { stale } from '#kernel/contract/refusal.ts';

/**
 * Refuses if a record (read for update) changed since the caller read it; nothing is compared if no version was sent. `current` is the record as the
 * caller would read it now.
 */
export function checkVersion(
  what: string,
  record: { version: number },
  asked: number | undefined,
  current: unknown,
): void {
  if (asked !== undefined && asked !== record.version) throw stale(what, current);
}

/** The columns that every update of a record sets in addition. */
export function touched(table: { version: AnyColumn }) {
  return { gmt_modified: sql`now()`, version: sql`${table.version} + 1` };
}
