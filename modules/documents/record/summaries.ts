import { eq, inArray, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { TicketViewer } from '#modules/tickets/service.ts';
import { actStateNames } from '#modules/workflows/engine/codes.ts';
import { docTypes, levels, secretLevels } from '../contract/shapes.ts';
import { voided } from '../visibility/recipient-view.ts';
import { visible, type Stored } from '../visibility/visibility.ts';
import { documentTable } from '../tables.ts';

/** What others show of a document they refer to. */
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

/** Whether a document is through, so that it may be given out: approved, and not revoked since. */
export const isThrough = ({ approved, voided }: Pick<Stored, 'approved' | 'voided'>) => approved && !voided;
/** Where it stands, in a word. */
export const stateName = ({ actState, voided: isVoid }: Pick<Stored, 'actState' | 'voided'>) =>
  isVoid ? voided : actStateNames[actState as 0];

/** Heads by id, whoever asks: the caller has asked whether they may be seen. */
export async function headsOfDocuments(tx: Db, ids: readonly number[]): Promise<Map<number, DocumentHead>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      id: documentTable.id,
      title: documentTable.title,
      docType: documentTable.docType,
      docNumber: documentTable.docNumber,
      receiptNo: documentTable.receiptNo,
      level: documentTable.level,
      secretLevel: documentTable.secretLevel,
    })
    .from(documentTable)
    .where(sql`${documentTable.id} = any(${sql.param([...ids])}::int[])`);
  return new Map(
    rows.map(({ docType, docNumber, receiptNo, secretLevel, ...row }) => [
      row.id,
      {
        ...row,
        doc_type_name: docTypes[docType] ?? '',
        doc_number: docNumber || receiptNo,
        level_name: levels[row.level as 0],
        secret_level: secretLevel,
        secret_level_name: secretLevels[secretLevel as 0],
      },
    ]),
  );
}

const among = (tx: Db, column: AnyColumn, where: SQL | undefined): SQL =>
  inArray(column, tx.select({ id: documentTable.id }).from(documentTable).where(where));

/** Rows whose document a person may see. */
export const ofDocuments = (tx: Db, column: AnyColumn, viewer: TicketViewer): SQL =>
  among(tx, column, visible(tx, viewer));

/** Rows whose document is found by what a search box holds; says nothing of who may see it. */
export const ofFoundDocuments = (tx: Db, column: AnyColumn, value: string): SQL | undefined =>
  value.trim() === '' ? undefined : among(tx, column, matches(documentTable.search, value));

/** Rows whose document somebody drafted. */
export const ofOwnDocuments = (tx: Db, column: AnyColumn, user: { id: number }): SQL =>
  among(tx, column, eq(documentTable.creatorId, user.id));

/** Rows whose document is not secret: what may leave by a sheet. */
export const ofOpenDocuments = (tx: Db, column: AnyColumn): SQL => among(tx, column, eq(documentTable.secretLevel, 0));
