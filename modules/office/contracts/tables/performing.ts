import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { inSql, moment, plainCodeSql, recordColumns } from '#kernel/server/db/columns.ts';
import { moneyColumn } from '#kernel/server/db/money.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { direction, planKind } from '../contract/codes.ts';
import type { FieldChange } from '../contract/shapes.ts';
import { contractTable } from './core.ts';

const contract = () =>
  integer('contract_id')
    .notNull()
    .references(() => contractTable.id, { onDelete: 'restrict' });
const done = () => ({
  by: integer('by').references(() => userTable.id),
  at: moment('at')
    .notNull()
    .default(sql`now()`),
});

/** Terms of a contract: the first from the signature, another for each tacit renewal. Terms of a contract do not overlap (constraint). */
export const contractTermTable = pgTable(
  'contract_term',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    contract_id: contract(),
    no: smallint('no').notNull(),
    start_date: date('start_date').notNull(),
    /** Null for an indefinite time. */
    end_date: date('end_date'),
    /** The last day for a notice of non-renewal. */
    notice_date: date('notice_date'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    unique('contract_term_no').on(t.contract_id, t.no),
    check('contract_term_ends', sql`${t.end_date} >= ${t.start_date}`),
  ],
);

/** A planned row of performance, with the sums of its entries, which a trigger keeps. */
export const contractPerformanceTable = pgTable(
  'contract_performance',
  {
    ...recordColumns(),
    contract_id: contract(),
    kind: smallint('kind').notNull(),
    /** 1 we pay, 2 we are paid; for kinds that move money. */
    direction: smallint('direction'),
    /** True for a deposit that is given back; without the mark, the rows before it decide. */
    gives_back: boolean('gives_back').notNull().default(false),
    period: smallint('period').notNull().default(1),
    name: varchar('name', { length: 60 }).notNull(),
    condition: varchar('condition', { length: 300 }).notNull().default(''),
    plan_date: date('plan_date').notNull(),
    plan_amount: moneyColumn('plan_amount'),
    handler: integer('handler')
      .notNull()
      .references(() => userTable.id),
    remind_days: integer('remind_days').array().notNull().default([7, 3, 0]),
    cancelled: boolean('cancelled').notNull().default(false),
    cancel_reason: varchar('cancel_reason', { length: 300 }).notNull().default(''),
    /** Agreed in a termination; nothing else of the contract may be performed after that. */
    settlement: boolean('settlement').notNull().default(false),
    /** The registered amount, net of reversals. */
    done_amount: moneyColumn('done_amount').notNull().default(0),
    /** The number of entries, of those not reversed, and of the accepted ones among those. */
    entries: integer('entries').notNull().default(0),
    holding: integer('holding').notNull().default(0),
    accepted: integer('accepted').notNull().default(0),
    /** True while it is still to be performed. */
    is_open: boolean('is_open')
      .notNull()
      .generatedAlwaysAs(
        sql`not cancelled and case when coalesce(plan_amount, 0) > 0 then done_amount < plan_amount else accepted = 0 end`,
      ),
  },
  (t) => [
    index('contract_performance_contract').on(t.contract_id, t.plan_date),
    index('contract_performance_day').on(t.plan_date, t.id),
    index('contract_performance_open')
      .on(t.plan_date, t.contract_id)
      .where(sql`${t.is_open}`),
    // A covering index for the amounts by day.
    index('contract_performance_flow')
      .on(t.plan_date, t.kind, t.direction, t.is_open, t.plan_amount, t.done_amount, t.contract_id)
      .where(sql`not ${t.cancelled}`),
    index('contract_performance_handler').on(t.handler),
    check(
      'contract_performance_kind',
      sql`${t.kind} in (${inSql(planKind.payment, planKind.receipt, planKind.delivery, planKind.milestone, planKind.deposit, planKind.invoice, planKind.other)})`,
    ),
    check('contract_performance_gives_back', sql`not ${t.gives_back} or ${t.kind} = ${inSql(planKind.deposit)}`),
    check('contract_performance_amount', sql`${t.plan_amount} >= 0`),
    check(
      'contract_performance_direction',
      sql`${t.kind} not in (${inSql(planKind.payment, planKind.receipt, planKind.deposit)}) or ${t.direction} in (${inSql(direction.out, direction.in)})`,
    ),
    check(
      'contract_performance_fits',
      sql`(${t.kind} <> ${inSql(planKind.payment)} or ${t.direction} = ${inSql(direction.out)}) and (${t.kind} <> ${inSql(planKind.receipt)} or ${t.direction} = ${inSql(direction.in)})`,
    ),
  ],
);

/** An entry of performance. Append-only: a wrong one is reversed by another (trigger). */
export const contractEntryTable = pgTable(
  'contract_entry',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    contract_id: contract(),
    performance_id: integer('performance_id')
      .notNull()
      .references(() => contractPerformanceTable.id, { onDelete: 'restrict' }),
    date: date('date').notNull(),
    amount: moneyColumn('amount'),
    voucher_no: varchar('voucher_no', { length: 50 }).notNull().default(''),
    invoice_no: varchar('invoice_no', { length: 50 }).notNull().default(''),
    accept_result: smallint('accept_result'),
    files: integer('file_ids').array().notNull().default([]),
    remark: varchar('remark', { length: 500 }).notNull().default(''),
    reverses_id: integer('reverses_id').unique('contract_entry_reversed_once'),
    ...done(),
  },
  (t) => [
    index('contract_entry_contract').on(t.contract_id),
    index('contract_entry_performance').on(t.performance_id),
    // Normalized, so that spelling makes no difference.
    index('contract_entry_voucher')
      .on(plainCodeSql(sql`${t.voucher_no}`))
      .where(sql`${t.voucher_no} <> ''`),
    index('contract_entry_invoice')
      .on(plainCodeSql(sql`${t.invoice_no}`))
      .where(sql`${t.invoice_no} <> ''`),
    check('contract_entry_amount', sql`${t.amount} <> 0`),
    check('contract_entry_sign', sql`${t.reverses_id} is not null or ${t.amount} is null or ${t.amount} > 0`),
  ],
);

/** Registrations: the act, the stages before and after, and the reason. Append-only (trigger). */
export const contractEventTable = pgTable(
  'contract_event',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    contract_id: contract(),
    type: varchar('type', { length: 12 }).notNull(),
    from_stage: smallint('from_stage').notNull(),
    to_stage: smallint('to_stage').notNull(),
    reason: varchar('reason', { length: 500 }).notNull().default(''),
    changes: jsonb('changes').$type<FieldChange[]>().notNull().default([]),
    files: integer('file_ids').array().notNull().default([]),
    supplement_id: integer('supplement_id').references(() => contractTable.id, { onDelete: 'restrict' }),
    entry_id: integer('entry_id').references(() => contractEntryTable.id, { onDelete: 'restrict' }),
    /** For the end of a dispute: the registration of its beginning (trigger). */
    dispute_id: integer('dispute_id').unique('contract_event_dispute_once'),
    ...done(),
  },
  (t) => [
    index('contract_event_contract').on(t.contract_id, t.id),
    check('contract_event_ends', sql`(${t.type} = 'dispute_end') = (${t.dispute_id} is not null)`),
    uniqueIndex('contract_event_supplement_once')
      .on(t.supplement_id)
      .where(sql`${t.type} = 'change'`),
  ],
);
