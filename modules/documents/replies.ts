import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { Looker } from '#modules/tickets/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { replyWanted } from './contract/refusals.ts';
import { docTypes, request, type Answering } from './contract/shapes.ts';
import { receiving } from './rules.ts';
import { alive, visible, type Stored } from './sight.ts';
import { documentTable } from './tables.ts';

/** Those that answer a document and are out: a letter that has its number, or one that came in. */
const answers = (id: number) =>
  and(
    alive,
    eq(documentTable.replyToId, id),
    or(
      and(eq(documentTable.docKind, receiving), ne(documentTable.receiptNo, ''), ne(documentTable.actState, actState.draft)),
      and(ne(documentTable.docNumber, ''), inArray(documentTable.actState, [actState.ongoing, actState.finished, actState.finishAsked, actState.closed])),
    ),
  );

/** A request is done with once somebody has answered it. */
export async function refuseUnanswered(tx: Db, { id, docType }: Stored): Promise<void> {
  if (docType === request && (await tx.$count(documentTable, answers(id))) === 0) throw replyWanted();
}

/** The letter a document answers and those that answer it, as far as the reader sees them. */
export async function answeringOf(tx: Db, { id, replyToId }: Stored, looker: Looker): Promise<{ reply_to: Answering | null; replies: Answering[] }> {
  const rows = await tx
    .select({
      id: documentTable.id,
      title: documentTable.title,
      docType: documentTable.docType,
      docNumber: documentTable.docNumber,
      receiptNo: documentTable.receiptNo,
      replyToId: documentTable.replyToId,
    })
    .from(documentTable)
    .where(
      and(
        visible(tx, looker),
        replyToId === null ? eq(documentTable.replyToId, id) : or(eq(documentTable.replyToId, id), eq(documentTable.id, replyToId)),
      ),
    )
    .orderBy(documentTable.id);
  const shown = rows.map((row) => ({
    id: row.id,
    title: row.title,
    doc_type_name: docTypes[row.docType] ?? '',
    number: row.docNumber || row.receiptNo,
    answers: row.replyToId === id,
  }));
  const strip = ({ answers: _answers, ...one }: (typeof shown)[number]): Answering => one;
  const [asked] = shown.filter((one) => one.id === replyToId);
  return { reply_to: asked ? strip(asked) : null, replies: shown.filter((one) => one.answers).map(strip) };
}
