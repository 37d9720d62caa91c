import { and, eq } from 'drizzle-orm';
import { fenOf } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { sumOf } from '#kernel/server/db/money.ts';
import { direction, nature, planKind } from '../contract/codes.ts';
import { planUneven, plansBeyond } from '../contract/refusals.ts';
import { owedBy } from '../engine/owed.ts';
import { wholeOf } from '../engine/plans.ts';
import type { Stored } from '../record/record.ts';
import { contractPerformanceTable } from '../tables.ts';

const { contract_id, kind, cancelled, plan_amount } = contractPerformanceTable;

/** The planned sum of a kind. */
export async function plannedOf(tx: Db, contractId: number, what: number): Promise<number> {
  const of = and(eq(contract_id, contractId), eq(kind, what), eq(cancelled, false));
  const [row] = await tx
    .select({ sum: sumOf(plan_amount) })
    .from(contractPerformanceTable)
    .where(of);
  return row!.sum;
}

/** Refuses a plan that no longer equals the owed amount; one that did not before may only come closer. */
export async function refuseUneven(
  tx: Db,
  contract: Pick<Stored, 'id' | 'pay_direction' | 'nature' | 'amount' | 'reduced'>,
  before: number,
) {
  if (contract.nature === nature.framework || contract.pay_direction === direction.none) return;
  const after = await plannedOf(tx, contract.id, contract.pay_direction);
  const owed = owedBy(contract);
  const off = (sum: number) => Math.abs(fenOf(sum) - fenOf(owed));
  if (after !== owed && off(after) >= off(before) && after !== before) throw planUneven(after, owed);
}

/**
 * Refuses payments and invoices that are planned beyond the amount, or beyond the cap of a framework. What was beyond it before, as after an
 * audit, may stay, but not grow.
 */
export async function refuseOverplanned(tx: Db, contract: Stored, what: number, before: number): Promise<void> {
  const limit = wholeOf(contract);
  if (limit === null || (what !== contract.pay_direction && what !== planKind.invoice)) return;
  const after = await plannedOf(tx, contract.id, what);
  if (after > limit.whole && after > before) throw plansBeyond(planKind.label(what), after, limit.what, limit.whole);
}
