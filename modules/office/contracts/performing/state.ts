import { sql, type SQL } from 'drizzle-orm';
import { performanceState, stage } from '../contract/codes.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';

/** True if its plan may still be moved. */
export const isPlanned = (at: number): boolean =>
  at === stage.running || at === stage.expired || at === stage.suspended;

const { cancelled, done_amount, is_open, plan_date } = contractPerformanceTable;
const { notDue, due, partly, done, late, cancelled: off } = performanceState;

/** Condition: open and past its day; nothing is due in a suspended contract. Needs the contract joined. */
export const isLate = (today: string): SQL =>
  sql`(${is_open} and ${plan_date} < ${today}::date and ${contractTable.stage} <> ${stage.suspended})`;

/**
 * The state of a row of performance on a day. Computed, never stored: one expression for lists, counts, calendar and reminders. Needs the
 * contract joined.
 */
export const stateOn = (today: string, soon: number): SQL<number> => sql<number>`(case
  when ${cancelled} then ${off}::int
  when not ${is_open} then ${done}::int
  when ${isLate(today)} then ${late}::int
  when ${done_amount} > 0 then ${partly}::int
  when ${plan_date} <= ${today}::date + ${soon}::int and ${contractTable.stage} <> ${stage.suspended} then ${due}::int
  else ${notDue}::int end)`;

/** Days until its day. */
export const daysLeft = (today: string): SQL<number> => sql<number>`(${plan_date} - ${today}::date)`;
