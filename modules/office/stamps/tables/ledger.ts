import { sql } from 'drizzle-orm';
import { boolean, check, foreignKey, index, integer, pgTable, smallint } from 'drizzle-orm/pg-core';
import { unique, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { moneyColumn } from '#kernel/server/db/money.ts';
import { inSql, moment } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { pictureKind } from '../contract/seal-codes.ts';
import { applicationTable, lineTable } from './application.ts';
import { custodyTable, stampTable } from './seals.ts';

const person = (name: string) => integer(name).references(() => userTable.id);

/** 用印台账: the sealings that count. Append-only (migrations/0033-stamps.sql): a wrong row stays, and a second row corrects it. */
export const useTable = pgTable(
  'stamp_use',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    stamp_id: integer('stamp_id')
      .notNull()
      .references(() => stampTable.id),
    /** The application's line. */
    line_id: integer('line_id')
      .notNull()
      .references(() => lineTable.id),
    application_id: integer('application_id')
      .notNull()
      .references(() => applicationTable.id),
    /** The row that this one corrects. */
    corrects_id: integer('corrects_id'),
    /** Codes of `usageType` and of `fileKind`. */
    use_type: smallint('use_type').notNull(),
    file_kind: smallint('file_kind').notNull(),
    sn: varchar('sn', { length: 40 }).notNull().default(''),
    file_name: varchar('file_name', { length: 100 }).notNull(),
    receiver: varchar('receiver', { length: 100 }).notNull().default(''),
    amount: moneyColumn('amount'),
    /** The applicant's department. */
    dept_id: integer('dept_id').references(() => deptTable.id),
    operator_id: person('operator_id').notNull(),
    /** Approved copies, and sealed ones. */
    copies: integer('copies').notNull(),
    real_copies: integer('real_copies').notNull(),
    real_pages: integer('real_pages'),
    serial_from: varchar('serial_from', { length: 30 }).notNull().default(''),
    serial_to: varchar('serial_to', { length: 30 }).notNull().default(''),
    keeper_id: person('keeper_id').notNull(),
    /** The second person, for seals that need two. */
    confirmed_by: person('confirmed_by'),
    confirmed_at: moment('confirmed_at'),
    /** True if outside the hours of the seal. */
    after_hours: boolean('after_hours').notNull().default(false),
    remark: varchar('remark', { length: 300 }).notNull().default(''),
    sealed_at: moment('sealed_at').notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    search: searchColumn(),
  },
  (t) => [
    foreignKey({ columns: [t.corrects_id], foreignColumns: [t.id], name: 'stamp_use_corrects' }),
    unique('stamp_use_corrected_once').on(t.corrects_id),
    uniqueIndex('stamp_use_one_a_line')
      .on(t.line_id)
      .where(sql`${t.corrects_id} is null`),
    index('stamp_use_time').on(t.sealed_at, t.id),
    index('stamp_use_stamp').on(t.stamp_id, t.sealed_at),
    index('stamp_use_application').on(t.application_id),
    searchIndex('stamp_use_search', t.search),
    check('stamp_use_copies', sql`${t.real_copies} between 1 and ${t.copies}`),
    check('stamp_use_pages', sql`${t.real_pages} between 1 and 99999`),
    check('stamp_use_confirmed', sql`(${t.confirmed_by} is null) = (${t.confirmed_at} is null)`),
    check('stamp_use_two', sql`${t.confirmed_by} <> ${t.keeper_id}`),
  ],
);

/** Copies that carry a seal and came back to whoever keeps it. Rows are only ever added. */
export const recallTable = pgTable(
  'stamp_recall',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    application_id: integer('application_id')
      .notNull()
      .references(() => applicationTable.id),
    copies: integer('copies').notNull(),
    remark: varchar('remark', { length: 300 }).notNull().default(''),
    taken_by: person('taken_by').notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [index('stamp_recall_application').on(t.application_id), check('stamp_recall_copies', sql`${t.copies} > 0`)],
);

/** A picture of an act: of a line, or of a custody event. Append-only. */
export const pictureTable = pgTable(
  'stamp_picture',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** A key of `pictureKinds`. */
    kind: smallint('kind').notNull(),
    line_id: integer('line_id').references(() => lineTable.id),
    custody_id: integer('custody_id').references(() => custodyTable.id, { onDelete: 'cascade' }),
    file_id: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    user_id: person('user_id').notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    unique('stamp_picture_file').on(t.file_id),
    index('stamp_picture_line').on(t.line_id, t.kind),
    index('stamp_picture_custody').on(t.custody_id),
    check('stamp_picture_kind', sql`${t.kind} between ${inSql(pictureKind.seal)} and ${inSql(pictureKind.custody)}`),
    check('stamp_picture_of', sql`num_nonnulls(${t.line_id}, ${t.custody_id}) = 1`),
  ],
);
