import { sql, type SQL } from 'drizzle-orm';
import { performanceState, stage } from '../contract/codes.ts';
import { contractPerformanceTable, contractTable } from '../tables.ts';

/** Its plan may still be moved. */
export const isPlanned = (at: number): boolean =>
  at === stage.running || at === stage.expired || at === stage.suspended;

const { cancelled, done_amount, is_open, plan_date } = contractPerformanceTable;
const { notDue, due, partly, done, late, cancelled: off } = performanceState;

/** It is still to be performed and its day is over; nothing is due of a contract that rests. Joined with that. */
export const isLate = (today: string): SQL =>
  sql`(${is_open} and ${plan_date} < ${today}::date and ${contractTable.stage} <> ${stage.suspended})`;

/**
 * How far a row of performance is on a day. Computed, never stored: one condition for lists, counts, calendar and reminders. Joined with
 * its contract.
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
