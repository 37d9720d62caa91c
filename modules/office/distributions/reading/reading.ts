import { and, eq, isNull, sql } from 'drizzle-orm';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { copyState } from '../contract/list.ts';
import { distEventTable, distTable, distUserTable } from '../tables.ts';
import { settled } from '../giving/notify.ts';

/** Locks the row of a distribution that still stands, before any of its copies, in the order that recalling uses. */
export async function requireStanding(tx: Db, id: number): Promise<typeof distTable.$inferSelect | undefined> {
  const [dist] = await tx
    .select()
    .from(distTable)
    .where(and(eq(distTable.id, id), isNull(distTable.recalled_at)))
    .for('no key update');
  return dist;
}

/** Marks a person's copy as read and stores their reply. Idempotent. Returns its state and its document. */
export async function readCopy(
  tx: Db,
  userId: number,
  { id, client, reply }: { id: number; client: string; reply: string },
): Promise<{ state: number; documentId: number }> {
  const dist = await requireStanding(tx, id);
  const mine = and(eq(distUserTable.dist_id, id), eq(distUserTable.user_id, userId));
  const [copy] = dist ? await tx.select().from(distUserTable).where(mine) : [];
  if (!dist || !copy || copy.state === copyState.recalled) throw absent('分发');
  const state = reply ? copyState.replied : Math.max(copy.state, copyState.read);
  const first = copy.read_time === null;
  const { document_id: documentId } = dist;
  if (!first && !reply) return { state, documentId };
  await tx
    .update(distUserTable)
    .set({
      state,
      ...(first ? { read_time: sql`now()`, read_client: client.slice(0, 300) } : {}),
      ...(reply ? { reply, reply_time: sql`now()` } : {}),
    })
    .where(mine);
  const replies = reply !== '' && copy.reply_time === null;
  if (first || replies)
    await tx
      .update(distTable)
      .set({
        read: sql`${distTable.read} + ${first ? 1 : 0}::int`,
        replied: sql`${distTable.replied} + ${replies ? 1 : 0}::int`,
      })
      .where(eq(distTable.id, id));
  if (reply)
    await tx
      .insert(distEventTable)
      .values({ dist_id: id, document_id: documentId, kind: 'reply', actor_id: userId, content: reply });
  if (first) await settled(tx, id, [userId]);
  return { state, documentId };
}

/** Marks a copy as read on opening; one that was recalled meanwhile stays as it is. */
export async function readOnOpening(tx: Db, userId: number, id: number, client: string): Promise<void> {
  await readCopy(tx, userId, { id, client, reply: '' }).catch((stop: unknown) => {
    if (!(stop instanceof Refusal)) throw stop;
  });
}
