import { sql } from 'drizzle-orm';
import { check, date, foreignKey, integer, pgTable, smallint, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { plainNameColumn, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');

/** 相对方: a party with whom this house has contracts; unique by normalized name. */
export const contractPartyTable = pgTable(
  'contract_party',
  {
    ...recordColumns(),
    name: varchar('name', { length: 100 }).notNull(),
    plain_name: plainNameColumn(),
    credit_code: line('credit_code', 18),
    legal_person: line('legal_person', 50),
    contact_name: line('contact_name', 50),
    contact_phone: line('contact_phone', 30),
    address: line('address', 200),
    bank_name: line('bank_name', 100),
    bank_account: line('bank_account', 50),
    /** 0 normal, 1 suspended, 2 banned; until a day, or until changed. */
    standing: smallint('standing').notNull().default(0),
    standing_reason: line('standing_reason', 200),
    standing_until: date('standing_until'),
    /** The party into which it was merged. */
    merged_id: integer('merged_id'),
    remark: line('remark', 300),
    search: searchColumn(),
  },
  (t) => [
    foreignKey({ columns: [t.merged_id], foreignColumns: [t.id], name: 'contract_party_merged' }),
    uniqueIndex('contract_party_credit_code')
      .on(t.credit_code)
      .where(sql`${t.credit_code} <> ''`),
    uniqueIndex('contract_party_name')
      .on(t.plain_name)
      .where(sql`${t.merged_id} is null`),
    searchIndex('contract_party_search', t.search),
    check('contract_party_standing', sql`${t.standing} between 0 and 2`),
    check('contract_party_reason', sql`${t.standing} = 0 or ${t.standing_reason} <> ''`),
    check('contract_party_not_itself', sql`${t.merged_id} <> ${t.id}`),
  ],
);
