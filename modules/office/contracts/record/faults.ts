import { and, eq, gt, ne, notExists, notInArray, sql } from 'drizzle-orm';
import { fenOf, moneyText, yuanOf } from '#kernel/contract/money/money.ts';
import { invalid, unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { sumOf } from '#kernel/server/db/money.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { unprintable } from '#modules/platform/typesetting/service.ts';
import type { RecordEvent } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, nature, planKind, renewal, stage } from '../contract/codes.ts';
import { owedBy } from '../engine/owed.ts';
import { planWrong, wholeOf, type PlannedFor } from '../engine/plans.ts';
import { columnsAfter, namesAmount } from '../engine/supplement.ts';
import { capPassed, parentUnfit, supplementPending } from '../contract/refusals.ts';
import { refuseBanned } from '../parties/known.ts';
import { sidesOf, sidesWrong } from '../parties/sides.ts';
import { contractEventTable, contractPerformanceTable, contractTable } from '../tables.ts';
import { refuseMovedText, refuseUnfinishedText } from '../texts/freezing.ts';
import { owed } from '../performing/figures.ts';
import { agreedWithin, signedAmount } from '../performing/pending.ts';
import type { Stored } from './record.ts';

/** Faults that prevent a contract from being sent, or finally approved. */
export async function contractFaults(tx: Db, row: Stored, { now }: Pick<RecordEvent, 'now'>): Promise<FieldError[]> {
  const sides = (await sidesOf(tx, row.id)).map((side) => side.name);
  const errors = [
    ...missing(row, sides.length),
    ...sidesWrong(row.our_party, sides),
    ...(await unprintable([
      { field: 'name', label: '合同名称', text: row.name },
      { field: 'our_party', label: '我方', text: row.our_party },
      ...sides.map((text, at) => ({ field: 'parties', label: `相对方第 ${at + 1} 项`, text })),
      { field: 'content', label: '合同文本', text: textOf(row.content) },
    ])),
  ];
  if (errors.length > 0) return errors;
  const changes = row.nature === nature.supplement ? await changeFault(tx, row) : null;
  if (changes) return [changes];
  const of = await plannedFor(tx, row);
  const wrong = row.plans.flatMap((one) => planWrong(one, of) ?? [])[0];
  if (wrong) return [{ ...plansField, msg: wrong }];
  const plan = (await planFault(tx, row)) ?? (await invoiceFault(tx, row, of));
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
    ['amount', '合同金额', row.nature !== nature.usual || !moneyed || row.amount > 0],
    ['amount', '合同金额', moneyed || row.amount === 0, '收付为“无金额”的，金额须为 0'],
    ['amount_cap', '框架上限', row.nature !== nature.framework || !moneyed || (row.amount_cap ?? 0) > 0],
    ['parent_id', '主合同', row.nature !== nature.supplement || row.parent_id !== null],
    ['start_date', '开始日期', row.nature === nature.supplement || row.start_date !== null],
    ['end_date', '结束日期', row.renewal !== renewal.tacit || row.end_date !== null, '自动顺延的合同须填写结束日期'],
  ];
  return asked.flatMap(([field, label, there, msg = unfilled]) => (there ? [] : [{ field, label, msg }]));
}

const plansField = { field: 'plans', label: '履约计划' };
const fenIn = (row: Stored, kind: number) =>
  row.plans.reduce((sum, plan) => sum + (plan.kind === kind ? fenOf(plan.plan_amount ?? 0) : 0), 0);

/** The contract that plans are made for: the drafted one, or that of a supplement as the supplement leaves it. */
async function plannedFor(tx: Db, row: Stored): Promise<PlannedFor> {
  const parent = row.nature === nature.supplement ? await parentOf(tx, row) : undefined;
  return parent ? { ...parent, ...columnsAfter({ ...parent, owed: owedBy(parent) }, row) } : row;
}

/** Planned invoices come to no more than the amount, with those that were issued before the supplement. */
async function invoiceFault(tx: Db, row: Stored, of: PlannedFor): Promise<FieldError | null> {
  const [fen, limit] = [fenIn(row, planKind.invoice), wholeOf(of)];
  if (fen === 0 || limit === null) return null;
  const supplement = row.nature === nature.supplement;
  const issued = supplement ? await keptOf(tx, row.parent_id!, { kind: planKind.invoice, replaced: true }) : null;
  const planned = yuanOf(fen + fenOf(issued?.least ?? 0));
  return planned > limit.whole
    ? {
        ...plansField,
        msg: `发票计划合计 ${moneyText(planned)} 元${issued?.least ? `（含已开的 ${moneyText(issued.least)} 元）` : ''}超过${limit.what} ${moneyText(limit.whole)} 元，请核对`,
      }
    : null;
}

/**
 * Plans must equal the amount; those of a framework stay within its cap. A supplement replans what its contract has not performed; if it
 * plans nothing of a kind, that kind stays as it is.
 */
async function planFault(tx: Db, row: Stored): Promise<FieldError | null> {
  if (row.pay_direction === direction.none) return null;
  let [planned, stands] = [yuanOf(fenIn(row, row.pay_direction)), 0];
  const replaces = row.plans.some((plan) => plan.kind === row.pay_direction);
  let cap = row.nature === nature.framework ? row.amount_cap! : null;
  let agreed = row.amount;
  if (row.nature === nature.supplement) {
    const parent = await parentOf(tx, row);
    agreed = wholeAfter(row, parent);
    if (!replaces && agreed === wholeAfter(null, parent)) return null;
    if (parent?.nature === nature.framework) cap = agreed;
    const kept = await keptOf(tx, row.parent_id!, { kind: row.pay_direction, replaced: replaces });
    const least = fenOf(planned) + fenOf(kept.least);
    stands = kept.planned;
    planned = yuanOf(fenOf(planned) + fenOf(stands));
    if (planned > agreed && least <= fenOf(agreed)) return null;
  }
  const whole = moneyText(cap ?? agreed);
  const sum = `计划合计 ${moneyText(planned)} 元${stands > 0 ? `（含主合同${replaces ? '已有登记' : '原有'}的节点 ${moneyText(stands)} 元）` : ''}`;
  if (cap !== null) return planned <= cap ? null : { ...plansField, msg: `${sum}超过框架上限 ${whole} 元，请核对` };
  return planned === agreed ? null : { ...plansField, msg: `${sum}与合同金额 ${whole} 元不等，请核对` };
}

/** The total of a contract, or the cap of a framework, after its supplement. */
const wholeAfter = (supplement: Stored | null, parent: typeof contractTable.$inferSelect | undefined): number => {
  if (supplement && namesAmount(supplement)) return supplement.amount;
  if (!parent) return 0;
  return parent.nature === nature.framework ? (parent.amount_cap ?? 0) : owedBy(parent);
};

/**
 * The planned sum of the rows that stay, and the least it can be cut to. If others replace the rest, only rows with registrations stay, and
 * each can be cut to what was performed.
 */
async function keptOf(tx: Db, contractId: number, { kind, replaced }: { kind: number; replaced: boolean }) {
  const { contract_id, plan_amount, done_amount, cancelled, holding } = contractPerformanceTable;
  const [row] = await tx
    .select({
      planned: sumOf(plan_amount),
      least: sql`coalesce(sum(case when ${holding} > 0 then ${done_amount} else ${plan_amount} end), 0)`.mapWith(
        Number,
      ),
    })
    .from(contractPerformanceTable)
    .where(
      and(
        eq(contract_id, contractId),
        eq(contractPerformanceTable.kind, kind),
        eq(cancelled, false),
        replaced ? gt(holding, 0) : undefined,
      ),
    );
  return row!;
}

const parentOf = async (tx: Db, row: Pick<Stored, 'parent_id'>) =>
  row.parent_id === null
    ? undefined
    : (await tx.select().from(contractTable).where(eq(contractTable.id, row.parent_id)).for('no key update'))[0];

/** A supplement's money must agree with its contract's direction or be absent; its times and cap must be possible for the contract. */
async function changeFault(tx: Db, row: Stored): Promise<FieldError | null> {
  const parent = await parentOf(tx, row);
  if (!parent) return null;
  const moneyed = row.pay_direction !== direction.none;
  const [pays, label] = [direction.label(parent.pay_direction), '收付'];
  if (moneyed && row.pay_direction !== parent.pay_direction)
    return { field: 'pay_direction', label, msg: `主合同为“${pays}”，请选“${pays}”；不变更金额的选“无金额”` };
  if (!moneyed && row.plans.some((plan) => (plan.plan_amount ?? 0) > 0))
    return {
      field: 'pay_direction',
      label,
      msg: `“无金额”不变更金额和履约计划；要变更的请选“${pays}”，填写变更后的金额`,
    };
  if (row.end_date !== null && parent.start_date !== null && row.end_date < parent.start_date)
    return {
      field: 'end_date',
      label: '结束日期',
      msg: `${row.end_date} 早于主合同的开始日期 ${parent.start_date}，请核对`,
    };
  const framework = parent.nature === nature.framework;
  if (namesAmount(row)) {
    const label = '合同金额';
    const taken = framework ? await takenOf(tx, parent.id) : 0;
    if (row.amount < taken)
      return {
        field: 'amount',
        label,
        msg: `变更后的框架上限 ${moneyText(row.amount)} 元少于框架已占用的 ${moneyText(taken)} 元，请核对`,
      };
    const done = framework ? 0 : await registered(tx, { contracts: [parent.id], kind: parent.pay_direction });
    if (row.amount < done)
      return {
        field: 'amount',
        label,
        msg: `变更后的金额 ${moneyText(row.amount)} 元少于主合同已登记的 ${moneyText(done)} 元，请核对`,
      };
    const beyond = row.amount > owedBy(parent) ? await capFault(tx, row, parent) : null;
    if (beyond) return { field: 'amount', label, msg: beyond };
  }
  const whole = wholeAfter(row, parent);
  if (row.deposit !== null && moneyed && row.deposit > whole)
    return {
      field: 'deposit',
      label: '履约保证金',
      msg: `${moneyText(row.deposit)} 元超过主合同的${framework ? '框架上限' : '合同金额'} ${moneyText(whole)} 元，请核对`,
    };
  return null;
}

/** Refuses to sign a supplement that can no longer be applied to its contract. */
export async function refuseInapplicable(tx: Db, row: Stored): Promise<void> {
  if (row.nature !== nature.supplement) return;
  const parent = await parentOf(tx, row);
  if (!parent || !([stage.running, stage.suspended, stage.expired] as number[]).includes(parent.stage))
    throw parentUnfit();
  const wrong = await changeFault(tx, row);
  if (wrong) throw invalid([wrong]);
}

/** A supplement needs a signed contract and must be the only pending one; a call-off stays within its framework's cap. */
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
          notInArray(contractTable.act_state, [actState.draft, actState.closed]),
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
  const { rest, said } = await capLeft(tx, { id: parent.id, amount_cap: parent.amount_cap }, row.id);
  if (row.amount > rest) throw capPassed(row.amount, rest, said);
}

/** The part of a framework's cap that is left to a call-off. */
async function capLeft(tx: Db, framework: { id: number; amount_cap: number }, call: number) {
  const { whole, said } = await agreedWithin(tx, framework.id, framework.amount_cap);
  return { rest: yuanOf(Math.max(0, fenOf(whole) - fenOf(await takenOf(tx, framework.id, call)))), said };
}

/** A supplement raises a call-off only within the cap of its framework. */
async function capFault(tx: Db, row: Stored, call: typeof contractTable.$inferSelect): Promise<string | null> {
  const framework = await parentOf(tx, call);
  if (!framework || framework.amount_cap === null) return null;
  const { rest, said } = await capLeft(tx, { id: framework.id, amount_cap: framework.amount_cap }, call.id);
  return row.amount > rest
    ? `变更后的金额 ${moneyText(row.amount)} 元超出框架协议余额 ${moneyText(rest)} 元${said}，请核对金额或先变更框架上限`
    : null;
}

/** The registered sum of a kind, net of reversals; settlements are excluded. */
export async function registered(tx: Db, which: { contracts: readonly number[]; kind: number }): Promise<number> {
  const { rows } = await tx.execute<{ sum: string }>(sql`
    select coalesce(sum(done_amount), 0) sum from contract_performance
    where contract_id = any(${sql.param([...which.contracts])}::int[]) and kind = ${which.kind} and not settlement`);
  return Number(rows[0]!.sum);
}

/** The used part of a framework's cap: what sent call-offs owe, or will by a supplement that was signed, and direct payments. */
export async function takenOf(tx: Db, parent: number, but = 0): Promise<number> {
  const { id, parent_id } = contractTable;
  const [calls] = await tx
    .select({ sum: sumOf(sql`greatest(${owed}, ${signedAmount})`) })
    .from(contractTable)
    .where(
      and(
        eq(parent_id, parent),
        eq(contractTable.nature, nature.usual),
        ne(id, but),
        notInArray(contractTable.act_state, [actState.draft, actState.closed]),
      ),
    );
  const { contract_id, kind, done_amount, settlement } = contractPerformanceTable;
  const [direct] = await tx
    .select({ sum: sumOf(done_amount) })
    .from(contractPerformanceTable)
    .innerJoin(contractTable, eq(id, contract_id))
    .where(and(eq(id, parent), eq(kind, contractTable.pay_direction), eq(settlement, false)));
  return yuanOf(fenOf(calls!.sum) + fenOf(direct!.sum));
}
