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
export const isThrough = ({ approved, is_void: voided }: Pick<Stored, 'approved' | 'is_void'>) => approved && !voided;
/** Where it stands, in a word. */
export const stateName = ({ act_state: actState, is_void: isVoid }: Pick<Stored, 'act_state' | 'is_void'>) =>
  isVoid ? voided : actStateNames[actState as 0];

/** Heads by id, whoever asks: the caller has asked whether they may be seen. */
export async function headsOfDocuments(tx: Db, ids: readonly number[]): Promise<Map<number, DocumentHead>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      id: documentTable.id,
      title: documentTable.title,
      doc_type: documentTable.doc_type,
      doc_number: documentTable.doc_number,
      receipt_no: documentTable.receipt_no,
      level: documentTable.level,
      secret_level: documentTable.secret_level,
    })
    .from(documentTable)
    .where(sql`${documentTable.id} = any(${sql.param([...ids])}::int[])`);
  return new Map(
    rows.map(
      ({ doc_type: docType, doc_number: docNumber, receipt_no: receiptNo, secret_level: secretLevel, ...row }) => [
        row.id,
        {
          ...row,
          doc_type_name: docTypes[docType] ?? '',
          doc_number: docNumber || receiptNo,
          level_name: levels[row.level as 0],
          secret_level: secretLevel,
          secret_level_name: secretLevels[secretLevel as 0],
        },
      ],
    ),
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
  among(tx, column, eq(documentTable.creator_id, user.id));

/** Rows whose document is not secret: what may leave by a sheet. */
export const ofOpenDocuments = (tx: Db, column: AnyColumn): SQL => among(tx, column, eq(documentTable.secret_level, 0));
