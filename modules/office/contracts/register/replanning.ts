import { and, asc, eq, inArray, not } from 'drizzle-orm';
import { fenOf, moneyText, yuanOf } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { direction, nature } from '../contract/codes.ts';
import { owedBy } from '../engine/owed.ts';
import { plannedOf } from '../performing/planned.ts';
import type { Stored } from '../record/record.ts';
import { contractPerformanceTable } from '../tables.ts';
import { registerEvent } from './events.ts';
import { writePlans } from './sign.ts';

const { id, contract_id, cancelled, holding, kind, plan_date, settlement } = contractPerformanceTable;

/** Replaces rows without registrations by those of the supplement, kind by kind; other kinds stay. */
export async function replacePlans(tx: Db, row: Stored, supplement: Stored): Promise<void> {
  const kinds = supplement.plans.map((one) => one.kind);
  await tx
    .update(contractPerformanceTable)
    .set({ cancelled: true, cancel_reason: `由补充协议 ${supplement.contract_no} 变更` })
    .where(and(eq(contract_id, row.id), inArray(kind, kinds), eq(cancelled, false), eq(holding, 0)));
  await writePlans(tx, row, supplement.plans);
}

/** True for contracts whose plan equals their amount. */
const isPlanned = (row: Stored): boolean => row.pay_direction !== direction.none && row.nature !== nature.framework;

/**
 * Cuts the plan to the amount that a supplement agreed. Rows that were begun are cut first, the last one first and down to what was performed,
 * because the supplement plans the rest anew. What was paid between the drafting and the registration of the supplement is then taken off what
 * is due first, as payments are by law (Civil Code, article 560). Returns what was cut in words.
 */
export async function fitPlans(tx: Db, row: Stored, supplement: Stored, by: number): Promise<string[]> {
  if (!isPlanned(row)) return [];
  let over = fenOf(await plannedOf(tx, row.id, row.pay_direction)) - fenOf(owedBy(row));
  if (over <= 0) return [];
  const rows = await tx
    .select()
    .from(contractPerformanceTable)
    .where(and(eq(contract_id, row.id), eq(kind, row.pay_direction), eq(cancelled, false), not(settlement)))
    .orderBy(asc(plan_date), asc(id));
  const changes = [];
  for (const one of [
    ...rows.filter((each) => each.holding > 0).toReversed(),
    ...rows.filter((each) => each.holding === 0),
  ]) {
    const cut = Math.min(over, fenOf(one.plan_amount ?? 0) - Math.max(0, fenOf(one.done_amount)));
    if (cut <= 0) continue;
    over -= cut;
    const plan_amount = yuanOf(fenOf(one.plan_amount ?? 0) - cut);
    const gone = { cancelled: true, cancel_reason: `由补充协议 ${supplement.contract_no} 变更，已由先前的登记抵充` };
    await tx
      .update(contractPerformanceTable)
      .set({ ...(plan_amount === 0 ? gone : { plan_amount }), ...touched(contractPerformanceTable) })
      .where(eq(id, one.id));
    changes.push({ field: 'plan_amount', label: `${one.name} 计划金额`, before: one.plan_amount, after: plan_amount });
  }
  const at = { contract_id: row.id, from_stage: row.stage, to_stage: row.stage };
  const reason = `按补充协议 ${supplement.contract_no} 变更后的金额调整：已登记的先抵最早到期的节点`;
  await registerEvent(tx, { ...at, type: 'plan', reason, changes, by });
  const said = changes.map(
    ({ label, before, after }) => `${label}由 ${moneyText(before ?? 0)} 元改为 ${moneyText(after)} 元`,
  );
  return [`履约计划已按变更后的金额调整：${said.join('，')}。`];
}

/** A note if the plan is less than the amount. */
export async function unevenOf(tx: Db, row: Stored): Promise<string[]> {
  if (!isPlanned(row)) return [];
  const [planned, owed] = [await plannedOf(tx, row.id, row.pay_direction), owedBy(row)];
  return planned === owed
    ? []
    : [`履约计划合计 ${moneyText(planned)} 元与变更后金额 ${moneyText(owed)} 元不等，请调整履约计划。`];
}
