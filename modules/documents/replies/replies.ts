import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Turn } from '#modules/tickets/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { replyWanted } from '../contract/refusals.ts';
import { request } from '../contract/shapes.ts';
import { receiving } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

/** Kinds of letter that answer: 批复, 函. */
const answering = [12, 14];
/** Those that answer a document and are out: a letter that has its number, or one that came in; none that was given up or is void. */
const answers = (id: number) =>
  and(
    eq(documentTable.is_deleted, false),
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
export const wantsAnswer = ({ doc_type, doc_kind, act_state: now, approved, is_void }: Asking): boolean =>
  doc_type === request &&
  !is_void &&
  now !== actState.closed &&
  (approved || (doc_kind === receiving && now === actState.ongoing));

/** A request is done with once somebody has answered it. `doc` as it was before the turn. */
export async function refuseUnanswered(tx: Db, doc: Stored, { state }: Turn): Promise<void> {
  const asksToEnd = state.act_state === actState.finishAsked && doc.act_state !== actState.finishAsked;
  const ends = state.act_state === actState.closed && !state.voided;
  if (!wantsAnswer(doc) || doc.answer_note !== '' || !(asksToEnd || ends)) return;
  if ((await tx.$count(documentTable, answers(doc.id))) === 0) throw replyWanted();
}
