import { and, eq, gt, isNull, sql, type SQLWrapper } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { batchState, confirmFrom } from '../contract/labels.ts';
import { smsBatchTable as batch } from '../tables.ts';

/** A text without what is changed to make it look like another: widths, blanks, punctuation. */
const plain = (text: SQLWrapper) =>
  sql`translate(lower(normalize(${text}, NFKC)), E' \\t\\n\\r,.!?;:()<>-_~*、。…·—“”‘’《》【】', '')`;

/** To how many numbers somebody let the same text go within a day without a second person. */
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

/** Whether a text to so many numbers more waits for a second person; what one sender sends at the same moment is looked at one after the other. */
export async function waitsForSecond(
  tx: Db,
  { senderId, content, numbers }: { senderId: number; content: string; numbers: number },
): Promise<boolean> {
  if (numbers > confirmFrom) return true;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('sms said', ${senderId}::int))`);
  return numbers + (await saidAlready(tx, senderId, content)) > confirmFrom;
}
