import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { nextNumber } from '#kernel/server/db/numbering.ts';
import { numberRuleOff, numberRuleMissing, reservedGone } from '../contract/refusals.ts';
import { bookState } from '../contract/settings.ts';
import { numberBookTable, numberRuleTable } from '../tables.ts';

/** The fields that determine the form of a number. */
export interface Numbering {
  agency_code: string;
  /** 1 `校发〔2026〕1号`, 2 `第1号`. */
  style: number;
}
/** `校发〔2026〕1号`: hexagonal brackets, four-digit year, number without leading zeros; `第1号` for an order. */
export const numberText = ({ agency_code, style }: Numbering, year: number, seq: number) =>
  style === 2 ? `第${seq}号` : `${agency_code}〔${year}〕${seq}号`;

/** Locks the rule until the transaction ends: parallel documents wait, so that no number is given twice or skipped. */
export async function holdRule(tx: Db, ruleId: number) {
  const [rule] = await tx
    .select()
    .from(numberRuleTable)
    .where(and(eq(numberRuleTable.id, ruleId), eq(numberRuleTable.is_deleted, false)))
    .for('no key update');
  return rule;
}

/** Condition: the number was reserved for a document, whatever became of it. Numbers below it can still be given. */
export const keptBack = sql`(made_by is not null and title = '')`;

/** The next number of a rule in a year: after the last one given or entered, skipping reserved ones. Orders are counted across years. */
export async function nextOf(tx: Db, rule: typeof numberRuleTable.$inferSelect, year: number): Promise<number> {
  const { seq, rule_id, year: ofYear } = numberBookTable;
  const [book] = await tx
    .select({
      last: sql<number>`coalesce(max(${seq}) filter (where not ${keptBack}), 0)::int`,
      kept: sql<number[]>`coalesce(array_agg(${seq}) filter (where ${keptBack}), '{}')`,
    })
    .from(numberBookTable)
    .where(and(eq(rule_id, rule.id), rule.style === 2 ? undefined : eq(ofYear, year)));
  const kept = new Set(book?.kept);
  let next = Math.max(rule.start_no, (book?.last ?? 0) + 1);
  while (kept.has(next)) next += 1;
  return next;
}

/** Says in words that a number follows one entered for a paper issued outside; empty if it follows a given one. */
async function behindEntered(tx: Db, rule: typeof numberRuleTable.$inferSelect, year: number, seq: number) {
  const t = numberBookTable;
  const [before] = await tx
    .select({ seq: t.seq, year: t.year, state: t.state })
    .from(t)
    .where(
      and(
        eq(t.rule_id, rule.id),
        rule.style === 2 ? undefined : eq(t.year, year),
        lt(t.seq, seq),
        sql`not ${keptBack}`,
      ),
    )
    .orderBy(desc(t.seq))
    .limit(1);
  return before?.state === bookState.entered ? `接在补登的 ${numberText(rule, before.year, before.seq)} 之后` : '';
}

/** Gives a document its reserved number, else the next one of its rule in the year. Void numbers are not reused. */
export async function giveNumber(
  tx: Db,
  { ruleId, year, documentId, reserved }: { ruleId: number; year: number; documentId: number; reserved: number | null },
): Promise<string> {
  const rule = await holdRule(tx, ruleId);
  if (!rule) throw numberRuleMissing();
  if (rule.status === onOff.off) throw numberRuleOff(rule.agency_code);
  if (reserved === null) {
    const seq = await nextOf(tx, rule, year);
    const reason = await behindEntered(tx, rule, year, seq);
    await tx.insert(numberBookTable).values({ rule_id: ruleId, year, seq, document_id: documentId, reason });
    return numberText(rule, year, seq);
  }
  const t = numberBookTable;
  const [taken] = await tx
    .update(t)
    .set({ state: bookState.given, document_id: documentId })
    .where(and(eq(t.rule_id, ruleId), eq(t.seq, reserved), eq(t.state, bookState.reserved), eq(t.year, year)))
    .returning();
  if (!taken) throw reservedGone(numberText(rule, year, reserved));
  return numberText(rule, year, reserved);
}

/** Voids the number of a document, if it has one. */
export async function voidNumberOf(tx: Db, documentId: number, reason: string, by: number | null): Promise<void> {
  await tx
    .update(numberBookTable)
    .set({ state: bookState.voided, reason, voided_by: by, voided_at: sql`now()` })
    .where(and(eq(numberBookTable.document_id, documentId), eq(numberBookTable.state, bookState.given)));
}

/** `收〔2026〕12号`, counted within the year. */
export async function receiptNumber(tx: Db, year: number): Promise<string> {
  const seq = await nextNumber(tx, 'receipt', 'document', String(year));
  return numberText({ agency_code: '收', style: 1 }, year, seq);
}
