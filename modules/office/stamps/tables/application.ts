import { sql } from 'drizzle-orm';
import { boolean, char, check, date, index, integer, jsonb, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { unique, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { moneyColumn } from '#kernel/server/db/money.ts';
import { searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns } from '#modules/workflow/records/tables.ts';
import { fileKind, lineState, paperKind, usageType } from '../contract/codes.ts';
import { stampTable } from './seals.ts';

const person = (name: string) => integer(name).references(() => userTable.id);
const stamp = () =>
  integer('stamp_id')
    .notNull()
    .references(() => stampTable.id);
const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');

/** An application for seals; each seal is a line of it. */
export const applicationTable = pgTable(
  'stamp_application',
  {
    ...recordColumns(),
    ...approvalColumns(),
    /** The name of the file. */
    title: varchar('title', { length: 100 }).notNull(),
    reason: varchar('reason', { length: 300 }).notNull(),
    /** 1 on the spot, 2 taken out. */
    use_type: smallint('use_type').notNull().default(1),
    file_kind: smallint('file_kind').notNull().default(9),
    pages: integer('pages'),
    copies: integer('copies').notNull().default(1),
    /** The first and last number of certificates. */
    serial_from: line('serial_from', 30),
    serial_to: line('serial_to', 30),
    cross_page: boolean('cross_page').notNull().default(false),
    receiver: line('receiver', 100),
    amount: moneyColumn('amount'),
    operator_id: person('operator_id').notNull(),
    /** The applicant has confirmed that the files have no blank places. */
    no_blanks: boolean('no_blanks').notNull().default(false),
    borrow_start: moment('borrow_start'),
    borrow_end: moment('borrow_end'),
    borrow_place: line('borrow_place', 100),
    escort_id: person('escort_id'),
    /** The record of another module whose files are to be sealed. */
    source_module: line('source_module', 30),
    source_id: integer('source_id'),
    /** The refused application from which this one was made. */
    again_of: integer('again_of'),
    /** Derived from its lines; 0 until approval. */
    seal_status: smallint('seal_status').notNull().default(0),
    /** The time of approval, and the end of its validity. */
    ready_at: moment('ready_at'),
    due_day: date('due_day'),
    /** The next due moment: an appointment, a return, the end of validity; null if nothing is open. */
    need_at: moment('need_at'),
    /** When nothing was left to seal, when the scan is due, and when it was handed in. */
    sealed_at: moment('sealed_at'),
    copy_due: date('copy_due'),
    copy_at: moment('copy_at'),
  },
  (t) => [
    searchIndex('stamp_application_search', t.search),
    index('stamp_application_source').on(t.source_module, t.source_id),
    index('stamp_application_latest').on(t.gmt_created, t.id),
    index('stamp_application_operator').on(t.operator_id),
    index('stamp_application_need').on(t.need_at, t.id),
    // Open applications are few among all.
    index('stamp_application_open')
      .on(t.due_day, t.id)
      .where(sql`${t.seal_status} in (${inSql(lineState.ready, lineState.out)})`),
    index('stamp_application_lent')
      .on(t.borrow_end)
      .where(
        sql`${t.use_type} = ${inSql(usageType.out)} and ${t.seal_status} in (${inSql(lineState.waiting, lineState.ready, lineState.out)})`,
      ),
    index('stamp_application_uncopied')
      .on(t.copy_due)
      .where(sql`${t.copy_at} is null and ${t.copy_due} is not null`),
    check('stamp_application_use_type', sql`${t.use_type} in (${inSql(usageType.onSite, usageType.out)})`),
    check(
      'stamp_application_file_kind',
      sql`${t.file_kind} between ${inSql(fileKind.document)} and ${inSql(fileKind.other)}`,
    ),
    check(
      'stamp_application_copies',
      sql`${t.copies} between 1 and case when ${t.file_kind} = ${inSql(fileKind.certificate)} then 9999 else 999 end`,
    ),
    check(
      'stamp_application_status',
      sql`${t.seal_status} between ${inSql(lineState.waiting)} and ${inSql(lineState.refused)}`,
    ),
    check('stamp_application_period', sql`${t.borrow_start} < ${t.borrow_end}`),
    check('stamp_application_source_whole', sql`(${t.source_module} = '') = (${t.source_id} is null)`),
  ],
);

/** One seal of an application; lines proceed independently after approval. */
export const lineTable = pgTable(
  'stamp_line',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    application_id: integer('application_id')
      .notNull()
      .references(() => applicationTable.id, { onDelete: 'cascade' }),
    stamp_id: stamp(),
    /** The number of impressions on each copy. */
    times: integer('times').notNull().default(1),
    /** 0 not yet, 1 to be sealed, 2 sealed, 3 out, 4 returned, 5 void, 6 refused by its keeper. */
    state: smallint('state').notNull().default(0),
    /** Its slot: 1 the morning, 2 the afternoon of a day. */
    day: date('day'),
    part: smallint('part'),
    /** True if it has reserved that slot, or its time in `booking`. */
    reserved: boolean('reserved').notNull().default(false),
    /** A sealing that its keeper registered and a second person has not confirmed yet. */
    pending: jsonb('pending').$type<PendingUse>(),
    /** The reason why it was refused or is void. */
    reason: line('reason', 300),
    done_at: moment('done_at'),
    done_by: person('done_by'),
  },
  (t) => [
    unique('stamp_line_once').on(t.application_id, t.stamp_id),
    index('stamp_line_stamp').on(t.stamp_id, t.state),
    index('stamp_line_day')
      .on(t.stamp_id, t.day)
      .where(sql`${t.day} is not null`),
    index('stamp_line_unconfirmed')
      .on(t.application_id)
      .where(sql`${t.pending} is not null`),
    check('stamp_line_state', sql`${t.state} between ${inSql(lineState.waiting)} and ${inSql(lineState.refused)}`),
    check('stamp_line_times', sql`${t.times} between 1 and 999`),
    check('stamp_line_slot', sql`(${t.day} is null) = (${t.part} is null) and ${t.part} in (1, 2)`),
    check('stamp_line_pending', sql`${t.pending} is null or ${t.state} = ${inSql(lineState.ready)}`),
  ],
);
/** A registered sealing; `asked` is the time from which the second person may confirm it. */
export interface PendingUse {
  at: string;
  asked: string;
  by: number;
  /** True if outside the hours of the seal. */
  after_hours: boolean;
  real_copies: number;
  real_pages: number | null;
  remark: string;
}

/** The files to be sealed (kind 1), frozen on sending; and scans of the sealed ones (kind 2). */
export const applicationFileTable = pgTable(
  'stamp_file',
  {
    application_id: integer('application_id')
      .notNull()
      .references(() => applicationTable.id, { onDelete: 'cascade' }),
    file_id: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    kind: smallint('kind').notNull().default(1),
    order_no: integer('order_no').notNull().default(0),
    sha256: char('sha256', { length: 64 }).notNull(),
    /** Pages, and places still to be filled in; null if the file was not inspected. */
    pages: integer('pages'),
    blanks: jsonb('blanks').$type<BlankPage[]>(),
  },
  (t) => [
    primaryKey({ columns: [t.application_id, t.file_id] }),
    index('stamp_file_sha').on(t.sha256),
    check('stamp_file_kind', sql`${t.kind} in (${inSql(paperKind.toSeal, paperKind.copy)})`),
  ],
);
/** A page with places to be filled in; a fully blank page has none. */
export interface BlankPage {
  page: number;
  places: number;
}

/** Slots of seals: a row for each half-day that somebody requested. */
export const slotTable = pgTable(
  'stamp_slot',
  {
    stamp_id: stamp(),
    day: date('day').notNull(),
    part: smallint('part').notNull(),
    taken: integer('taken').notNull().default(0),
    capacity: integer('capacity').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.stamp_id, t.day, t.part] }),
    check('stamp_slot_part', sql`${t.part} in (1, 2)`),
    check('stamp_slot_holds', sql`${t.taken} between 0 and ${t.capacity}`),
  ],
);

/** A loan of a seal, which is out until it is returned. */
export const loanTable = pgTable(
  'stamp_loan',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    line_id: integer('line_id')
      .notNull()
      .unique()
      .references(() => lineTable.id),
    stamp_id: stamp(),
    escort_id: person('escort_id').notNull(),
    handed_by: person('handed_by').notNull(),
    out_at: moment('out_at').notNull(),
    due_at: moment('due_at').notNull(),
    pictures: integer('pictures').array().notNull().default([]),
    signature: integer('signature')
      .notNull()
      .references(() => fileTable.id),
    /** Returned; for a lost seal, set without a receiver. */
    returned_at: moment('returned_at'),
    returned_to: person('returned_to'),
    /** The requested extension, until it is decided. */
    extend_until: moment('extend_until'),
    extend_reason: line('extend_reason', 300),
    extend_by: person('extend_by'),
  },
  (t) => [
    uniqueIndex('stamp_loan_one_out')
      .on(t.stamp_id)
      .where(sql`${t.returned_at} is null`),
    index('stamp_loan_stamp').on(t.stamp_id, t.out_at),
    check('stamp_loan_extend', sql`${t.extend_until} > ${t.due_at}`),
  ],
);
