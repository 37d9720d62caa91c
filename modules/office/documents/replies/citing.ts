import { and, desc, eq, isNotNull, or, sql } from 'drizzle-orm';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { link, unlink } from '#modules/platform/links/service.ts';
import { refuseArchived } from '../archive/state.ts';
import { noAnswerWanted } from '../contract/refusals.ts';
import { type Answering, docType, secretLevel } from '../contract/shapes.ts';
import { docs, recordModule, type DocumentViewer } from '../record/record.ts';
import { documentTable } from '../tables.ts';
import { isOffice } from '../visibility/office.ts';
import type { Stored } from '../visibility/visibility.ts';
import { unansweredAmong, wantsAnswer } from './replies.ts';

/** The document that one answers; null if there is none, or the reader does not see it. */
export async function answered(tx: Db, { reply_to_id }: Pick<Stored, 'reply_to_id'>, viewer: DocumentViewer) {
  const found = reply_to_id === null ? undefined : await docs.find(tx, viewer, reply_to_id);
  return found ? { id: found.id, title: found.title, number: found.doc_number || found.receipt_no } : null;
}

/** Updates the link from the answered document to its answer. */
export async function linkAnswer(tx: Db, user: { id: number }, before: number | null, doc: Stored): Promise<void> {
  if (before === doc.reply_to_id) return;
  const to = { module: recordModule, id: doc.id };
  await unlink(tx, to, 'reply');
  if (doc.reply_to_id !== null)
    await link(tx, { from: { module: recordModule, id: doc.reply_to_id }, to, type: 'reply', userId: user.id });
}

const states: Readonly<Record<number, string>> = { 2: '已修订', 3: '已废止' };

/** Warnings of papers cited in the body that are no longer in force. */
export async function outdatedWarnings(tx: Db, doc: Stored, { user }: DocumentViewer): Promise<string[]> {
  const text = textOf(doc.body_html);
  if (!/[号《]/.test(text)) return [];
  const papers = await tx.services.product.papers.outdatedIn(tx, user, text);
  return papers.map(({ title, fwh, status }) => `正文引用的《${title}》${fwh && `（${fwh}）`}${states[status] ?? ''}`);
}

/** True for the author of the request, and for the office. */
export const mayNoteAnswer = ({ creator_id }: Pick<Stored, 'creator_id'>, user: Viewer) =>
  creator_id === user.id || isOffice(user);

/** Records an answer to a request that was given orally or by other means. */
export async function noteAnswer(tx: Db, user: Viewer, doc: Stored, answerNote: string): Promise<void> {
  if (!mayNoteAnswer(doc, user)) throw forbidden('登记答复情况');
  await refuseArchived(tx, doc.id);
  // Requests closed before the rule existed can still be answered.
  if (!wantsAnswer(doc) && !(await unansweredAmong(tx, [doc.id])).has(doc.id)) throw noAnswerWanted();
  await docs.set(tx, doc, { answer_note: answerNote });
}

const shown = 50;
/**
 * The latest answers to a document that the reader sees, and whether there are more. The author of the request sees all of them listed,
 * though they may not open each.
 */
export async function repliesTo(
  tx: Db,
  { id, creator_id }: Stored,
  viewer: DocumentViewer,
): Promise<{ replies: Answering[]; more_replies: boolean }> {
  const { id: own, title, doc_type, doc_number, receipt_no, reply_to_id } = documentTable;
  const { is_deleted, secret_level, submitted_at } = documentTable;
  const told = and(eq(is_deleted, false), eq(secret_level, secretLevel.none), isNotNull(submitted_at));
  const visible = docs.visible(tx, viewer);
  const rows = await tx
    .select({ id: own, title, doc_type, doc_number, receipt_no, opens: sql<boolean>`coalesce(${visible}, false)` })
    .from(documentTable)
    .where(and(creator_id === viewer.user.id ? or(visible, told) : visible, eq(reply_to_id, id)))
    .orderBy(desc(own))
    .limit(shown + 1);
  const replies = rows.slice(0, shown).map((row) => ({
    id: row.id,
    title: row.title,
    doc_type_name: docType.label(row.doc_type),
    number: row.doc_number || row.receipt_no,
    opens: row.opens,
  }));
  return { replies, more_replies: rows.length > shown };
}
