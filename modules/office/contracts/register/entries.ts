import { and, eq, ne, not, sql } from 'drizzle-orm';
import { fenOf, moneyText, yuanOf } from '#kernel/contract/money/money.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { direction as directionCodes, kindText, nature, planKind, stage } from '../contract/codes.ts';
import * as refusals from '../contract/refusals.ts';
import { planWrong, wholeOf } from '../engine/plans.ts';
import { withMoney } from '../engine/registering.ts';
import type { InputOf } from '../contract/performing/register.ts';
import { owedBy } from '../engine/owed.ts';
import { registered, takenOf } from '../record/faults.ts';
import { calledIn, contractNews, finance, managers } from '../record/news.ts';
import { agreedWithin } from '../performing/pending.ts';
import type { Stored } from '../record/record.ts';
import { contractEntryTable, contractPerformanceTable, contractTable } from '../tables.ts';
import { plannedOf, refuseOverplanned } from '../performing/planned.ts';
import { refuseSameVoucher } from './vouchers.ts';
import { openRowsOf, refuseEarly, write, type Made, type Making } from './context.ts';

/** `fresh` is true for a row that was not planned. */
type Row = typeof contractPerformanceTable.$inferSelect & { fresh?: boolean };
const withVoucher: readonly number[] = [planKind.payment, planKind.receipt, planKind.deposit];

/** 履约登记: registers performance on a planned row or a new one. */
export async function perform(making: Making, input: InputOf<'performance'>): Promise<Made> {
  const { context, row, part, today } = making;
  const { tx, user } = context;
  if (input.date > today) throw refusals.inFuture('发生日期', input.date);
  refuseEarly('发生日期', input.date, row);
  const planned = await rowFor(tx, making, input);
  const moneyed = withMoney.includes(planned.kind);
  if (!part.undertaker && !part.handler && !part.manager && !moneyed)
    throw refusals.notYours('履约登记', ['承办人', '节点办理人', '合同管理员']);
  if (row.stage === stage.terminated && !planned.settlement) throw refusals.onlySettlement();
  const amount = moneyed ? (input.amount ?? 0) : null;
  if (amount !== null && amount <= 0) throw refusals.amountMissing();
  if (planned.kind === planKind.delivery && !input.accept_result) throw refusals.acceptMissing();
  if (withVoucher.includes(planned.kind) && input.files.length === 0) throw refusals.voucherMissing();
  if (amount !== null) await refuseBeyond(tx, row, planned, amount);
  if (planned.fresh) await refusePlan(tx, row, planned);
  if (!input.same_voucher) await refuseSameVoucher(tx, { ...planned, viewer: making.viewer }, input);
  const { date, voucher_no, invoice_no, accept_result = null, files, remark } = input;
  const [entry] = await tx
    .insert(contractEntryTable)
    .values({
      contract_id: row.id,
      performance_id: planned.id,
      date,
      amount,
      voucher_no,
      invoice_no,
      accept_result,
      files,
      remark,
      by: user.id,
    })
    .returning({ id: contractEntryTable.id });
  const entry_id = entry!.id;
  // Checked here to give the refusal its own sentence; the database would refuse it too.
  if (amount !== null)
    await tx
      .execute(sql`set constraints contract_entries_within immediate`)
      .catch(refuseOn('contract_entries_within', () => refusals.entriesPassed()));
  const said = `${planned.name}${amount === null ? '' : ` ${moneyText(amount)} 元`}`;
  const changes = [{ field: 'entry', label: kindText(planned), before: null, after: said }];
  await write(making, { type: 'performance', reason: remark, changes, files, entry_id });
  const others = part.undertaker ? [finance] : [row.undertaker];
  const content = `${calledIn(row)}登记了“${said}”，日期 ${date}。`;
  if (moneyed)
    await announce(
      tx,
      contractNews.CONTRACT_CHANGED,
      row,
      { content, by: user.id, occasion: String(entry_id) },
      others,
    );
  if (row.stage !== stage.terminated && (await openRowsOf(tx, row.id)).length === 0) {
    const done = `${calledIn(row)}的履约节点已全部完成，请核对后登记办结。`;
    await announce(tx, contractNews.CONTRACT_TO_FINISH, row, { content: done, by: user.id }, [managers]);
  }
  return { row, entry_id };
}

async function rowFor(tx: Db, { row }: Making, input: InputOf<'performance'>): Promise<Row> {
  const { id, contract_id, cancelled } = contractPerformanceTable;
  if (input.performance_id !== undefined) {
    const of = and(eq(id, input.performance_id), eq(contract_id, row.id), eq(cancelled, false));
    const [found] = await tx.select().from(contractPerformanceTable).where(of);
    if (!found) throw refusals.rowUnknown();
    return found;
  }
  if (!input.row) throw refusals.rowNeeded();
  if (row.stage === stage.terminated) throw refusals.onlySettlement();
  const { kind: what, name, plan_date } = input.row;
  const direction =
    what === planKind.payment
      ? directionCodes.out
      : what === planKind.receipt
        ? directionCodes.in
        : (input.row.direction ?? null);
  if (what === planKind.deposit && direction === null) throw refusals.rowNeeded();
  const plan_amount = input.row.plan_amount ?? (withMoney.includes(what) ? (input.amount ?? null) : null);
  const gives_back = what === planKind.deposit && input.row.gives_back === true;
  const [made] = await tx
    .insert(contractPerformanceTable)
    .values({
      contract_id: row.id,
      kind: what,
      direction,
      gives_back,
      name,
      plan_date,
      plan_amount,
      handler: row.undertaker,
    })
    .returning();
  return { ...made!, fresh: true };
}

/** Refuses a row that could not have been planned with the contract. */
async function refusePlan(tx: Db, row: Stored, planned: Row): Promise<void> {
  const wrong = planWrong(planned, row);
  if (wrong) throw refusals.planRefused(wrong);
  const before = yuanOf(fenOf(await plannedOf(tx, row.id, planned.kind)) - fenOf(planned.plan_amount ?? 0));
  await refuseOverplanned(tx, row, planned.kind, before);
}

/** Refuses amounts beyond the contract, the cap of its framework, or the settlement. */
async function refuseBeyond(tx: Db, row: Stored, planned: Row, amount: number): Promise<void> {
  const rest = (whole: number, done: number) => yuanOf(fenOf(whole) - fenOf(done));
  if (planned.settlement) {
    const left = rest(planned.plan_amount ?? 0, planned.done_amount);
    if (amount > left) throw refusals.beyondAmount(amount, left, '');
    return;
  }
  if (planned.kind === planKind.invoice) return refuseBeyondInvoice(tx, row, amount);
  if (planned.kind === planKind.deposit) return refuseBeyondDeposit(tx, row, planned, amount);
  if (planned.kind !== planKind.payment && planned.kind !== planKind.receipt) return;
  if (planned.kind !== row.pay_direction)
    throw refusals.wrongDirection(kindText(planned), directionCodes.label(row.pay_direction));
  if (row.nature !== nature.framework) {
    const { whole, said } = await agreedWithin(tx, row.id, owedBy(row));
    const left = rest(whole, await registered(tx, { contracts: [row.id], kind: planned.kind }));
    if (amount > left) throw refusals.beyondAmount(amount, left, said);
    await refuseBeyondPlan(tx, planned, amount, left);
  }
  const top = row.nature === nature.framework ? row.id : row.parent_id;
  if (top !== null) await refuseBeyondCap(tx, top, { own: top === row.id, what: planned.kind, amount });
}

/** Refuses an amount that would leave less than the other open rows plan. */
async function refuseBeyondPlan(tx: Db, planned: Row, amount: number, left: number): Promise<void> {
  const {
    id,
    contract_id,
    kind: of,
    is_open,
    settlement,
    plan_amount,
    plan_date,
    done_amount,
    name,
  } = contractPerformanceTable;
  const others = await tx
    .select({ name, rest: sql<number>`(coalesce(${plan_amount}, 0) - ${done_amount})::float8` })
    .from(contractPerformanceTable)
    .where(
      and(eq(contract_id, planned.contract_id), eq(of, planned.kind), ne(id, planned.id), is_open, not(settlement)),
    )
    .orderBy(plan_date, id);
  const wanted = yuanOf(others.reduce((sum, one) => sum + fenOf(one.rest), 0));
  const free = yuanOf(Math.max(0, fenOf(left) - fenOf(wanted)));
  const open = others.map((one) => one.name);
  if (wanted > 0 && amount > free) throw refusals.beyondPlan(amount, open, wanted, free);
}

/** The deposits of a contract, with the amounts held in a row's direction and in the other; the database decides which rows give back. */
async function depositOf(tx: Db, contractId: number, rowId: number) {
  const { rows } = await tx.execute<{ back: boolean; own: string; other: string }>(sql`
    select d.back, contract_deposit_held(${contractId}, d.direction) own, contract_deposit_held(${contractId}, (3 - d.direction)::smallint) other
    from contract_deposits(${contractId}) d where d.id = ${rowId}`);
  const { back, own, other } = rows[0]!;
  return { back, own: Math.max(0, Number(own)), other: Math.max(0, Number(other)) };
}

/** Refuses to give back more deposit than is held, or to give more than was agreed, by its row or by the contract. */
async function refuseBeyondDeposit(tx: Db, row: Stored, planned: Row, amount: number): Promise<void> {
  const { back, own, other } = await depositOf(tx, row.id, planned.id);
  if (back) {
    if (amount > other) throw refusals.nothingToReturn(amount, other);
    return;
  }
  const agreed = row.deposit !== null && row.deposit > 0;
  if (!agreed && planned.fresh) throw refusals.noDeposit();
  const left = agreed
    ? yuanOf(Math.max(0, fenOf(row.deposit!) - fenOf(own)))
    : yuanOf(fenOf(planned.plan_amount ?? 0) - fenOf(planned.done_amount));
  if (amount > left) throw refusals.beyondDeposit(amount, left);
}

/** Refuses to reverse a deposit that was given back already. */
async function refuseReturned(
  tx: Db,
  contractId: number,
  { performance_id, amount }: { performance_id: number; amount: number | null },
) {
  const { kind: of, id } = contractPerformanceTable;
  const [node] = await tx.select({ of }).from(contractPerformanceTable).where(eq(id, performance_id));
  if (node!.of !== planKind.deposit || amount === null) return;
  const { back, own } = await depositOf(tx, contractId, performance_id);
  if (!back && amount > own) throw refusals.depositReturned(amount, own);
}

/** Refuses invoices beyond the owed amount, or a framework's cap; contracts without an amount have no limit. */
async function refuseBeyondInvoice(tx: Db, row: Stored, amount: number): Promise<void> {
  const limit = wholeOf(row);
  if (limit === null) return;
  const { whole, said } = await agreedWithin(tx, row.id, limit.whole);
  const left = yuanOf(fenOf(whole) - fenOf(await registered(tx, { contracts: [row.id], kind: planKind.invoice })));
  if (amount > left) throw refusals.beyondInvoice(amount, Math.max(0, left), said);
}

/** Refuses payments that exceed the cap: a direct one must leave call-offs their agreed amounts; a call-off's own was agreed within the cap. */
async function refuseBeyondCap(
  tx: Db,
  framework: number,
  { own, what, amount }: { own: boolean; what: number; amount: number },
): Promise<void> {
  const { id, parent_id, amount_cap } = contractTable;
  const [top] = await tx.select({ cap: amount_cap }).from(contractTable).where(eq(id, framework)).for('no key update');
  if (!top || top.cap === null) return;
  const calls = await tx.select({ id }).from(contractTable).where(eq(parent_id, framework));
  const all = [framework, ...calls.map((one) => one.id)];
  const taken = own ? await takenOf(tx, framework) : await registered(tx, { contracts: all, kind: what });
  const { whole, said } = await agreedWithin(tx, framework, top.cap);
  const left = yuanOf(Math.max(0, fenOf(whole) - fenOf(taken)));
  if (amount > left) throw refusals.beyondCap(amount, left, said);
}

/** 冲销: an entry that reverses another, which stays and is marked as reversed. */
export async function reverse(making: Making, { entry_id, reason }: InputOf<'reverse'>): Promise<Made> {
  const { context, row, part, today } = making;
  const { tx, user } = context;
  const { id, contract_id } = contractEntryTable;
  const [entry] = await tx
    .select()
    .from(contractEntryTable)
    .where(and(eq(id, entry_id), eq(contract_id, row.id)));
  if (!entry) throw refusals.entryUnknown();
  if (entry.reverses_id !== null) throw refusals.reversedBefore();
  if (!part.manager && !(entry.by === user.id && entry.at.slice(0, 10) === today)) throw refusals.reverseNotYours();
  await refuseReturned(tx, row.id, entry);
  const { performance_id, accept_result, voucher_no, invoice_no } = entry;
  const amount = entry.amount === null ? null : -entry.amount;
  const [made] = await tx
    .insert(contractEntryTable)
    .values({
      contract_id: row.id,
      performance_id,
      accept_result,
      voucher_no,
      invoice_no,
      amount,
      date: today,
      remark: reason,
      reverses_id: entry.id,
      by: user.id,
    })
    .returning({ id })
    .catch(refuseOn('contract_entry_reversed_once', () => refusals.reversedBefore()));
  if (row.stage === stage.terminated) await cancelReopened(tx, performance_id, reason);
  const changes = [{ field: 'entry', label: '冲销登记', before: entry.amount, after: null }];
  await write(making, { type: 'reverse', reason, changes, entry_id: made!.id });
  const content = `${calledIn(row)}的一笔登记已冲销。原因：${reason}`;
  const to = [finance, row.undertaker];
  await announce(tx, contractNews.CONTRACT_CHANGED, row, { content, by: user.id, occasion: String(made!.id) }, to);
  return { row, entry_id: made!.id };
}

/** Cancels a row that a reversal reopened in a terminated contract: only settlements may be performed there. */
async function cancelReopened(tx: Db, rowId: number, reason: string): Promise<void> {
  const { id, is_open, settlement } = contractPerformanceTable;
  await tx
    .update(contractPerformanceTable)
    .set({ cancelled: true, cancel_reason: `合同已解除，登记冲销：${reason}`.slice(0, 300) })
    .where(and(eq(id, rowId), is_open, not(settlement)));
}
