import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { ExportAsked } from '#kernel/server/http/implement.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { exportLater, mostWaiting, sentAtOnce, tooManyWaiting } from './contract.ts';
import { exportTable as e } from './tables.ts';

export const making = 'make export';
/** Tries of one export, in case the database fails or a node stops. */
export const tries = 3;

/**
 * Queues an export with many rows; null if it is short enough to be sent at once. A repeated request while it is being made returns the same one.
 * Refuses with `tooManyWaiting`.
 */
export async function askForExport(tx: Db, { user, path, params, query, title, rows }: ExportAsked) {
  if (rows <= sentAtOnce) return null;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('export'), ${user.id})`);
  const [made] = await tx
    .insert(e)
    .values({ user_id: user.id, path, params, query, title, rows })
    .onConflictDoNothing()
    .returning({ id: e.id });
  if (made) {
    const [known] = await tx
      .select({ many: count() })
      .from(e)
      .where(and(eq(e.user_id, user.id), isNull(e.ended_at)));
    if (known!.many > mostWaiting) throw tooManyWaiting(mostWaiting);
    // Sequential, because an export keeps a connection and a core busy.
    await enqueue(tx, making, { id: made.id }, { queue: 'exports', attempts: tries, key: `export:${made.id}` });
    changed(tx, 'export', [user.id]);
  }
  return exportLater(title, rows);
}
