import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';

/** An alumnus of the school; with their consent and its source. */
export const alumnusTable = pgTable(
  'alumnus',
  {
    ...recordColumns(),
    /** The person who entered the row, and their department. */
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    dept_id: integer('dept_id').references(() => deptTable.id),
    name: varchar('name', { length: 30 }).notNull(),
    gender: varchar('gender', { length: 1 }).notNull().default(''),
    student_no: varchar('student_no', { length: 30 }).notNull(),
    college: varchar('college', { length: 50 }).notNull().default(''),
    major: varchar('major', { length: 50 }).notNull().default(''),
    enter_year: smallint('enter_year'),
    graduate_year: smallint('graduate_year'),
    class_name: varchar('class_name', { length: 50 }).notNull().default(''),
    degree: varchar('degree', { length: 20 }).notNull().default(''),
    /** Sealed; `mobile_mark` is equal for equal numbers. */
    mobile: text('mobile'),
    mobile_mark: char('mobile_mark', { length: 64 }),
    mobile_tail: char('mobile_tail', { length: 4 }),
    email: varchar('email', { length: 100 }).notNull().default(''),
    city: varchar('city', { length: 30 }).notNull().default(''),
    company: varchar('company', { length: 60 }).notNull().default(''),
    post: varchar('post', { length: 30 }).notNull().default(''),
    consent_sms: boolean('consent_sms').notNull().default(false),
    consent_at: moment('consent_at'),
    consent_from: varchar('consent_from', { length: 60 }).notNull().default(''),
    opt_out: boolean('opt_out').notNull().default(false),
    remark: varchar('remark', { length: 200 }).notNull().default(''),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('alumnus_student_no').on(t.student_no),
    index('alumnus_college').on(t.college, t.graduate_year),
    index('alumnus_mobile').on(t.mobile_mark),
    index('alumnus_tail').on(t.mobile_tail),
    searchIndex('alumnus_search', t.search),
    check(
      'alumnus_consent_said',
      sql`not ${t.consent_sms} or (${t.consent_at} is not null and ${t.consent_from} <> '')`,
    ),
    check('alumnus_mobile_whole', sql`num_nulls(${t.mobile}, ${t.mobile_mark}, ${t.mobile_tail}) in (0, 3)`),
  ],
);
