import { sql, type SQL } from 'drizzle-orm';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, nature, planKind, renewal, stage } from '../contract/codes.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';

// Each figure of contracts is said once, here: lists, counts, calendar, forecast, statistics and parties ask for it.

const {
  amount,
  reduced,
  paid,
  pay_direction,
  nature: what,
  stage: at,
  term_end,
  act_state,
  contract_no,
} = contractTable;
const { is_open, plan_amount, done_amount } = contractPerformanceTable;
// oxlint-disable-next-line eslint/no-restricted-properties -- numbers of ours, written out so that the planner of a prepared statement knows them
const written = (...codes: readonly number[]) => sql.raw(codes.join(', '));

/** Its amount counts: it is agreed to (one that was taken back keeps its number), not void, and changes no other, whose amount is counted already. */
export const counted: SQL = sql`(${contract_no} <> '' and ${at} >= ${written(stage.toSign)} and ${act_state} <> ${written(actState.closed)}
  and ${what} <> ${written(nature.supplement)})`;
/** What it comes to, less what audits took off it: `owedBy` says the same of a row. */
export const owed: SQL<number> = sql<number>`(${amount} - ${reduced})`;
/** Something may still be owed. */
export const owing: SQL = sql`${at} in (${written(stage.running, stage.suspended, stage.expired)})`;

/**
 * What is still owed in a contract's own direction: what it comes to less what was paid (refunds taken off already); of one that was
 * ended, what was settled and is open. What a framework owes, its calls owe.
 */
export const unpaid: SQL<number> = sql<number>`(case
  when ${what} <> ${written(nature.usual)} or ${pay_direction} = ${written(direction.none)} then 0
  when ${owing} then greatest(${owed} - ${paid}, 0)
  when ${at} = ${written(stage.terminated)} then (select coalesce(sum(p.plan_amount - p.done_amount), 0) from contract_performance p
    where p.contract_id = ${contractTable.id} and p.settlement and p.is_open and p.kind = ${pay_direction})
  else 0 end)`;

/** It ends within so many days; what goes on by itself does not end, and a supplement ends with its contract. */
export const expiring = (today: string, days: number): SQL =>
  sql`(${at} = ${written(stage.running)} and ${contractTable.renewal} <> ${written(renewal.tacit)} and ${what} <> ${written(nature.supplement)}
    and ${term_end} between ${today}::date and ${today}::date + ${days}::int)`;
export const toSign: SQL = sql`${at} = ${written(stage.toSign)}`;
export const toArchive: SQL = sql`${at} in (${written(stage.finished, stage.terminated)})`;

/** Kinds of rows by which money moves; what an invoice says is no movement. */
export const moves: SQL = sql`kind in (${written(planKind.payment, planKind.receipt, planKind.deposit)})`;
/** What a row moves on its day: as it was done, and what is not, as it was planned. */
export const worth: SQL = sql`case when ${is_open} then coalesce(${plan_amount}, 0) else greatest(${done_amount}, 0) end`;
/** What of a row is still to come, partly paid or not. */
export const due: SQL = sql`case when ${is_open} then greatest(coalesce(${plan_amount}, 0) - ${done_amount}, 0) else 0 end`;
