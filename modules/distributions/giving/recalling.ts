import { and, eq, isNull, sql } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { headsOfDocuments } from '#modules/documents/service.ts';
import { mayNotRecall, nobodyUnread, recalledBefore, secretNotTexted } from '../contract/refusals.ts';
import { requireStanding } from '../reading/reading.ts';
import type { Seen } from '../rows.ts';
import { mayRecall, recalledState } from '../visibility.ts';
import { distEventTable, distTable, distUserTable } from '../tables.ts';
import { calledBack, remind, settled, type Announcement } from './notify.ts';

const urgeEvery = 2 * 3600;

/** The distribution, locked, where the person may recall it and it still stands. */
async function held(tx: Db, user: Viewer, { row, managed }: Seen) {
  if (!managed || !mayRecall(user, row)) throw mayNotRecall();
  const dist = await requireStanding(tx, row.id);
  if (dist) return dist;
  const [gone] = await tx.select({ at: distTable.recalled_at }).from(distTable).where(eq(distTable.id, row.id));
  throw recalledBefore(gone?.at ?? '');
}

/** Takes a distribution back: nobody sees it or the document by it any more; who has read it stays known. */
export async function recall(tx: Db, user: Viewer, seen: Seen, reason: string): Promise<void> {
  const { id, document_id: documentId } = await held(tx, user, seen);
  await tx
    .update(distTable)
    .set({ recalled_at: sql`now()` as never, recalled_by: user.id, version: sql`${distTable.version} + 1` as never })
    .where(eq(distTable.id, id));
  const copies = await tx
    .update(distUserTable)
    .set({ state: recalledState })
    .where(eq(distUserTable.dist_id, id))
    .returning({ user_id: distUserTable.user_id });
  await tx.insert(distEventTable).values({
    dist_id: id,
    document_id: documentId,
    kind: 'recall',
    actor_id: user.id,
    people: copies.length,
    content: reason,
  });
  await settled(
    tx,
    id,
    copies.map((copy) => copy.user_id),
  );
  await calledBack(tx, id);
}

/** Reminds those who have not read it, each at most once in two hours; answers how many were reminded. */
export async function urge(
  tx: Db,
  { user, now, seen }: { user: Viewer; now: Date; seen: Seen },
  { content, sms }: { content: string; sms: boolean },
): Promise<number> {
  const dist = await held(tx, user, seen);
  const told = await announcementOf(tx, dist);
  if (sms && told.document.secret_level > 0) throw secretNotTexted();
  const unread = and(eq(distUserTable.dist_id, dist.id), eq(distUserTable.state, 0));
  const before = new Date(now.getTime() - urgeEvery * 1000).toISOString();
  const due = await tx
    .update(distUserTable)
    .set({ urged_count: sql`${distUserTable.urged_count} + 1` as never, last_urged_at: now.toISOString() })
    .where(and(unread, sql`coalesce(${distUserTable.last_urged_at}, '-infinity') <= ${before}`))
    .returning({ user_id: distUserTable.user_id });
  if (due.length === 0) {
    const [last] = await tx
      .select({ at: sql<number | null>`min(extract(epoch from ${distUserTable.last_urged_at}))::float8` })
      .from(distUserTable)
      .where(unread);
    if (!last?.at) throw nobodyUnread();
    throw tooMany('催读', last.at + urgeEvery - now.getTime() / 1000);
  }
  const people = due.map((one) => one.user_id);
  await tx.insert(distEventTable).values({
    dist_id: dist.id,
    document_id: dist.document_id,
    kind: 'urge',
    actor_id: user.id,
    people: people.length,
    content,
  });
  await remind(tx, told, { people, content, senderId: user.id, sms });
  return people.length;
}

/** A distribution with what its messages say of the document. */
export async function announcementOf(tx: Db, dist: typeof distTable.$inferSelect): Promise<Announcement> {
  const head = (await headsOfDocuments(tx, [dist.document_id])).get(dist.document_id);
  if (!head) throw new Error(`document ${dist.document_id} is missing`);
  return { ...dist, document: { title: head.title, secret_level: head.secret_level } };
}

/** Ids of those who have not read a distribution. */
export async function unreadOf(tx: Db, distId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: distUserTable.user_id })
    .from(distUserTable)
    .where(and(eq(distUserTable.dist_id, distId), eq(distUserTable.state, 0), isNull(distUserTable.read_time)));
  return rows.map((row) => row.id);
}
