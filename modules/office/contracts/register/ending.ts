import { inArray, sql } from 'drizzle-orm';
import { daysBetween } from '#kernel/contract/moment.ts';
import { fenOf, moneyText, yuanOf } from '#kernel/contract/money/money.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { cancelFor } from '#modules/office/stamps/service.ts';
import { fileById, isWhole } from '#modules/platform/files/service.ts';
import { announce, type Hearer } from '#modules/platform/messages/service.ts';
import { revokeTicket } from '#modules/workflow/tickets/service.ts';
import { direction, stage } from '../contract/codes.ts';
import {
  archiveNoTaken,
  inFuture,
  openRows,
  scanBroken,
  settledBefore,
  settlementOpen,
  settledLate,
  settlesBackTooMuch,
  settlesTooMuch,
} from '../contract/refusals.ts';
import type { InputOf } from '../contract/performing/register.ts';
import { packing } from '../archive/packing.ts';
import { addMonths } from '../engine/terms.ts';
import { isLate } from '../performing/state.ts';
import { calledIn, contractNews, finance, headOfDept, leaderOfDept, managers } from '../record/news.ts';
import { agreedWithin, refuseUnregistered } from '../performing/pending.ts';
import { contracts, module, type Stored } from '../record/record.ts';
import { contractPerformanceTable } from '../tables.ts';
import { wholeOf } from '../engine/plans.ts';
import { registered } from '../record/faults.ts';
import { changesOf } from './events.ts';
import { refuseDisputed } from './disputes.ts';
import { openRowsOf, refuseEarly, write, type Made, type Making } from './context.ts';

type Heard = { to: readonly Hearer[]; content: string };
const told = ({ context, row }: Making, after: Stored, { to, content }: Heard) =>
  announce(
    context.tx,
    contractNews.CONTRACT_CHANGED,
    row,
    { content, by: context.user.id, occasion: `${after.stage}-${after.version}` },
    to,
  );

async function cancelRows(tx: Db, ids: readonly number[], reason: string): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(contractPerformanceTable)
    .set({ cancelled: true, cancel_reason: reason.slice(0, 300) })
    .where(inArray(contractPerformanceTable.id, [...ids]));
}

/** 中止: nothing is due until it is resumed. */
export async function suspend(making: Making, { reason, file }: InputOf<'suspend'>): Promise<Made> {
  const columns = { stage: stage.suspended, suspended_on: making.today };
  const row = await write(making, { type: 'suspend', columns, reason, files: [file] });
  const to = [row.undertaker, finance];
  await told(making, row, { to, content: `${calledIn(row)}已中止履行。原因：${reason}` });
  return { row };
}

/** 恢复: open rows may be moved by the days of the suspension. */
export async function resume(making: Making, { reason, file, shift_plans }: InputOf<'resume'>): Promise<Made> {
  const { context, today } = making;
  const rested = daysBetween(making.row.suspended_on ?? today, today);
  const open = await openRowsOf(context.tx, making.row.id);
  if (shift_plans && rested > 0 && open.length > 0)
    await context.tx
      .update(contractPerformanceTable)
      .set({ plan_date: sql`${contractPerformanceTable.plan_date} + ${rested}::int` })
      .where(
        inArray(
          contractPerformanceTable.id,
          open.map((one) => one.id),
        ),
      );
  const columns = { stage: stage.running, suspended_on: null };
  const row = await write(making, { type: 'resume', columns, reason, files: [file] });
  const to = [row.undertaker, finance];
  const shifted = shift_plans && rested > 0 ? `，未履行节点顺延 ${rested} 天` : '';
  await told(making, row, { to, content: `${calledIn(row)}已恢复履行${shifted}。原因：${reason}` });
  return { row };
}

/** A settlement this many years after the end is a typing error of the year. */
const settledYears = 10;

/** 解除: open rows are cancelled, and only settlements may still be paid. */
export async function terminate(making: Making, input: InputOf<'terminate'>): Promise<Made> {
  const { context, today } = making;
  const { tx } = context;
  const { reason, date, settlement, file } = input;
  if (date > today) throw inFuture('解除日期', date);
  refuseEarly('解除日期', date, making.row);
  const before = settlement.find((one) => one.until < date);
  if (before) throw settledBefore(before.until, date);
  const last = addMonths(date, settledYears * 12);
  const after = settlement.find((one) => one.until > last);
  if (after) throw settledLate(after.until, date, settledYears);
  const late = await openRowsOf(tx, making.row.id, isLate(today));
  const open = await openRowsOf(tx, making.row.id);
  await cancelRows(
    tx,
    open.map((one) => one.id),
    `合同解除：${reason}`,
  );
  await cancelFor(tx, { module, id: making.row.id }, `合同解除：${reason}`, { by: context.user.id, now: context.now });
  const columns = { stage: stage.terminated, ended_on: date };
  const settled = settlement.map(
    (one) => `${one.until} 前${one.direction === direction.out ? '付' : '收'} ${moneyText(one.amount)} 元`,
  );
  const changes = changesOf({ date: '解除日期', settled: '结算' }, {}, { date, settled: settled.join('；') || null });
  const row = await write(making, { type: 'terminate', columns, reason, changes, files: [file] });
  await refuseOver(tx, row, settlement);
  if (settlement.length > 0)
    await tx.insert(contractPerformanceTable).values(
      settlement.map((one, index) => ({
        contract_id: row.id,
        kind: one.direction,
        direction: one.direction,
        period: index + 1,
        name: '解除结算',
        plan_date: one.until,
        plan_amount: one.amount,
        handler: row.undertaker,
        settlement: true,
      })),
    );
  const notes =
    late.length > 0 ? [`解除时有 ${late.length} 个节点拖欠：${late.map((one) => one.name).join('、')}。`] : [];
  const to = [row.undertaker, row.creator_id, finance, managers, headOfDept(row), leaderOfDept(row)];
  const content = `${calledIn(row)}已于 ${date} 解除。原因：${reason}${notes.join('')}`;
  await told(making, row, { to, content });
  return { row, notes };
}

/**
 * Refuses settlements in the contract's direction beyond the rest of its amount, and in the other one beyond all that was paid and damages as
 * high as the whole amount.
 */
async function refuseOver(tx: Db, row: Stored, settlement: InputOf<'terminate'>['settlement']): Promise<void> {
  const own = wholeOf(row);
  if (settlement.length === 0 || own === null) return;
  const sumOf = (isOwn: boolean) =>
    settlement.reduce((sum, one) => sum + ((one.direction === row.pay_direction) === isOwn ? fenOf(one.amount) : 0), 0);
  const [settled, back] = [sumOf(true), sumOf(false)];
  const { whole, said } = await agreedWithin(tx, row.id, own.whole);
  const done = fenOf(await registered(tx, { contracts: [row.id], kind: row.pay_direction }));
  const rest = fenOf(whole) - done;
  if (settled > 0 && settled > rest) throw settlesTooMuch(yuanOf(settled), yuanOf(Math.max(0, rest)), said);
  if (back > fenOf(own.whole) + done) throw settlesBackTooMuch(yuanOf(back), yuanOf(fenOf(own.whole) + done));
}

/** 履行完毕: no row is open, or there is a reason. */
export async function finish(making: Making, { reason }: InputOf<'finish'>): Promise<Made> {
  refuseDisputed(making.row, '履行完毕');
  await refuseUnregistered(making.context.tx, making.row, '履行完毕');
  await closeRows(making, reason);
  const row = await write(making, {
    type: 'finish',
    columns: { stage: stage.finished, ended_on: making.today },
    reason,
  });
  await told(making, row, { to: [row.undertaker], content: `${calledIn(row)}已登记履行完毕。` });
  return { row };
}

async function closeRows({ context: { tx }, row }: Making, reason: string): Promise<void> {
  const open = await openRowsOf(tx, row.id);
  if (open.length > 0 && reason === '') throw openRows(open.length);
  await cancelRows(
    tx,
    open.map((one) => one.id),
    reason,
  );
}

/** 免除结算: cancels settlements that nobody will pay. Returns them in words. */
async function releaseRows({ context: { tx }, row }: Making, reason: string): Promise<string[]> {
  const open = await openRowsOf(tx, row.id);
  if (open.length > 0 && reason === '') throw settlementOpen(open.length);
  await cancelRows(
    tx,
    open.map((one) => one.id),
    `免除结算：${reason}`,
  );
  return open.map((one) => `${one.name}（${one.plan_date} 前，${moneyText(one.rest)} 元）`);
}

/** Refuses to archive a contract whose scan differs from the registered one. Runs before the transaction, because reading may take long. */
export async function refuseBrokenScan(tx: Db, row: Stored): Promise<void> {
  const scan = row.signed_file === null ? null : await fileById(tx, row.signed_file);
  if (scan && !(await isWhole(tx.services.fileStore.store, scan.sha256))) throw scanBroken(scan.name);
}

/** 归档: the contract is read-only from now on. */
export async function archive(making: Making, input: InputOf<'archive'>): Promise<Made> {
  const { context, row: before } = making;
  const { archive_no, location, retention, reason } = input;
  refuseDisputed(before, '归档');
  if (before.stage === stage.expired) {
    await refuseUnregistered(context.tx, before, '归档');
    await closeRows(making, reason);
  }
  // Settlements are still owed, so they are registered, or released with a reason, before archiving.
  const released = before.stage === stage.terminated ? await releaseRows(making, reason) : [];
  const columns = {
    stage: stage.archived,
    archive_no,
    retention,
    archive_location: location,
    archived_at: context.now.toISOString(),
  };
  const taken = () => archiveNoTaken(archive_no);
  const labels = { archive_no: '档号', retention: '保管期限', archive_location: '存放位置', released: '免除结算' };
  const said = { ...columns, released: released.join('；') || null };
  const row = await write(making, { type: 'archive', columns, reason, changes: changesOf(labels, {}, said) }).catch(
    refuseOn('contract_archive_no_once', taken),
  );
  await enqueue(context.tx, packing, { id: row.id }, { key: `${packing} ${row.id}` });
  await told(making, row, { to: [row.undertaker], content: `${calledIn(row)}已归档，档号 ${archive_no}。` });
  return { row };
}

/** 作废 before the signature: revokes its ticket, with all consequences. */
export async function makeVoid({ context, row }: Making, { reason }: InputOf<'void'>): Promise<Made> {
  await revokeTicket(context, row.ticket_id!, reason);
  const after = await contracts.one(context.tx, row.id);
  return { row: after! };
}
