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
/** Of which contract and kind the new entry is, and who registers it. */
interface Of {
  contract_id: number;
  kind: number;
  viewer: RecordViewer;
}

/**
 * Asks about a voucher, an invoice or a file that stands for another entry of the same kind, which nobody took back, however it is
 * typed. Invoices and files are of all contracts; numbers of vouchers begin anew each year. Of a contract that is not for whoever
 * registers, no more is told than that there is one.
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

/** The first entry of a kind that a condition names and nobody took back, one that the viewer sees before others; null is told of those. */
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
