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
import { deptTable, userTable } from '#modules/people/tables.ts';

/** A person who has left the school with a degree; what they agreed to, and where that is known from. */
export const alumnusTable = pgTable(
  'alumnus',
  {
    ...recordColumns(),
    /** Who brought the row in, and for which department. */
    creatorId: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    deptId: integer('dept_id').references(() => deptTable.id),
    name: varchar('name', { length: 30 }).notNull(),
    gender: varchar('gender', { length: 1 }).notNull().default(''),
    studentNo: varchar('student_no', { length: 30 }).notNull(),
    college: varchar('college', { length: 50 }).notNull().default(''),
    major: varchar('major', { length: 50 }).notNull().default(''),
    enterYear: smallint('enter_year'),
    graduateYear: smallint('graduate_year'),
    className: varchar('class_name', { length: 50 }).notNull().default(''),
    degree: varchar('degree', { length: 20 }).notNull().default(''),
    /** Sealed; `mobileMark` is equal for equal numbers. */
    mobile: text('mobile'),
    mobileMark: char('mobile_mark', { length: 64 }),
    mobileTail: char('mobile_tail', { length: 4 }),
    email: varchar('email', { length: 100 }).notNull().default(''),
    city: varchar('city', { length: 30 }).notNull().default(''),
    company: varchar('company', { length: 60 }).notNull().default(''),
    post: varchar('post', { length: 30 }).notNull().default(''),
    consentSms: boolean('consent_sms').notNull().default(false),
    consentAt: moment('consent_at'),
    consentFrom: varchar('consent_from', { length: 60 }).notNull().default(''),
    optOut: boolean('opt_out').notNull().default(false),
    remark: varchar('remark', { length: 200 }).notNull().default(''),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('alumnus_student_no').on(t.studentNo),
    index('alumnus_college').on(t.college, t.graduateYear),
    index('alumnus_mobile').on(t.mobileMark),
    index('alumnus_tail').on(t.mobileTail),
    searchIndex('alumnus_search', t.search),
    check('alumnus_consent_said', sql`not ${t.consentSms} or (${t.consentAt} is not null and ${t.consentFrom} <> '')`),
    check('alumnus_mobile_whole', sql`num_nulls(${t.mobile}, ${t.mobileMark}, ${t.mobileTail}) in (0, 3)`),
  ],
);
