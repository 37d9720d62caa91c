import { and, eq, gte, inArray, isNull, not, or, sql, type SQL } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import { titled, titleOf } from '#kernel/contract/titles.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { delegationsOf, withDelegates } from '#modules/workflow/delegations/service.ts';
import {
  flowByKey,
  record,
  undoing,
  type FaultsAsked,
  type RecordViewer,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { workflowByKey } from '#modules/workflow/workflows/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { lentAlready, LoanInput, loanOver, LoanRow, loanStatus, stillOut } from './contract.ts';
import { clashOf, statusOn } from './engine/acts.ts';
import { keyTable, loanTable } from './tables.ts';

export type Loan = RowOf<typeof loanTable>;
/** A person with the keepers in whose place they may act now: themselves, and those who delegated loans of keys to them. */
export interface KeyViewer extends RecordViewer {
  keepers: readonly number[];
}
const Logged = LoanRow.pick({ title: true, start_date: true, due_date: true, reason: true });
const flow = 'key_loan';

/** Condition: the key was not back on the last day of its loan. */
export const overdue = sql`(${loanTable.taken_at} is not null and ${loanTable.due_date} < coalesce(${loanTable.returned_at}::date, current_date))`;

/** Condition: the loan reads as this status today; the same as `statusOn`. */
export function hasStatus(status: number): SQL {
  const { waiting, lapsed } = loanStatus;
  if (status !== waiting && status !== lapsed) return eq(loanTable.status, status);
  const past = sql`${loanTable.due_date} < current_date`;
  return and(eq(loanTable.status, waiting), status === lapsed ? past : not(past))!;
}

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

/** Locks a key, so that loans of it are sent, approved and handed out one after the other; undefined if it was removed. */
export async function lockKey(tx: Db, id: number) {
  const there = and(eq(keyTable.id, id), eq(keyTable.is_deleted, false));
  return (await tx.select().from(keyTable).where(there).for('no key update'))[0];
}

/** Approved loans of some keys whose keys are not back and whose days reach to `since`, in the order of their days. */
export const lentOf = (tx: Db, ids: readonly number[], since: string | SQL = sql`current_date`) => {
  const { key_id, creator_id, start_date, due_date, act_state, returned_at } = loanTable;
  const approved = inArray(act_state, [actState.finished, actState.finishAsked]);
  return tx
    .select({ key_id, creator_id, start_date, due_date })
    .from(loanTable)
    .where(and(isAmong(key_id, ids), approved, isNull(returned_at), gte(due_date, since)))
    .orderBy(start_date);
};

export async function keepersFor(tx: Db, { id }: Viewer): Promise<number[]> {
  const delegations = await delegationsOf(tx, id);
  const limited = delegations.some(({ workflows }) => workflows !== null);
  const own = limited ? await workflowByKey(tx, flow) : null;
  const given = delegations.filter(({ workflows }) => workflows === null || (own !== null && workflows.includes(own)));
  return [id, ...given.map(({ principal }) => principal)];
}

/** Condition: the loan is of a key that one of these people keeps. */
export const isKeptBy = (keepers: readonly number[]) =>
  sql`${loanTable.key_id} in (select id from ${keyTable} where ${isAmong(keyTable.keeper, keepers)})`;

/** Condition: the key of the loan is out, or may still be fetched. */
export const isOpen = or(eq(loanTable.status, loanStatus.out), hasStatus(loanStatus.waiting))!;

/** The loan of a key: its keeper decides, hands it out and takes it back. */
export const loans = record<typeof loanTable, KeyViewer>({
  module: 'keys',
  noun: '钥匙借用',
  page: (id) => `/key/loan/${id}`,
  table: loanTable,
  scope: 'key/loan',
  viewer: async (tx, user) => ({ keepers: await keepersFor(tx, user) }),
  // The keeper sees who borrows and borrowed their keys.
  related: ({ keepers }) => sql`(${loanTable.act_state} <> ${inSql(actState.draft)} and ${isKeptBy(keepers)})`,
  flow: flowByKey(flow, '钥匙借用'),
  fills: {
    title: ({ title }) => title,
    keeper: async ({ key_id }, tx) => [(await keysOf(tx, [key_id])).get(key_id)!.keeper_info.username],
  },
  search: ({ title, reason }) => ({ texts: [title, reason] }),
  people: (ids) => sql`${loanTable.key_id} in (select id from ${keyTable} where keeper in ${ids})`,
  figure: ({ start_date, due_date }) => `${start_date} 至 ${due_date}`,
  faults,
  // A key that was handed out comes back by its own act; from then on the loan is what it was.
  guard({ taken_at, returned_at, title }) {
    const held = taken_at === null ? null : returned_at === null ? stillOut(title) : loanOver(title);
    return held && (({ action }) => (undoing.includes(action) ? held : null));
  },
  log: (row) => ({
    title: row.title,
    facts: titled(Logged, { ...row }),
    ...stateOf(row),
  }),
});

/** The state of an approved loan as its page and the list show it today. */
function stateOf(row: Loan): { state?: string } {
  const status = statusOn(row, dayOf(houseNow()));
  return status === null ? {} : { state: loanStatus.label(status) };
}

/** The errors of a loan: the borrower who sends it reads how to mend it, the keeper who agrees later that it cannot be agreed to. */
async function faults(tx: Db, row: Loan, { now, by, at }: FaultsAsked): Promise<FieldError[]> {
  const { title, start_date, due_date } = row;
  const today = dayOf(now);
  const fault = (field: keyof typeof LoanInput.shape, wrong: string, advice: string): FieldError => ({
    field,
    label: titleOf(LoanInput.shape[field])!,
    msg: `${wrong}，${at === 'approved' ? '请退回起草人修改' : advice}`,
  });
  const key = await lockKey(tx, row.key_id);
  if (!key) return [fault('key_id', `${title}已停止借用`, '请选择其他钥匙')];
  const errors: FieldError[] = [];
  if (at === 'submitted' && start_date < today)
    errors.push(fault('start_date', `借用日期 ${start_date} 已经过去`, '请改为今天或以后的日期'));
  if (due_date < today) errors.push(fault('due_date', `应还日期 ${due_date} 已经过去`, '请改为今天或以后的日期'));
  // A loan that is agreed to late reaches back to days that are over, and the database keeps those apart too.
  const clash = clashOf(await lentOf(tx, [key.id], start_date), row);
  if (clash) {
    // Borrowers learn that somebody has it; who it is concerns the keeper.
    const known = by !== null && (await withDelegates(tx, key.keeper)).includes(by);
    const who = known ? (await peopleById(tx, [clash.creator_id])).get(clash.creator_id)?.alias : undefined;
    errors.push(fault('start_date', lentAlready(title, clash, who), '请改选其他日期或钥匙'));
  }
  return errors;
}
