import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { link, unlink } from '#modules/links/service.ts';
import type { TicketViewer } from '#modules/tickets/service.ts';
import { visible, type Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

const module = 'documents';

/** The document that one answers; null where there is none, or the reader does not see it. */
export async function answered(tx: Db, { reply_to_id: replyToId }: Pick<Stored, 'reply_to_id'>, viewer: TicketViewer) {
  if (replyToId === null) return null;
  const { id, title, doc_number: docNumber, receipt_no: receiptNo } = documentTable;
  const [found] = await tx
    .select({ id, title, docNumber, receiptNo })
    .from(documentTable)
    .where(and(eq(id, replyToId), visible(tx, viewer)));
  return found ? { id: found.id, title: found.title, number: found.docNumber || found.receiptNo } : null;
}

/** Keeps the link from what is answered to its answer as the document says it. */
export async function linkAnswer(tx: Db, user: { id: number }, before: number | null, doc: Stored): Promise<void> {
  if (before === doc.reply_to_id) return;
  const to = { module, id: doc.id };
  await unlink(tx, to, 'reply');
  if (doc.reply_to_id !== null)
    await link(tx, { from: { module, id: doc.reply_to_id }, to, type: 'reply', userId: user.id });
}

const states: Readonly<Record<number, string>> = { 2: '已修订', 3: '已废止' };

/** Papers that the body cites and that are out of force, in words. */
export async function outdatedWarnings(tx: Db, doc: Stored, { user }: TicketViewer): Promise<string[]> {
  const text = textOf(doc.body_html);
  if (!/[号《]/.test(text)) return [];
  const papers = await tx.services.product.papers.outdatedIn(tx, user, text);
  return papers.map(({ title, fwh, status }) => `正文引用的《${title}》${fwh && `（${fwh}）`}${states[status] ?? ''}`);
}
