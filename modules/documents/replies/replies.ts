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
    eq(documentTable.replyToId, id),
    inArray(documentTable.docType, answering),
    eq(documentTable.voided, false),
    or(ne(documentTable.actState, actState.closed), eq(documentTable.approved, true)),
    or(
      and(
        eq(documentTable.docKind, receiving),
        ne(documentTable.receiptNo, ''),
        ne(documentTable.actState, actState.draft),
      ),
      and(
        ne(documentTable.docNumber, ''),
        inArray(documentTable.actState, [actState.ongoing, actState.finished, actState.finishAsked, actState.closed]),
      ),
    ),
  );

type Asking = Pick<Stored, 'docType' | 'docKind' | 'actState' | 'approved' | 'voided'>;
/** A request that is out, or came in and is being handled: somebody owes an answer. */
export const wantsAnswer = ({ docType, docKind, actState: now, approved, voided }: Asking): boolean =>
  docType === request &&
  !voided &&
  now !== actState.closed &&
  (approved || (docKind === receiving && now === actState.ongoing));

/** Whoever asked, and the office. */
export const mayNoteAnswer = ({ creatorId }: Pick<Stored, 'creatorId'>, user: Viewer) =>
  creatorId === user.id || isOffice(user);

/** A request is done with once somebody has answered it. `doc` as it was before the turn. */
export async function refuseUnanswered(tx: Db, doc: Stored, { state }: Turn): Promise<void> {
  const asksToEnd = state.act_state === actState.finishAsked && doc.actState !== actState.finishAsked;
  const ends = state.act_state === actState.closed && !state.voided;
  if (!wantsAnswer(doc) || doc.answerNote !== '' || !(asksToEnd || ends)) return;
  if ((await tx.$count(documentTable, answers(doc.id))) === 0) throw replyWanted();
}

/** Takes down what was answered to a request by word of mouth or otherwise. */
export async function noteAnswer(tx: Db, user: Viewer, doc: Stored, answerNote: string): Promise<void> {
  if (!mayNoteAnswer(doc, user)) throw forbidden('登记答复情况');
  await refuseArchived(tx, doc.id);
  if (!wantsAnswer(doc)) throw noAnswerWanted();
  await tx
    .update(documentTable)
    .set({ answerNote, ...(touched(documentTable) as object) })
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
      docType: documentTable.docType,
      docNumber: documentTable.docNumber,
      receiptNo: documentTable.receiptNo,
    })
    .from(documentTable)
    .where(and(visible(tx, viewer), eq(documentTable.replyToId, id)))
    .orderBy(desc(documentTable.id))
    .limit(shown + 1);
  const replies = rows.slice(0, shown).map(({ docType, docNumber, receiptNo, ...row }) => ({
    ...row,
    doc_type_name: docTypes[docType] ?? '',
    number: docNumber || receiptNo,
  }));
  return { replies, more_replies: rows.length > shown };
}
