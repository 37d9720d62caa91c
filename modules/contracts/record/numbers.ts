import { and, eq } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { nextNumber } from '#kernel/server/db/numbering.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { nature } from '../contract/codes.ts';
import { contractNumberTable, contractTable } from '../tables.ts';
import { categoryOf, rulesOf } from './assess.ts';
import type { Stored } from './record.ts';

/**
 * Gives a contract its number in the transaction of its last agreement: the counter's row is held until that commits, so numbers of a
 * category and year have no gap. A supplement is counted below its contract.
 */
export async function giveNumber(tx: Db, row: Stored, now: Date): Promise<string> {
  const year = Number(dayOf(now).slice(0, 4));
  const given = row.nature === nature.supplement ? await belowMain(tx, row) : await inCategory(tx, row, year);
  await tx.insert(contractNumberTable).values({ contract_id: row.id, year, ...given });
  return given.contract_no;
}

async function inCategory(tx: Db, row: Stored, year: number) {
  const { code } = await categoryOf(tx, row.category_id);
  const { org_code } = await rulesOf(tx);
  const seq = await nextNumber(tx, 'contract', String(row.category_id), String(year));
  const contract_no = [org_code, code, year, String(seq).padStart(4, '0')].filter(Boolean).join('-');
  return { category_id: row.category_id, seq, contract_no };
}

async function belowMain(tx: Db, row: Stored) {
  const [main] = await tx
    .select({ no: contractTable.contract_no })
    .from(contractTable)
    .where(eq(contractTable.id, row.parent_id!));
  const seq = await nextNumber(tx, 'contract-supplement', String(row.parent_id), '');
  return { parent_id: row.parent_id, seq, contract_no: `${main!.no}-补${seq}` };
}

/** The number of a contract that is void stays in the book, and is never given again. */
export async function voidNumber(tx: Db, contractId: number, reason: string, now: Date): Promise<void> {
  await tx
    .update(contractNumberTable)
    .set({ state: 3, reason: reason.slice(0, 200) || '作废', voided_at: now.toISOString() })
    .where(and(eq(contractNumberTable.contract_id, contractId), eq(contractNumberTable.state, 1)));
}
