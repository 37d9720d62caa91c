import { and, asc, eq, sql } from 'drizzle-orm';
import { moneyText } from '#kernel/contract/money/money.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { claimant, disputeEnd } from '../contract/codes.ts';
import type { InputOf } from '../contract/performing/register.ts';
import { disputeUnknown, disputesOpen } from '../contract/refusals.ts';
import { calledIn, contractNews, finance, headOfDept, lawyers, leaderOfDept, managers } from '../record/news.ts';
import type { Stored } from '../record/record.ts';
import { contractEventTable } from '../tables.ts';
import { write, type Made, type Making } from './context.ts';
import { changesOf } from './events.ts';

const labels = { claimant: '提出方', amount: '涉及金额', way: '了结方式' };

/** 争议登记: while a dispute is open, its contract can be neither finished nor archived. */
export async function dispute(
  making: Making,
  { claimant: by, reason, amount, file }: InputOf<'dispute'>,
): Promise<Made> {
  const said = { claimant: claimant.label(by), amount: amount ?? null };
  const over = amount ? `，涉及 ${moneyText(amount)} 元` : '';
  return registered(
    making,
    { type: 'dispute', reason, said, files: [file] },
    `发生争议（${said.claimant}提出${over}）`,
  );
}

/** 争议了结: records the outcome of a dispute, once. */
export async function endDispute(
  making: Making,
  { dispute_id, way, reason, file }: InputOf<'dispute_end'>,
): Promise<Made> {
  const open = await openDisputesOf(making.context.tx, making.row);
  if (!open.some((one) => one.id === dispute_id)) throw disputeUnknown();
  const said = { way: disputeEnd.label(way) };
  return registered(
    making,
    { type: 'dispute_end', reason, said, files: [file], dispute_id },
    `的争议已${said.way}了结`,
  );
}

interface Registered {
  type: 'dispute' | 'dispute_end';
  reason: string;
  said: object;
  files: readonly (number | null | undefined)[];
  dispute_id?: number;
}
async function registered(making: Making, { said, ...event }: Registered, what: string): Promise<Made> {
  const { tx, user } = making.context;
  let occasion = '';
  const row = await write(making, {
    ...event,
    changes: changesOf(labels, {}, said),
    between: async (id) => void (occasion = `dispute-${id}`),
  });
  const to = [row.undertaker, managers, finance, lawyers, headOfDept(row), leaderOfDept(row)];
  const content = `${calledIn(row)}${what}：${event.reason}`;
  await announce(tx, contractNews.CONTRACT_CHANGED, row, { content, by: user.id, occasion }, to);
  return { row };
}

/** Open disputes of a contract, the oldest first. */
export async function openDisputesOf(tx: Db, row: Pick<Stored, 'id' | 'open_disputes'>) {
  if (row.open_disputes === 0) return [];
  const { id, reason, contract_id, type } = contractEventTable;
  const open = sql`not exists (select from contract_event ended where ended.dispute_id = ${id})`;
  return tx
    .select({ id, reason })
    .from(contractEventTable)
    .where(and(eq(contract_id, row.id), eq(type, 'dispute'), open))
    .orderBy(asc(id));
}

/** Refuses to end a contract with open disputes. */
export function refuseDisputed(row: Pick<Stored, 'open_disputes'>, what: string): void {
  if (row.open_disputes > 0) throw disputesOpen(row.open_disputes, what);
}
