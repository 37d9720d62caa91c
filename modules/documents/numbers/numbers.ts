import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { nextNumber } from '#kernel/server/db/numbering.ts';
import { numberBookTable, numberRuleTable } from '../tables.ts';

/** `校发〔2026〕1号`: hexagonal brackets, the whole year, a plain number. */
export const numberText = (agency: string, year: number, seq: number) => `${agency}〔${year}〕${seq}号`;

/**
 * Gives a document the next number of a rule in a year. The rule's row is locked until the transaction ends, so that parallel
 * documents wait and no number is given twice or left out; what is void is not given again.
 */
export async function giveNumber(
  tx: Db,
  { ruleId, year, documentId }: { ruleId: number; year: number; documentId: number },
): Promise<string | null> {
  const [rule] = await tx
    .select({ agency: numberRuleTable.agency_code, start: numberRuleTable.start_no })
    .from(numberRuleTable)
    .where(and(eq(numberRuleTable.id, ruleId), eq(numberRuleTable.is_deleted, false)))
    .for('no key update');
  if (!rule) return null;
  const [last] = await tx
    .select({ seq: sql<number>`coalesce(max(${numberBookTable.seq}), 0)::int` })
    .from(numberBookTable)
    .where(and(eq(numberBookTable.rule_id, ruleId), eq(numberBookTable.year, year)));
  const seq = Math.max(rule.start, (last?.seq ?? 0) + 1);
  await tx.insert(numberBookTable).values({ rule_id: ruleId, year, seq, document_id: documentId });
  return numberText(rule.agency, year, seq);
}

/** Makes the number of a document void; nothing where it has none. */
export async function voidNumberOf(tx: Db, documentId: number, reason: string, by: number | null): Promise<void> {
  await tx
    .update(numberBookTable)
    .set({ state: 3, reason, voided_by: by, voided_at: sql`now()` })
    .where(and(eq(numberBookTable.document_id, documentId), eq(numberBookTable.state, 1)));
}

/** `收〔2026〕12号`, counted through the year. */
export async function receiptNumber(tx: Db, year: number): Promise<string> {
  return numberText('收', year, await nextNumber(tx, 'receipt', 'document', String(year)));
}
