import { sql } from 'drizzle-orm';
import { check, date, index, integer, pgTable, smallint, varchar } from 'drizzle-orm/pg-core';
import { inSql, recordColumns } from '#kernel/server/db/columns.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { exchangeDirection } from '../contract/exchange/exchange.ts';
import { documentTable } from '../tables.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');

/** A paper exchanged with another organisation. It cannot change once it was signed for or returned (migrations/0074-exchange.sql). */
export const documentExchangeTable = pgTable(
  'document_exchange',
  {
    ...recordColumns(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    /** The department of the person who entered it; the data scope uses it. */
    dept_id: integer('dept_id').references(() => deptTable.id),
    /** 1 sent, 2 received. */
    direction: smallint('direction').notNull(),
    /** Null if the paper is no document of the system. */
    document_id: integer('document_id').references(() => documentTable.id),
    title: varchar('title', { length: 200 }).notNull(),
    number: line('number', 60),
    org: varchar('org', { length: 100 }).notNull(),
    exchanged_on: date('exchanged_on').notNull(),
    copies: integer('copies').notNull().default(1),
    way: smallint('way').notNull().default(2),
    remark: line('remark', 200),
    signed_by: line('signed_by', 30),
    signed_on: date('signed_on'),
    returned_on: date('returned_on'),
    return_reason: line('return_reason', 200),
  },
  (t) => [
    index('document_exchange_newest').on(t.exchanged_on, t.id),
    index('document_exchange_by_document')
      .on(t.document_id)
      .where(sql`${t.document_id} is not null`),
    check(
      'document_exchange_direction',
      sql`${t.direction} in (${inSql(exchangeDirection.out, exchangeDirection.coming)})`,
    ),
    check('document_exchange_way', sql`${t.way} between 1 and 5`),
    check('document_exchange_copies', sql`${t.copies} between 1 and 9999`),
    check('document_exchange_named', sql`${t.title} <> '' and ${t.org} <> ''`),
    check(
      'document_exchange_signed',
      sql`(${t.signed_on} is null) = (${t.signed_by} = '') and ${t.signed_on} >= ${t.exchanged_on}`,
    ),
    check(
      'document_exchange_returned',
      sql`(${t.returned_on} is null) = (${t.return_reason} = '') and ${t.returned_on} >= ${t.exchanged_on}
        and ${t.returned_on} >= ${t.signed_on}`,
    ),
  ],
);
