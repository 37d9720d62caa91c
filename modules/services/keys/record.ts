import { inArray, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { titled } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { flowByKey, isThrough, record, undoing, type RowOf } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { LoanRow, loanStatus, stillOut } from './contract.ts';
import { keyTable, loanTable } from './tables.ts';

export type Loan = RowOf<typeof loanTable>;
const Logged = LoanRow.pick({ title: true, start_date: true, due_date: true, reason: true });

/** Condition: the key was not back on the last day of its loan. */
export const overdue = sql`(${loanTable.status} <> ${inSql(loanStatus.waiting)} and ${loanTable.due_date} < coalesce(${loanTable.returned_at}::date, current_date))`;

/** Some keys with their keepers, by id; also those that were removed, because loans keep naming them. */
export async function keysOf(tx: Db, ids: readonly number[]) {
  const rows = await tx
    .select()
    .from(keyTable)
    .where(inArray(keyTable.id, [...ids]));
  const people = await peopleById(
    tx,
    rows.map((row) => row.keeper),
  );
  return new Map(rows.map((row) => [row.id, { ...row, keeper_info: people.get(row.keeper)! }]));
}

/** The loan of a key: its keeper decides, hands it out and takes it back. */
export const loans = record({
  module: 'keys',
  noun: '钥匙借用',
  page: (id) => `/key/loan/${id}`,
  table: loanTable,
  scope: 'key/loan',
  // The keeper sees who borrows and borrowed their keys.
  related: ({ user }) =>
    sql`(${loanTable.act_state} <> ${inSql(actState.draft)} and ${loanTable.key_id} in (select id from ${keyTable} where keeper = ${user.id}))`,
  flow: flowByKey('key_loan', '钥匙借用'),
  fills: {
    title: ({ title }) => title,
    keeper: async ({ key_id }, tx) => [(await keysOf(tx, [key_id])).get(key_id)!.keeper_info.username],
  },
  search: ({ title, reason }) => ({ texts: [title, reason] }),
  figure: ({ start_date, due_date }) => `${start_date} 至 ${due_date}`,
  faults: (_tx, { due_date }, { now }) =>
    due_date < dayOf(now)
      ? [{ field: 'due_date', label: '应还日期', msg: `应还日期 ${due_date} 已经过去，请改为今天或以后的日期` }]
      : [],
  // A key that was handed out comes back by its own act; until then its approval stands.
  guard: ({ status, title }) =>
    status === loanStatus.out ? ({ action }) => (undoing.includes(action) ? stillOut(title) : null) : null,
  log: (row) => ({ title: row.title, facts: titled(Logged, { ...row }), ...stateOf(row) }),
});
const stateOf = ({ act_state, status }: Pick<Loan, 'act_state' | 'status'>) =>
  isThrough(act_state) ? { state: loanStatus.label(status) } : {};
