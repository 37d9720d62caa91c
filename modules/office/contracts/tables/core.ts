import { sql, type AnyColumn } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { moneyColumn } from '#kernel/server/db/money.ts';
import { searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns } from '#modules/workflow/records/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { nature, numberState, renewal, stage } from '../contract/codes.ts';
import type { Plan } from '../contract/shapes.ts';
import { contractCategoryTable } from './categories.ts';
import { contractPartyTable } from './parties.ts';
import { textColumns } from './text-columns.ts';

const person = (name: string) => integer(name).references(() => userTable.id);
const file = (name: string) => integer(name).references(() => fileTable.id);
const notBelowZero = (name: string, column: AnyColumn) => check(name, sql`${column} >= 0`);

/** A contract, from its first draft to the archive box. After the signature only registrations change it (trigger). */
export const contractTable = pgTable(
  'contract',
  {
    ...recordColumns(),
    ...approvalColumns(),
    name: varchar('name', { length: 120 }).notNull(),
    /** Empty until it is approved. */
    contract_no: varchar('contract_no', { length: 40 }).notNull().default(''),
    /** 10 drafting … 90 void: contract/codes.ts. */
    stage: smallint('stage').notNull().default(10),
    category_id: integer('category_id')
      .notNull()
      .references(() => contractCategoryTable.id, { onDelete: 'restrict' }),
    nature: smallint('nature').notNull().default(1),
    /** The contract of a supplement, or the framework of a call-off. */
    parent_id: integer('parent_id'),
    pay_direction: smallint('pay_direction').notNull().default(1),
    /** Names of the other sides, for searching. */
    party_words: varchar('party_words', { length: 600 }).notNull().default(''),
    our_party: varchar('our_party', { length: 100 }).notNull(),
    amount: moneyColumn('amount').notNull().default(0),
    currency: varchar('currency', { length: 3 }).notNull().default('CNY'),
    tax_rate: numeric('tax_rate', { precision: 5, scale: 2, mode: 'number' }),
    /** The cap of a framework with its call-offs. */
    amount_cap: moneyColumn('amount_cap'),
    fund_source: varchar('fund_source', { length: 100 }).notNull().default(''),
    purchase_mode: smallint('purchase_mode'),
    bid_no: varchar('bid_no', { length: 50 }).notNull().default(''),
    undertaker: person('undertaker').notNull(),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
    /** The department in charge of this kind of contract. */
    manage_dept: integer('manage_dept').references(() => deptTable.id),
    start_date: date('start_date'),
    /** The first agreed end; null for an indefinite time. Later ends are in terms. */
    end_date: date('end_date'),
    renewal: smallint('renewal').notNull().default(0),
    renewal_months: smallint('renewal_months'),
    notice_days: smallint('notice_days'),
    remind_days: integer('remind_days').array().notNull().default([30, 15, 7, 1]),
    deposit: moneyColumn('deposit'),
    warranty_end: date('warranty_end'),
    dispute: smallint('dispute'),
    ...textColumns(),
    attachments: integer('attachment_ids').array().notNull().default([]),
    need_legal: boolean('need_legal').notNull().default(false),
    /** The number of thresholds of its category that it reaches. */
    step: smallint('step').notNull().default(0),
    risk_level: smallint('risk_level'),
    legal_opinion: text('legal_opinion').notNull().default(''),
    /** The planned rows; they become rows of their own on signing. */
    plans: jsonb('plans').$type<Plan[]>().notNull().default([]),
    approved_at: moment('approved_at'),
    /** The approved text to be sealed: the uploaded file, or the PDF of its text. */
    final_file: file('final_file_id'),
    sign_date: date('sign_date'),
    signed_by: person('signed_by'),
    signed_file: file('signed_file_id'),
    /** Our signer: 1 the legal representative, 2 somebody with a letter of authority. */
    authority: smallint('authority'),
    authority_file: file('authority_file_id'),
    /** True if the other side signed first. */
    party_signed: boolean('party_signed').notNull().default(false),
    copies_total: smallint('copies_total'),
    copies_kept: smallint('copies_kept'),
    keeper: person('keeper'),
    effective_date: date('effective_date'),
    stamp_application_id: integer('stamp_application_id'),
    /** The paid or received part of its amount, net of refunds, and the refunds; kept by its entries (trigger). */
    paid: moneyColumn('paid').notNull().default(0),
    refunded: moneyColumn('refunded').notNull().default(0),
    /** The total reduction by audits (审减), which is no longer owed. A new amount by a supplement resets it. */
    reduced: moneyColumn('reduced').notNull().default(0),
    /** The present term and its last day; before the signature, the drafted end (trigger). */
    term_no: smallint('term_no'),
    term_end: date('term_end'),
    /** Signed before approval; begun or paid before the signature. */
    backdated: boolean('backdated').notNull().default(false),
    late_signed: boolean('late_signed').notNull().default(false),
    /** The number of open disputes; kept by its registrations (trigger). */
    open_disputes: smallint('open_disputes').notNull().default(0),
    suspended_on: date('suspended_on'),
    ended_on: date('ended_on'),
    archive_no: varchar('archive_no', { length: 40 }).notNull().default(''),
    archive_location: varchar('archive_location', { length: 100 }).notNull().default(''),
    retention: varchar('retention', { length: 20 }).notNull().default(''),
    archived_at: moment('archived_at'),
    /** The package; null while it is being made. */
    packed_file: file('packed_file_id'),
    /** Imported from a sheet, without a ticket. */
    imported: boolean('imported').notNull().default(false),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'contract_parent' }),
    uniqueIndex('contract_no_once')
      .on(t.contract_no)
      .where(sql`${t.contract_no} <> ''`),
    // Normalized, so that spelling makes no difference.
    uniqueIndex('contract_archive_no_once')
      .on(plainSql(sql`${t.archive_no}`))
      .where(sql`${t.archive_no} <> ''`),
    index('contract_latest').on(t.gmt_created, t.id),
    // Used by the counts of the ledger.
    index('contract_sent')
      .on(t.gmt_created, t.id)
      .where(sql`${t.act_state} <> ${inSql(actState.draft)}`),
    index('contract_stage').on(t.stage, t.id),
    index('contract_stage_end').on(t.stage, t.term_end),
    index('contract_category_year').on(t.category_id, t.dept_id, t.gmt_created),
    index('contract_parent_index').on(t.parent_id),
    index('contract_disputed')
      .on(t.id)
      .where(sql`${t.open_disputes} > 0`),
    index('contract_undertaker').on(t.undertaker),
    searchIndex('contract_search', t.search),
    notBelowZero('contract_amount', t.amount),
    notBelowZero('contract_cap', t.amount_cap),
    notBelowZero('contract_deposit', t.deposit),
    check('contract_reduced', sql`${t.reduced} between 0 and ${t.amount}`),
    check(
      'contract_stages',
      sql`${t.stage} in (${inSql(stage.drafting, stage.toSign, stage.running, stage.finished, stage.suspended, stage.terminated, stage.expired, stage.archived, stage.void)})`,
    ),
    check('contract_natures', sql`${t.nature} between ${inSql(nature.usual)} and ${inSql(nature.supplement)}`),
    check('contract_ends', sql`${t.end_date} >= ${t.start_date}`),
    check('contract_supplement_of', sql`${t.nature} <> ${inSql(nature.supplement)} or ${t.parent_id} is not null`),
    check('contract_not_itself', sql`${t.parent_id} <> ${t.id}`),
    check(
      'contract_signed',
      sql`${t.stage} not in (${inSql(stage.running, stage.finished, stage.suspended, stage.expired)}) or ${t.sign_date} is not null`,
    ),
    check('contract_numbered', sql`${t.stage} in (${inSql(stage.drafting, stage.void)}) or ${t.contract_no} <> ''`),
    check(
      'contract_disputes',
      sql`${t.open_disputes} >= 0 and (${t.stage} <> ${inSql(stage.archived)} or ${t.open_disputes} = 0)`,
    ),
    check('contract_renews', sql`${t.renewal} <> ${inSql(renewal.tacit)} or ${t.renewal_months} between 1 and 120`),
  ],
);

const ofContract = () =>
  integer('contract_id')
    .notNull()
    .references(() => contractTable.id, { onDelete: 'cascade' });

/** The other sides, with the facts of the contract. */
export const contractSideTable = pgTable(
  'contract_side',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    contract_id: ofContract(),
    no: smallint('no').notNull(),
    party_id: integer('party_id')
      .notNull()
      .references(() => contractPartyTable.id, { onDelete: 'restrict' }),
    name: varchar('name', { length: 100 }).notNull(),
    role: varchar('role', { length: 20 }).notNull().default('乙方'),
    credit_code: varchar('credit_code', { length: 18 }).notNull().default(''),
    legal_person: varchar('legal_person', { length: 50 }).notNull().default(''),
    contact_name: varchar('contact_name', { length: 50 }).notNull().default(''),
    contact_phone: varchar('contact_phone', { length: 30 }).notNull().default(''),
    address: varchar('address', { length: 200 }).notNull().default(''),
    bank_name: varchar('bank_name', { length: 100 }).notNull().default(''),
    bank_account: varchar('bank_account', { length: 50 }).notNull().default(''),
  },
  (t) => [
    unique('contract_side_no').on(t.contract_id, t.no),
    unique('contract_side_once').on(t.contract_id, t.party_id),
    index('contract_side_party').on(t.party_id),
    check('contract_side_order', sql`${t.no} between 1 and 5`),
  ],
);

/** Numbers that were given, at most one valid for each contract; never deleted (trigger). */
export const contractNumberTable = pgTable(
  'contract_number',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    contract_id: integer('contract_id')
      .notNull()
      .references(() => contractTable.id, { onDelete: 'restrict' }),
    /** The category and year in which it is counted; for a supplement, its contract. */
    category_id: integer('category_id').references(() => contractCategoryTable.id, { onDelete: 'restrict' }),
    parent_id: integer('parent_id').references(() => contractTable.id, { onDelete: 'restrict' }),
    year: smallint('year').notNull(),
    seq: integer('seq').notNull(),
    contract_no: varchar('contract_no', { length: 40 }).notNull().unique(),
    /** 1 given, 3 void. */
    state: smallint('state').notNull().default(1),
    reason: varchar('reason', { length: 200 }).notNull().default(''),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    voided_at: moment('voided_at'),
  },
  (t) => [
    unique('contract_number_seq').on(t.category_id, t.year, t.seq),
    unique('contract_number_supplement').on(t.parent_id, t.seq),
    uniqueIndex('contract_number_living')
      .on(t.contract_id)
      .where(sql`${t.state} = ${inSql(numberState.used)}`),
    check('contract_number_counts', sql`num_nonnulls(${t.category_id}, ${t.parent_id}) = 1`),
    check(
      'contract_number_state',
      sql`${t.state} = ${inSql(numberState.used)} or (${t.state} = ${inSql(numberState.voided)} and ${t.reason} <> '')`,
    ),
  ],
);
