import { and, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { callBackNews } from '#modules/platform/messages/service.ts';
import { withdrawTodosOf, module } from './publishing.ts';
import { managedBy } from './visibility.ts';
import { documentNoticeReadTable, documentNoticeTable } from './tables.ts';

/** Marks a notice as read by a person. Idempotent; returns the time of the first reading. */
export async function readNotice(tx: Db, userId: number, id: number): Promise<string> {
  const [made] = await tx
    .insert(documentNoticeReadTable)
    .values({ notice_id: id, user_id: userId })
    .onConflictDoNothing()
    .returning({ at: documentNoticeReadTable.read_time });
  if (made) {
    await tx
      .update(documentNoticeTable)
      .set({ read: sql`${documentNoticeTable.read} + 1` })
      .where(eq(documentNoticeTable.id, id));
    await withdrawTodosOf(tx, id, [userId]);
    return made.at;
  }
  const [kept] = await tx
    .select({ at: documentNoticeReadTable.read_time })
    .from(documentNoticeReadTable)
    .where(and(eq(documentNoticeReadTable.notice_id, id), eq(documentNoticeReadTable.user_id, userId)));
  return kept!.at;
}

/** Removes a notice for everybody; its reading figures stay in the log. */
export async function removeNotice(tx: Db, user: Viewer, id: number): Promise<string> {
  const [gone] = await tx
    .update(documentNoticeTable)
    .set({ is_deleted: true, version: sql`${documentNoticeTable.version} + 1` })
    .where(and(eq(documentNoticeTable.id, id), eq(documentNoticeTable.is_deleted, false), managedBy(user)))
    .returning({ title: documentNoticeTable.title });
  if (!gone) throw absent('通知');
  await withdrawTodosOf(tx, id);
  await callBackNews(tx, { module, objectId: id });
  return gone.title;
}
