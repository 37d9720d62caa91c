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

/** A request is done with once somebody has answered it. */
export async function refuseUnanswered(tx: Db, { id, docType }: Stored): Promise<void> {
  if (docType === request && (await tx.$count(documentTable, answers(id))) === 0) throw replyWanted();
}

/** Those that answer a document, as far as the reader sees them. */
export async function repliesTo(tx: Db, { id }: Stored, looker: Looker): Promise<Answering[]> {
  const rows = await tx
    .select({
      id: documentTable.id,
      title: documentTable.title,
      docType: documentTable.docType,
      docNumber: documentTable.docNumber,
      receiptNo: documentTable.receiptNo,
    })
    .from(documentTable)
    .where(and(visible(tx, looker), eq(documentTable.replyToId, id)))
    .orderBy(documentTable.id);
  return rows.map(({ docType, docNumber, receiptNo, ...row }) => ({
    ...row,
    doc_type_name: docTypes[docType] ?? '',
    number: docNumber || receiptNo,
  }));
}
