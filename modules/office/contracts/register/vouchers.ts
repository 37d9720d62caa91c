import { and, desc, eq, inArray, isNull, ne, notExists, or, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { plainCode } from '#kernel/contract/words/plainly.ts';
import { plainCodeSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { heldBy } from '#modules/platform/files/service.ts';
import type { InputOf } from '../contract/performing/register.ts';
import * as refusals from '../contract/refusals.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { contracts, module } from '../record/record.ts';
import { contractEntryTable, contractPerformanceTable, contractTable } from '../tables.ts';

const entry = contractEntryTable;
/** The contract and kind of the new entry, and its user. */
interface Of {
  contract_id: number;
  kind: number;
  viewer: RecordViewer;
}

/**
 * Asks for confirmation if a voucher, invoice or file belongs to another unreversed entry of the same kind, in any spelling. Invoices and
 * files are compared across all contracts, numbers of vouchers within a year. Of a contract hidden from the user, only the existence is
 * disclosed.
 */
export async function refuseSameVoucher(
  tx: Db,
  of: Of,
  { voucher_no, invoice_no, files, date }: Pick<InputOf<'performance'>, 'voucher_no' | 'invoice_no' | 'files' | 'date'>,
): Promise<void> {
  const year = sql`extract(year from ${entry.date}) = ${Number(date.slice(0, 4))}`;
  if (voucher_no !== '') {
    const found = await standing(
      tx,
      of,
      and(sameCode(entry.voucher_no, voucher_no), or(eq(entry.contract_id, of.contract_id), year)),
    );
    if (found !== undefined) throw refusals.sameVoucher('凭证号', voucher_no, found);
  }
  if (invoice_no !== '') {
    const found = await standing(tx, of, sameCode(entry.invoice_no, invoice_no));
    if (found !== undefined) throw refusals.sameVoucher('发票号', invoice_no, found);
  }
  for (const { name, held, records } of await heldBy(tx, module, files)) {
    const which = and(inArray(entry.contract_id, records), sql`${entry.files} && ${sql.param(held)}::int[]`);
    const found = await standing(tx, of, which);
    if (found !== undefined) throw refusals.sameFile(name, found);
  }
}

const sameCode = (column: AnyColumn, typed: string) =>
  and(ne(column, ''), sql`${plainCodeSql(sql`${column}`)} = ${plainCode(typed)}`);

/** The first matching entry that is not reversed, visible ones first; null for a hidden one. */
async function standing(tx: Db, of: Of, which: SQL | undefined): Promise<refusals.Known | null | undefined> {
  const back = alias(entry, 'back');
  const seen = sql<boolean>`(${contracts.visible(tx, of.viewer)})`;
  const [found] = await tx
    .select({
      date: entry.date,
      amount: entry.amount,
      node: contractPerformanceTable.name,
      contract_id: entry.contract_id,
      no: contractTable.contract_no,
      seen,
    })
    .from(entry)
    .innerJoin(contractPerformanceTable, eq(contractPerformanceTable.id, entry.performance_id))
    .innerJoin(contractTable, eq(contractTable.id, entry.contract_id))
    .where(
      and(
        which,
        eq(contractPerformanceTable.kind, of.kind),
        isNull(entry.reverses_id),
        notExists(tx.select({ id: back.id }).from(back).where(eq(back.reverses_id, entry.id))),
      ),
    )
    .orderBy(desc(seen), entry.id)
    .limit(1);
  if (!found) return undefined;
  if (!found.seen) return null;
  const where = found.contract_id === of.contract_id ? found.node : `合同 ${found.no} 的${found.node}`;
  return { date: found.date, amount: found.amount ?? 0, where };
}
