import { and, eq, gt, ne, notExists } from 'drizzle-orm';
import { fenOf, moneyText, yuanOf } from '#kernel/contract/money/money.ts';
import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { sumOf } from '#kernel/server/db/money.ts';
import type { RecordEvent } from '#modules/records/service.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import { direction, nature, renewal, stage } from '../contract/codes.ts';
import { capPassed, parentUnfit, supplementPending } from '../contract/refusals.ts';
import { refuseBanned } from '../parties/known.ts';
import { contractEventTable, contractPerformanceTable, contractSideTable, contractTable } from '../tables.ts';
import { refuseMovedText, refuseUnfinishedText } from '../texts/freezing.ts';
import type { Stored } from './record.ts';

/** What keeps a contract from being sent off, and from the last agreement. */
export async function contractFaults(tx: Db, row: Stored, { now }: Pick<RecordEvent, 'now'>): Promise<FieldError[]> {
  const errors = missing(row, await tx.$count(contractSideTable, eq(contractSideTable.contract_id, row.id)));
  if (errors.length > 0) return errors;
  const plan = await planFault(tx, row);
  if (plan) return [plan];
  await refuseBanned(tx, row.id, now);
  await refuseParent(tx, row);
  await (row.act_state === actState.finished ? refuseMovedText(tx, row) : refuseUnfinishedText(tx, row));
  return [];
}

function missing(row: Stored, sides: number): FieldError[] {
  const moneyed = row.pay_direction !== direction.none;
  const asked: [field: string, label: string, there: boolean, msg?: string][] = [
    ['our_party', '我方', row.our_party !== ''],
    ['parties', '相对方', sides > 0, '请至少填写一个相对方'],
    ['amount', '合同金额', row.nature === nature.framework || !moneyed || row.amount > 0],
    ['amount', '合同金额', moneyed || row.amount === 0, '收付为“无金额”的，金额须为 0'],
    ['amount_cap', '框架上限', row.nature !== nature.framework || !moneyed || (row.amount_cap ?? 0) > 0],
    ['parent_id', '主合同', row.nature !== nature.supplement || row.parent_id !== null],
    ['start_date', '开始日期', row.nature === nature.supplement || row.start_date !== null],
    ['end_date', '结束日期', row.renewal !== renewal.tacit || row.end_date !== null, '自动顺延的合同须填写结束日期'],
  ];
  return asked.flatMap(([field, label, there, msg = unfilled]) => (there ? [] : [{ field, label, msg }]));
}

const fenIn = (row: Stored) =>
  row.plans.reduce((sum, plan) => sum + (plan.kind === row.pay_direction ? fenOf(plan.plan_amount ?? 0) : 0), 0);

/** Plans come to the amount; those of a framework stay below its cap. A supplement plans what its contract has not performed. */
async function planFault(tx: Db, row: Stored): Promise<FieldError | null> {
  if (row.pay_direction === direction.none) return null;
  let planned = yuanOf(fenIn(row));
  if (row.nature === nature.supplement) {
    if (row.plans.length === 0 && row.amount === (await parentOf(tx, row))?.amount) return null;
    planned = yuanOf(fenOf(planned) + fenOf(await plannedAndBegun(tx, row.parent_id!, row.pay_direction)));
  }
  const [sum, whole] = [moneyText(planned), moneyText(row.nature === nature.framework ? row.amount_cap! : row.amount)];
  const field = { field: 'plans', label: '履约计划' };
  if (row.nature === nature.framework)
    return planned <= row.amount_cap! ? null : { ...field, msg: `计划合计 ${sum} 元超过框架上限 ${whole} 元，请核对` };
  return planned === row.amount ? null : { ...field, msg: `计划合计 ${sum} 元与合同金额 ${whole} 元不等，请核对` };
}

/** What the rows of a contract plan on which something was registered already. */
async function plannedAndBegun(tx: Db, contractId: number, kind: number): Promise<number> {
  const { contract_id, plan_amount, cancelled, entries } = contractPerformanceTable;
  const [row] = await tx
    .select({ sum: sumOf(plan_amount) })
    .from(contractPerformanceTable)
    .where(
      and(eq(contract_id, contractId), eq(contractPerformanceTable.kind, kind), eq(cancelled, false), gt(entries, 0)),
    );
  return row!.sum;
}

const parentOf = async (tx: Db, row: Stored) =>
  row.parent_id === null
    ? undefined
    : (await tx.select().from(contractTable).where(eq(contractTable.id, row.parent_id)).for('no key update'))[0];

/** A supplement is of what was signed, one at a time; a call of a framework stays below its cap. */
async function refuseParent(tx: Db, row: Stored): Promise<void> {
  const parent = await parentOf(tx, row);
  if (!parent) return;
  const signed = parent.stage === stage.running || parent.stage === stage.expired;
  if (row.nature === nature.supplement) {
    if (!signed || parent.nature === nature.supplement) throw parentUnfit();
    const { id, name, parent_id } = contractTable;
    const applied = tx.select({ id: contractEventTable.id }).from(contractEventTable);
    const [other] = await tx
      .select({ name })
      .from(contractTable)
      .where(
        and(
          eq(parent_id, parent.id),
          ne(id, row.id),
          eq(contractTable.nature, nature.supplement),
          ne(contractTable.stage, stage.void),
          ne(contractTable.act_state, actState.draft),
          notExists(
            applied.where(and(eq(contractEventTable.supplement_id, id), eq(contractEventTable.type, 'change'))),
          ),
        ),
      );
    if (other) throw supplementPending(other.name);
    return;
  }
  if (parent.nature !== nature.framework || parent.stage !== stage.running) throw parentUnfit();
  if (row.pay_direction === direction.none || parent.amount_cap === null) return;
  const rest = yuanOf(fenOf(parent.amount_cap) - fenOf(await takenOf(tx, parent.id, row.id)));
  if (row.amount > rest) throw capPassed(row.amount, rest);
}

/** What the calls of a framework take of its cap, those that were sent off. */
export async function takenOf(tx: Db, parent: number, but = 0): Promise<number> {
  const { id, parent_id, amount } = contractTable;
  const [row] = await tx
    .select({ sum: sumOf(amount) })
    .from(contractTable)
    .where(
      and(
        eq(parent_id, parent),
        eq(contractTable.nature, nature.usual),
        ne(id, but),
        ne(contractTable.act_state, actState.draft),
        ne(contractTable.stage, stage.void),
      ),
    );
  return row!.sum;
}
