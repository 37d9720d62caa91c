import { and, desc, eq, inArray, ne, or } from 'drizzle-orm';
import { forbidden } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { TicketViewer, Turn } from '#modules/tickets/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { refuseArchived } from '../archive/state.ts';
import { noAnswerWanted, replyWanted } from '../contract/refusals.ts';
import { docTypes, request, type Answering } from '../contract/shapes.ts';
import { receiving } from '../rules/rules.ts';
import { alive, isOffice, visible, type Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

/** Kinds of letter that answer: 批复, 函. */
const answering = [12, 14];
/** Those that answer a document and are out: a letter that has its number, or one that came in; none that was given up or is void. */
const answers = (id: number) =>
  and(
    alive,
    eq(documentTable.reply_to_id, id),
    inArray(documentTable.doc_type, answering),
    eq(documentTable.is_void, false),
    or(ne(documentTable.act_state, actState.closed), eq(documentTable.approved, true)),
    or(
      and(
        eq(documentTable.doc_kind, receiving),
        ne(documentTable.receipt_no, ''),
        ne(documentTable.act_state, actState.draft),
      ),
      and(
        ne(documentTable.doc_number, ''),
        inArray(documentTable.act_state, [actState.ongoing, actState.finished, actState.finishAsked, actState.closed]),
      ),
    ),
  );

type Asking = Pick<Stored, 'doc_type' | 'doc_kind' | 'act_state' | 'approved' | 'is_void'>;
/** A request that is out, or came in and is being handled: somebody owes an answer. */
export const wantsAnswer = ({
  doc_type: docType,
  doc_kind: docKind,
  act_state: now,
  approved,
  is_void: voided,
}: Asking): boolean =>
  docType === request &&
  !voided &&
  now !== actState.closed &&
  (approved || (docKind === receiving && now === actState.ongoing));

/** Whoever asked, and the office. */
export const mayNoteAnswer = ({ creator_id: creatorId }: Pick<Stored, 'creator_id'>, user: Viewer) =>
  creatorId === user.id || isOffice(user);

/** A request is done with once somebody has answered it. `doc` as it was before the turn. */
export async function refuseUnanswered(tx: Db, doc: Stored, { state }: Turn): Promise<void> {
  const asksToEnd = state.act_state === actState.finishAsked && doc.act_state !== actState.finishAsked;
  const ends = state.act_state === actState.closed && !state.voided;
  if (!wantsAnswer(doc) || doc.answer_note !== '' || !(asksToEnd || ends)) return;
  if ((await tx.$count(documentTable, answers(doc.id))) === 0) throw replyWanted();
}

/** Takes down what was answered to a request by word of mouth or otherwise. */
export async function noteAnswer(tx: Db, user: Viewer, doc: Stored, answerNote: string): Promise<void> {
  if (!mayNoteAnswer(doc, user)) throw forbidden('登记答复情况');
  await refuseArchived(tx, doc.id);
  if (!wantsAnswer(doc)) throw noAnswerWanted();
  await tx
    .update(documentTable)
    .set({ answer_note: answerNote, ...touched(documentTable) })
    .where(eq(documentTable.id, doc.id));
}

const shown = 50;
/** Those that answer a document, as far as the reader sees them: the last that came, and whether there are more. */
export async function repliesTo(
  tx: Db,
  { id }: Stored,
  viewer: TicketViewer,
): Promise<{ replies: Answering[]; more_replies: boolean }> {
  const rows = await tx
    .select({
      id: documentTable.id,
      title: documentTable.title,
      doc_type: documentTable.doc_type,
      doc_number: documentTable.doc_number,
      receipt_no: documentTable.receipt_no,
    })
    .from(documentTable)
    .where(and(visible(tx, viewer), eq(documentTable.reply_to_id, id)))
    .orderBy(desc(documentTable.id))
    .limit(shown + 1);
  const replies = rows
    .slice(0, shown)
    .map(({ doc_type: docType, doc_number: docNumber, receipt_no: receiptNo, ...row }) => ({
      ...row,
      doc_type_name: docTypes[docType] ?? '',
      number: docNumber || receiptNo,
    }));
  return { replies, more_replies: rows.length > shown };
}
