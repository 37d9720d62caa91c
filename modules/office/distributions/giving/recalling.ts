import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { headsOfDocuments } from '#modules/office/documents/service.ts';
import { copyState } from '../contract/list.ts';
import { mayNotRecall, recalledBefore, secretNotTexted } from '../contract/refusals.ts';
import { requireStanding } from '../reading/reading.ts';
import type { Seen } from '../rows.ts';
import { mayRecall } from '../visibility.ts';
import { distEventTable, distTable, distUserTable } from '../tables.ts';
import { calledBack, settled, urgeReaders, type Announcement } from './notify.ts';

/** Locks the distribution; refuses if the person may not recall it or it does not stand any more. */
async function held(tx: Db, user: Viewer, { row, managed }: Seen) {
  if (!managed || !mayRecall(user, row)) throw mayNotRecall();
  const dist = await requireStanding(tx, row.id);
  if (dist) return dist;
  const [gone] = await tx.select({ at: distTable.recalled_at }).from(distTable).where(eq(distTable.id, row.id));
  throw recalledBefore(gone?.at ?? '');
}

/** Recalls a distribution: it no longer opens the document to anybody; who has read it stays recorded. */
export async function recall(tx: Db, user: Viewer, seen: Seen, reason: string): Promise<void> {
  const { id, document_id: documentId } = await held(tx, user, seen);
  await tx
    .update(distTable)
    .set({ recalled_at: sql`now()`, recalled_by: user.id, version: sql`${distTable.version} + 1` })
    .where(eq(distTable.id, id));
  const copies = await tx
    .update(distUserTable)
    .set({ state: copyState.recalled })
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

/** Urges those who have not read it, each at most once in two hours; returns how many were urged. */
export async function urge(
  tx: Db,
  { user, seen }: { user: Viewer; seen: Seen },
  { content, sms }: { content: string; sms: boolean },
): Promise<number> {
  const dist = await held(tx, user, seen);
  const announcement = announcementOf(dist, await headsOfDocuments(tx, [dist.document_id]));
  if (sms && announcement.document.secret_level > secretLevel.none) throw secretNotTexted();
  const late = await unreadOf(tx, dist.id);
  const people = await urgeReaders(tx, announcement, { people: late, content, senderId: user.id, sms });
  await tx.insert(distEventTable).values({
    dist_id: dist.id,
    document_id: dist.document_id,
    kind: 'urge',
    actor_id: user.id,
    people: people.length,
    content,
  });
  return people.length;
}

/** The distribution with the words about its document that messages use. */
export function announcementOf(
  dist: typeof distTable.$inferSelect,
  heads: Awaited<ReturnType<typeof headsOfDocuments>>,
): Announcement {
  const head = heads.get(dist.document_id);
  if (!head) throw new Error(`document ${dist.document_id} is missing`);
  return { ...dist, document: { title: head.title, secret_level: head.secret_level } };
}

/** Condition: the copy was not read. */
export const unread = and(eq(distUserTable.state, copyState.unread), isNull(distUserTable.read_time))!;

async function unreadOf(tx: Db, distId: number): Promise<number[]> {
  const rows = await tx
    .select({ id: distUserTable.user_id })
    .from(distUserTable)
    .where(and(eq(distUserTable.dist_id, distId), unread));
  return rows.map((row) => row.id);
}
