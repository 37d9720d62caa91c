import { and, eq, inArray, ne, notInArray, sql } from 'drizzle-orm';
import { readRules } from '#kernel/server/rules/rules.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { headsOf } from '#modules/platform/people/service.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, nature } from '../contract/codes.ts';
import { contractRules } from '../contract/rules.ts';
import { textMode } from '../contract/texts.ts';
import { legalReview, stepOf } from '../engine/legal.ts';
import { contractCategoryTable, contractSideTable, contractTable } from '../tables.ts';
import { standingOfText } from '../texts/freezing.ts';
import type { Stored } from './record.ts';

/** The rules for contracts. */
export const rulesOf = async (tx: Db) => (await readRules(tx, contractRules)).value;

export async function categoryOf(tx: Db, id: number) {
  const [row] = await tx.select().from(contractCategoryTable).where(eq(contractCategoryTable.id, id));
  if (!row) throw new Error(`contract category ${id} is missing`);
  return row;
}
type Category = Awaited<ReturnType<typeof categoryOf>>;
const stepsOf = (category: Category, pays: number) => (pays === direction.in ? category.in_steps : category.out_steps);
/** The amount that decides its step; for a framework, its cap. */
const weightOf = ({ nature: what, amount, amount_cap }: Pick<Stored, 'nature' | 'amount' | 'amount_cap'>) =>
  what === nature.framework ? (amount_cap ?? amount) : amount;

/** The reviews that the approval of a contract needs: legal, leaders by amount, and the department in charge of its kind. */
export async function assess(tx: Db, row: Stored) {
  const category = await categoryOf(tx, row.category_id);
  const { legal_from_step } = await rulesOf(tx);
  const step = row.pay_direction === direction.none ? 0 : stepOf(weightOf(row), stepsOf(category, row.pay_direction));
  const legal = legalReview({
    ...(await standingOfText(tx, row)),
    fromTemplate: row.text_mode === textMode.template,
    needed: category.need_legal,
    step,
    fromStep: legal_from_step,
  });
  return { step, need_legal: legal.needed, why: legal.why, manage_dept: category.manage_dept };
}

/** User names of the heads of the department in charge of its kind. */
export async function manageHeads(tx: Db, row: Stored): Promise<string[]> {
  const { manage_dept } = await categoryOf(tx, row.category_id);
  if (manage_dept === null || manage_dept === row.dept_id) return [];
  return (await headsOf(tx, [manage_dept])).map((person) => person.username);
}

/**
 * Contracts that together look like a split one: same parties, kind and department within some months, none above a step alone but all of
 * them together. Null if there are none. The caller checks who may see which.
 */
export async function splitWith(tx: Db, row: Stored, parties: readonly number[]) {
  const { split_months: months } = await rulesOf(tx);
  if (row.pay_direction === direction.none || months === 0 || parties.length === 0 || row.nature === nature.supplement)
    return null;
  const sides = tx
    .select({ id: contractSideTable.contract_id })
    .from(contractSideTable)
    .where(isAmong(contractSideTable.party_id, parties));
  const found = await tx
    .select({
      id: contractTable.id,
      name: contractTable.name,
      contract_no: contractTable.contract_no,
      amount: contractTable.amount,
      amount_cap: contractTable.amount_cap,
      nature: contractTable.nature,
    })
    .from(contractTable)
    .where(
      and(
        ne(contractTable.id, row.id),
        eq(contractTable.category_id, row.category_id),
        eq(contractTable.dept_id, row.dept_id),
        eq(contractTable.pay_direction, row.pay_direction),
        ne(contractTable.nature, nature.supplement),
        notInArray(contractTable.act_state, [actState.draft, actState.closed]),
        inArray(contractTable.id, sides),
        sql`${contractTable.gmt_created} > ${row.gmt_created}::timestamptz - make_interval(months => ${months})`,
      ),
    )
    .orderBy(contractTable.gmt_created)
    .limit(50);
  if (found.length === 0) return null;
  const steps = stepsOf(await categoryOf(tx, row.category_id), row.pay_direction);
  const fen = [row, ...found].reduce((sum, one) => sum + Math.round(weightOf(one) * 100), 0);
  const [total, alone] = [fen / 100, Math.max(...[row, ...found].map((one) => stepOf(weightOf(one), steps)))];
  const step = stepOf(total, steps);
  return step > alone ? { months, total, step, rows: found } : null;
}
