import { and, eq, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { names } from '#modules/platform/people/service/words.ts';
import { recordHandlers } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { keeps, move } from './acts.ts';
import {
  daysWrong,
  keeperGone,
  keyCalls,
  keyGone,
  keyStatistics,
  loanCalls,
  loanStatus,
  numberTaken,
} from './contract.ts';
import { isOverdue, nextAct } from './engine/acts.ts';
import { keysOf, loans, overdue } from './record.ts';
import { statistics } from './statistics.ts';
import { keyTable, loanTable } from './tables.ts';

const borrower = sql<
  number | null
>`(select l.creator_id from key_loan l where l.key_id = "door_key"."id" and l.status = ${inSql(loanStatus.out)})`;

const keys = nounHandlers(keyCalls, {
  table: keyTable,
  noun: '钥匙',
  title: ({ number, place }) => `${number} ${place}`,
  select: { borrower },
  search: [keyTable.number, keyTable.place],
  foundBy: (words) => names(words, (ids) => sql`(${keyTable.keeper} in ${ids} or ${borrower} in ${ids})`),
  async shows(rows, { tx }) {
    const people = await peopleById(
      tx,
      rows.flatMap((row) => [row.keeper, row.borrower].filter((one) => one !== null)),
    );
    return (row) => ({
      keeper_info: people.get(row.keeper),
      borrower_info: row.borrower === null ? null : people.get(row.borrower),
    });
  },
  async check({ tx }, { row, before }) {
    if (row.keeper !== before?.keeper && (await workingAmong(tx, [row.keeper])).length === 0) throw keeperGone();
  },
  inUse: {
    次未结束的借用: (id) =>
      sql`select count(*) from key_loan where key_id = ${id} and status <> ${inSql(loanStatus.back)} and act_state <> ${inSql(actState.closed)}`,
  },
  unique: { door_key_number: (row) => numberTaken(row.number) },
});

const writing = recordHandlers(loanCalls, loans, {
  /** A loan keeps the name that its key had when it was chosen. */
  async check(tx, { row, before }) {
    if (row.due_date! < row.start_date!) throw daysWrong(row.start_date!, row.due_date!);
    if (row.key_id === before?.key_id) return {};
    const there = and(eq(keyTable.id, row.key_id!), eq(keyTable.is_deleted, false));
    const [key] = await tx.select().from(keyTable).where(there).for('share');
    if (!key) throw keyGone();
    return { title: `${key.number} ${key.place}` };
  },
  async row(tx, rows, _viewer, now) {
    const known = await keysOf(
      tx,
      rows.map((row) => row.key_id),
    );
    const late = (row: (typeof rows)[number]) =>
      isOverdue({ ...row, returned_on: row.returned_at?.slice(0, 10) ?? null }, dayOf(now));
    return new Map(
      rows.map((row) => [row.id, { keeper_info: known.get(row.key_id)!.keeper_info, overdue: late(row) }]),
    );
  },
  actions(row, { user }, more) {
    const act = nextAct(row);
    const { keeper_info } = more as { keeper_info: { id: number } };
    return act && keeps(user, { keeper: keeper_info.id }) ? [act] : [];
  },
  list: ({ key_id, status, overdue: late }, _tx, _user) => ({
    where: and(
      key_id === undefined ? undefined : eq(loanTable.key_id, key_id),
      status === undefined ? undefined : eq(loanTable.status, status),
      late === undefined ? undefined : late ? overdue : sql`not ${overdue}`,
    ),
    sort: { start_date: loanTable.start_date, due_date: loanTable.due_date },
  }),
});

export const keysModule = implement('keys', { ...keyCalls, statistics: keyStatistics.call }, { ...keys, statistics });
export const loansModule = implement('keys', loanCalls, {
  ...writing,
  take: ({ params }, context) => move(context, params.id, 'take'),
  giveBack: ({ params }, context) => move(context, params.id, 'give_back'),
});
