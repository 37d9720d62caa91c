import { and, eq, exists, inArray, ne, notExists, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Turn } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { replyWanted } from '../contract/refusals.ts';
import { request } from '../contract/shapes.ts';
import { receiving } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

/** Types of letter that answer: 批复, 函. */
const answering = [12, 14];
const answer = alias(documentTable, 'answer');
/** The issued answers to a document: letters with a number, or received ones; without void or abandoned ones. */
const answersTo = (tx: Db, id: AnyColumn | number) =>
  tx
    .select({ id: answer.id })
    .from(answer)
    .where(
      and(
        eq(answer.is_deleted, false),
        eq(answer.reply_to_id, id),
        inArray(answer.doc_type, answering),
        eq(answer.is_void, false),
        or(ne(answer.act_state, actState.closed), eq(answer.approved, true)),
        or(
          and(eq(answer.doc_kind, receiving), ne(answer.receipt_no, ''), ne(answer.act_state, actState.draft)),
          and(
            ne(answer.doc_number, ''),
            inArray(answer.act_state, [actState.ongoing, actState.finished, actState.finishAsked, actState.closed]),
          ),
        ),
      ),
    )
    .limit(1);

/** Condition: a finished request without an answer, which counts as open. */
export const unanswered = (tx: Db): SQL<boolean> => {
  const { id, doc_type, approved, is_void, answer_note } = documentTable;
  return sql<boolean>`(${doc_type} = ${request} and ${approved} and not ${is_void} and ${answer_note} = ''
    and ${notExists(answersTo(tx, id))})`;
};

/** The same for the document of a ticket. */
export const unansweredTicket = (tx: Db, ticket: AnyColumn): SQL =>
  exists(
    tx
      .select({ id: documentTable.id })
      .from(documentTable)
      .where(and(eq(documentTable.ticket_id, ticket), unanswered(tx))),
  );

/** The state name of a request without an answer, whatever the state of its ticket. */
export const waiting = '待答复';
const waitingName = (state: number) => (state === actState.closed ? '已关闭（未答复）' : waiting);

/** The requests without an answer among the given documents, with their state names. */
export async function unansweredAmong(tx: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const { id, act_state } = documentTable;
  const rows = await tx
    .select({ id, act_state })
    .from(documentTable)
    .where(and(isAmong(id, ids), unanswered(tx)));
  return new Map(rows.map((row) => [row.id, waitingName(row.act_state)]));
}

type Asking = Pick<Stored, 'doc_type' | 'doc_kind' | 'act_state' | 'approved' | 'is_void'>;
/** True for a request that needs an answer: issued, or received and being handled. */
export const wantsAnswer = ({ doc_type, doc_kind, act_state: now, approved, is_void }: Asking): boolean =>
  doc_type === request &&
  !is_void &&
  now !== actState.closed &&
  (approved || (doc_kind === receiving && now === actState.ongoing));

/** True for a request without an answer, at any stage. */
export const owesAnswer = async (tx: Db, { id, doc_type, answer_note }: Stored): Promise<boolean> =>
  doc_type === request && answer_note === '' && (await answersTo(tx, id)).length === 0;

/** Refuses to finish a request without an answer. `doc` is the document before the event. */
export async function refuseUnanswered(tx: Db, doc: Stored, { state }: Turn): Promise<void> {
  const asksToEnd = state.act_state === actState.finishAsked && doc.act_state !== actState.finishAsked;
  const ends = state.act_state === actState.closed && !state.voided;
  if (wantsAnswer(doc) && (asksToEnd || ends) && (await owesAnswer(tx, doc))) throw replyWanted();
}
