import { and, eq, ne, not, or, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
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
  keyState,
  keyStatistics,
  loanCalls,
  loanStatus,
  numberTaken,
} from './contract.ts';
import { isOverdue, nextAct, statusOn } from './engine/acts.ts';
import { keyTitle, refuseAsked } from './keepers.ts';
import { hasStatus, isKeptBy, isOpen, keepersFor, keysOf, lentOf, loans, lockKey, overdue } from './record.ts';
import { statistics } from './statistics.ts';
import { keyTable, loanTable } from './tables.ts';

const borrower = sql<
  number | null
>`(select l.creator_id from key_loan l where l.key_id = "door_key"."id" and l.status = ${inSql(loanStatus.out)})`;

const keys = nounHandlers(keyCalls, {
  table: keyTable,
  noun: '钥匙',
  title: keyTitle,
  select: { borrower },
  search: [keyTable.number, keyTable.place],
  // Nobody finds by a borrower what their row does not show.
  async foundBy(words, { tx, user }) {
    const known = holds(user, 'Retrieve', 'key/list')
      ? sql`true`
      : sql`(${isAmong(keyTable.keeper, await keepersFor(tx, user))} or ${borrower} = ${user.id})`;
    return names(words, (ids) => sql`(${keyTable.keeper} in ${ids} or (${borrower} in ${ids} and ${known}))`);
  },
  async shows(rows, { tx, user }) {
    const people = await peopleById(
      tx,
      rows.flatMap((row) => [row.keeper, row.borrower].filter((one) => one !== null)),
    );
    const keepers = await keepersFor(tx, user);
    const lent = Map.groupBy(
      await lentOf(
        tx,
        rows.map((row) => row.id),
      ),
      (loan) => loan.key_id,
    );
    return ({ id, keeper, borrower: has }) => {
      const known = holds(user, 'Retrieve', 'key/list') || keepers.includes(keeper) || has === user.id;
      return {
        keeper_info: people.get(keeper),
        state: has === null ? keyState.there : keyState.out,
        borrower_info: has === null || !known ? null : people.get(has),
        lent: lent.get(id) ?? [],
      };
    };
  },
  async check({ tx }, { row, before }) {
    if (row.keeper === before?.keeper) return;
    if ((await workingAmong(tx, [row.keeper])).length === 0) throw keeperGone();
    if (before) await refuseAsked(tx, before);
  },
  inUse: {
    次未结束的借用: (id) =>
      sql`select count(*) from key_loan where key_id = ${id} and (act_state = ${inSql(actState.ongoing)} or ${isOpen})`,
  },
  unique: { door_key_number: (row) => numberTaken(row.number) },
});

/** Condition: the person hands out the key of the loan or takes it back, as its keeper or, for loans of others, as a delegate of the keeper. */
async function waitsAtDeskOf(tx: Db, user: Viewer) {
  const registers = or(isKeptBy([user.id]), ne(loanTable.creator_id, user.id));
  return and(isKeptBy(await keepersFor(tx, user)), isOpen, registers);
}

const writing = recordHandlers(loanCalls, loans, {
  /** A loan keeps the name that its key had when it was chosen. */
  async check(tx, { row, before }) {
    if (row.due_date! < row.start_date!) throw daysWrong(row.start_date!, row.due_date!);
    if (row.key_id === before?.key_id) return {};
    const key = await lockKey(tx, row.key_id!);
    if (!key) throw keyGone();
    return { title: keyTitle(key) };
  },
  async row(tx, rows, _viewer, now) {
    const known = await keysOf(
      tx,
      rows.map((row) => row.key_id),
    );
    const today = dayOf(now);
    return new Map(
      rows.map((row) => [
        row.id,
        {
          keeper_info: known.get(row.key_id)!.keeper_info,
          status: statusOn(row, today),
          overdue: isOverdue(row, today),
        },
      ]),
    );
  },
  actions(row, viewer, more, now) {
    const act = nextAct(row, dayOf(now));
    const { keeper_info } = more as { keeper_info: { id: number } };
    return act && keeps(viewer, keeper_info.id, row.creator_id) ? [act] : [];
  },
  list: async ({ category, key_id, status, overdue: late }, tx, user) => ({
    ...(category === 'desk' ? { category: 'all' } : {}),
    where: and(
      category === 'desk' ? await waitsAtDeskOf(tx, user) : undefined,
      key_id === undefined ? undefined : eq(loanTable.key_id, key_id),
      status === undefined ? undefined : hasStatus(status),
      late === undefined ? undefined : late ? overdue : not(overdue),
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
