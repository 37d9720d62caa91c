import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, smallint, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchIndex } from '#kernel/server/list/search.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns } from '#modules/workflow/records/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { loanStatus } from './contract.ts';

/** The states of an approved record. */
const through = [actState.finished, actState.finishAsked];

export const keyTable = pgTable(
  'door_key',
  {
    ...recordColumns(),
    number: varchar('number', { length: 20 }).notNull(),
    place: varchar('place', { length: 50 }).notNull(),
    keeper: integer('keeper')
      .notNull()
      .references(() => userTable.id),
    ...deletable(),
  },
  (t) => [
    uniqueIndex('door_key_number')
      .on(t.number)
      .where(sql`not ${t.is_deleted}`),
    index('door_key_keeper').on(t.keeper),
  ],
);

export const loanTable = pgTable(
  'key_loan',
  {
    ...recordColumns(),
    ...approvalColumns(),
    title: varchar('title', { length: 80 }).notNull(),
    key_id: integer('key_id')
      .notNull()
      .references(() => keyTable.id),
    start_date: date('start_date').notNull(),
    due_date: date('due_date').notNull(),
    reason: varchar('reason', { length: 200 }).notNull(),
    taken_at: moment('taken_at'),
    returned_at: moment('returned_at'),
    /** Null until the loan is approved. */
    status: smallint('status').generatedAlwaysAs(
      sql`case when returned_at is not null then ${inSql(loanStatus.back)} when taken_at is not null then ${inSql(loanStatus.out)} when act_state in (${inSql(...through)}) then ${inSql(loanStatus.waiting)} end`,
    ),
  },
  (t) => [
    check('key_loan_days', sql`${t.start_date} <= ${t.due_date}`),
    check(
      'key_loan_way',
      sql`${t.returned_at} is null or (${t.taken_at} is not null and ${t.taken_at} <= ${t.returned_at})`,
    ),
    check('key_loan_approved', sql`${t.taken_at} is null or ${t.act_state} in (${inSql(...through)})`),
    // That approved loans of a key do not overlap is an exclusion constraint (`migrations/0310-loans-follow.sql`). No key is out twice at the same time.
    uniqueIndex('key_loan_out')
      .on(t.key_id)
      .where(sql`${t.taken_at} is not null and ${t.returned_at} is null`),
    index('key_loan_key').on(t.key_id),
    index('key_loan_creator').on(t.creator_id),
    index('key_loan_dept').on(t.dept_id),
    index('key_loan_newest').on(t.gmt_created, t.id),
    searchIndex('key_loan_search', t.search),
  ],
);
