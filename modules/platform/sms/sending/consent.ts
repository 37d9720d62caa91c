import { and, eq, gt, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { batchState, confirmFrom } from '../contract/labels.ts';
import { smsBatchTable as batch } from '../tables.ts';

/** Normalises widths, blanks and punctuation, so that a slightly changed text counts as the same. */
const plain = (text: SQLWrapper) =>
  sql`translate(lower(normalize(${text}, NFKC)), E' \\t\\n\\r,.!?;:()<>-_~*、。…·—“”‘’《》【】', '')`;

/** The number of recipients to whom somebody sent the same text within a day without approval. */
export async function saidAlready(tx: Db, senderId: number, content: string): Promise<number> {
  const [row] = await tx
    .select({ said: sql<number>`coalesce(sum(${batch.total}), 0)::int` })
    .from(batch)
    .where(
      and(
        eq(batch.sender_id, senderId),
        gt(batch.gmt_created, sql`now() - interval '1 day'`),
        eq(batch.state, batchState.released),
        isNull(batch.released_by),
        eq(plain(batch.content), plain(sql`${content}::text`)),
      ),
    );
  return row?.said ?? 0;
}

/** True if a text to further numbers needs approval; concurrent batches of one sender are checked one after the other. */
export async function waitsForSecond(
  tx: Db,
  { senderId, content, numbers }: { senderId: number; content: string; numbers: number },
): Promise<boolean> {
  if (numbers > confirmFrom) return true;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('sms said', ${senderId}::int))`);
  return numbers + (await saidAlready(tx, senderId, content)) > confirmFrom;
}
