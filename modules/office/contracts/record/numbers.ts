import { and, eq, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { nextFreeNumber } from '#kernel/server/db/numbering.ts';
import { nature, numberState } from '../contract/codes.ts';
import { contractNumberTable, contractTable } from '../tables.ts';
import { categoryOf, rulesOf } from './assess.ts';
import type { Stored } from './record.ts';

/**
 * Numbers a contract in the transaction of its final approval: the counter is locked until commit, so numbers of a category and year have
 * no gaps of their own. A supplement is numbered below its contract. Numbers that exist already, imported or under a former code, are
 * skipped, which the book notes.
 */
export async function giveNumber(tx: Db, row: Stored, now: Date): Promise<string> {
  const year = Number(dayOf(now).slice(0, 4));
  const given = row.nature === nature.supplement ? await belowMain(tx, row) : await inCategory(tx, row, year);
  await tx.insert(contractNumberTable).values({ contract_id: row.id, year, ...given });
  return given.contract_no;
}

async function inCategory(tx: Db, row: Stored, year: number) {
  const of = { scope: 'contract', key: String(row.category_id), period: String(year) };
  const given = await nextOf(tx, of, await patternOf(tx, row.category_id, year));
  return { category_id: row.category_id, ...given };
}

/** The prefix of a pattern's numbers, and their minimum digits. */
interface Pattern {
  prefix: string;
  digits: number;
}
/** `GS-CG-2026-0001`. */
export async function patternOf(tx: Db, category: number, year: number): Promise<Pattern> {
  const { code } = await categoryOf(tx, category);
  const { org_code } = await rulesOf(tx);
  return { prefix: `${[org_code, code, year].filter(Boolean).join('-')}-`, digits: 4 };
}

async function nextOf(tx: Db, of: { scope: string; key: string; period: string }, { prefix, digits }: Pattern) {
  const textOf = (no: number) => prefix + String(no).padStart(digits, '0');
  const { no: seq, behind } = await nextFreeNumber(tx, of, async (no) => {
    const [taken] = await namedRows(
      tx,
      sql`select from contract where contract_no = ${textOf(no)} union all select from contract_number where contract_no = ${textOf(no)} limit 1`,
    );
    return taken ? highestOf(tx, prefix) : null;
  });
  const reason = behind === null ? '' : `编号接在已有的 ${textOf(behind)} 之后`;
  return { seq, contract_no: textOf(seq), reason };
}

/** The highest number of a pattern, present or void. */
async function highestOf(tx: Db, prefix: string): Promise<number> {
  const [found] = await namedRows<{ highest: number }>(
    tx,
    sql`select max(no::int) as highest from (
      select substr(contract_no, ${[...prefix].length + 1}::int) as no from (
        select contract_no from contract union all select contract_no from contract_number) known
      where starts_with(contract_no, ${prefix})) of_pattern where no ~ '^[0-9]{1,9}$'`,
  );
  return found!.highest;
}

/** The reason why the number of a contract does not follow the one before; empty if it does. */
export async function jumpOf(tx: Db, contractId: number): Promise<string> {
  const t = contractNumberTable;
  const living = and(eq(t.contract_id, contractId), eq(t.state, numberState.used));
  const [row] = await tx.select({ reason: t.reason }).from(t).where(living);
  return row?.reason ?? '';
}

async function belowMain(tx: Db, row: Stored) {
  const [main] = await tx
    .select({ no: contractTable.contract_no })
    .from(contractTable)
    .where(eq(contractTable.id, row.parent_id!));
  const of = { scope: 'contract-supplement', key: String(row.parent_id), period: '' };
  return { parent_id: row.parent_id, ...(await nextOf(tx, of, { prefix: `${main!.no}-补`, digits: 1 })) };
}

/** Voids the number of a contract; it stays in the book and is never given again. */
export async function voidNumber(tx: Db, contractId: number, reason: string, now: Date): Promise<void> {
  await tx
    .update(contractNumberTable)
    .set({ state: numberState.voided, reason: reason.slice(0, 200) || '作废', voided_at: now.toISOString() })
    .where(and(eq(contractNumberTable.contract_id, contractId), eq(contractNumberTable.state, numberState.used)));
}
