import { sql, type SQL } from 'drizzle-orm';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { direction, nature, planKind, renewal, stage } from '../contract/codes.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';

// Each figure of contracts is defined once, here; lists, counts, calendar, forecast, statistics and parties use it.

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

/**
 * Condition: its amount counts. It is approved (a withdrawn one keeps its number), not void, and no supplement, whose amount is part of its
 * contract's.
 */
export const counted: SQL = sql`(${contract_no} <> '' and ${at} >= ${written(stage.toSign)} and ${act_state} <> ${written(actState.closed)}
  and ${what} <> ${written(nature.supplement)})`;
/** The total owed: the amount less reductions by audits; `owedBy` is the same for a row. */
export const owed: SQL<number> = sql<number>`(${amount} - ${reduced})`;
/** Condition: something may still be owed. */
export const owing: SQL = sql`${at} in (${written(stage.running, stage.suspended, stage.expired)})`;

/**
 * The amount still owed in the contract's direction: the total less payments (net of refunds); after a termination, the open settlements. A
 * framework owes nothing itself; its call-offs do.
 */
export const unpaid: SQL<number> = sql<number>`(case
  when ${what} <> ${written(nature.usual)} or ${pay_direction} = ${written(direction.none)} then 0
  when ${owing} then greatest(${owed} - ${paid}, 0)
  when ${at} = ${written(stage.terminated)} then (select coalesce(sum(p.plan_amount - p.done_amount), 0) from contract_performance p
    where p.contract_id = ${contractTable.id} and p.settlement and p.is_open and p.kind = ${pay_direction})
  else 0 end)`;

/** Condition: it ends within the given days; contracts with tacit renewal do not end, and a supplement ends with its contract. */
export const expiring = (today: string, days: number): SQL =>
  sql`(${at} = ${written(stage.running)} and ${contractTable.renewal} <> ${written(renewal.tacit)} and ${what} <> ${written(nature.supplement)}
    and ${term_end} between ${today}::date and ${today}::date + ${days}::int)`;
export const toSign: SQL = sql`${at} = ${written(stage.toSign)}`;
export const toArchive: SQL = sql`${at} in (${written(stage.finished, stage.terminated)})`;

/** Condition: kinds of rows that move money; an invoice does not. */
export const moves: SQL = sql`kind in (${written(planKind.payment, planKind.receipt, planKind.deposit)})`;
/** The money of a row on its day: the amount done, or for an open row the planned one. */
export const worth: SQL = sql`case when ${is_open} then coalesce(${plan_amount}, 0) else greatest(${done_amount}, 0) end`;
/** The amount of a row still to come, after partial payments. */
export const due: SQL = sql`case when ${is_open} then greatest(coalesce(${plan_amount}, 0) - ${done_amount}, 0) else 0 end`;
