import { sql, type SQL } from 'drizzle-orm';
import { performanceState, stage } from '../contract/codes.ts';
import { contractEntryTable, contractPerformanceTable, contractTable } from '../tables.ts';

const { id, cancelled, plan_amount, plan_date } = contractPerformanceTable;
const { notDue, due, partly, done, late, cancelled: off } = performanceState;
const entries = sql`${contractEntryTable} e where e.performance_id = ${id}`;

/** What was registered on a row of performance, less what was reversed. */
export const doneAmount: SQL<number> = sql`(select coalesce(sum(e.amount), 0) from ${entries})`.mapWith(
  Number,
) as SQL<number>;
/** Whether anything that still holds was registered on it, and was accepted. */
const accepted = sql`exists (select from ${entries} and e.reverses_id is null and e.accept_result is distinct from 2
  and not exists (select from ${contractEntryTable} r where r.reverses_id = e.id))`;
/** Whether anything was ever registered on it. */
export const hasEntries: SQL<boolean> = sql<boolean>`exists (select from ${entries})`;

/**
 * How far a row of performance is on a day. Computed, never stored: one condition for lists, counts, calendar and reminders. Joined with
 * its contract; nothing is due of one that rests.
 */
export const stateOn = (today: string, soon: number): SQL<number> => sql<number>`(case
  when ${cancelled} then ${off}::int
  when coalesce(${plan_amount}, 0) > 0 and ${doneAmount} >= ${plan_amount} then ${done}::int
  when coalesce(${plan_amount}, 0) = 0 and ${accepted} then ${done}::int
  when ${contractTable.stage} = ${stage.suspended} then case when ${doneAmount} > 0 then ${partly}::int else ${notDue}::int end
  when ${plan_date} < ${today}::date then ${late}::int
  when ${doneAmount} > 0 then ${partly}::int
  when ${plan_date} <= ${today}::date + ${soon}::int then ${due}::int
  else ${notDue}::int end)`;

/** Rows that are still to be performed. */
export const isOpen = (today: string, soon: number): SQL => sql`${stateOn(today, soon)} in (0, 1, 2, 4)`;
/** Days until its day. */
export const daysLeft = (today: string): SQL<number> => sql<number>`(${plan_date} - ${today}::date)`;
