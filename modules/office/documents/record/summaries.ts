import { eq, inArray, type AnyColumn, type SQL } from 'drizzle-orm';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { TicketViewer } from '#modules/workflow/tickets/service.ts';
import { docLevel, docType, secretLevel } from '../contract/shapes.ts';
import { documentTable } from '../tables.ts';
import { docs } from './record.ts';

/** A document as other modules show it. */
export interface DocumentHead {
  id: number;
  title: string;
  doc_type_name: string;
  doc_number: string;
  level: number;
  level_name: string;
  secret_level: number;
  secret_level_name: string;
}

/** Document summaries by id, without checking rights: the caller has done so. */
export async function headsOfDocuments(tx: Db, ids: readonly number[]): Promise<Map<number, DocumentHead>> {
  if (ids.length === 0) return new Map();
  const { id, title, doc_type, doc_number, receipt_no, level, secret_level } = documentTable;
  const rows = await tx
    .select({ id, title, doc_type, doc_number, receipt_no, level, secret_level })
    .from(documentTable)
    .where(isAmong(id, ids));
  return new Map(
    rows.map(({ receipt_no: received, ...row }) => [
      row.id,
      {
        ...row,
        doc_type_name: docType.label(row.doc_type),
        doc_number: row.doc_number || received,
        level_name: docLevel.label(row.level),
        secret_level_name: secretLevel.label(row.secret_level),
      },
    ]),
  );
}

const among = (tx: Db, column: AnyColumn, where: SQL | undefined): SQL =>
  inArray(column, tx.select({ id: documentTable.id }).from(documentTable).where(where));

/** Condition: the row's document is visible to the person. */
export const ofDocuments = (tx: Db, column: AnyColumn, tickets: TicketViewer): SQL =>
  among(tx, column, docs.visible(tx, { user: tickets.user, tickets }));

/** Condition: the row's document matches a search; does not check rights. */
export const ofFoundDocuments = (tx: Db, column: AnyColumn, value: string): SQL | undefined =>
  value.trim() === '' ? undefined : among(tx, column, matches(documentTable.search, value));

/** Condition: the user drafted the row's document. */
export const ofOwnDocuments = (tx: Db, column: AnyColumn, user: { id: number }): SQL =>
  among(tx, column, eq(documentTable.creator_id, user.id));

/** Condition: the row's document is not secret, so it may be exported. */
export const ofOpenDocuments = (tx: Db, column: AnyColumn): SQL =>
  among(tx, column, eq(documentTable.secret_level, secretLevel.none));
