import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { onOff } from '#kernel/contract/titles.ts';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { dutyDay, dutyPost, dutySource, swapState } from './contract/codes.ts';

const person = (name: string) => integer(name).references(() => userTable.id);
const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const hour = (name: string) => varchar(name, { length: 5 }).notNull();
const need = (name: string) => smallint(name).notNull().default(0);
/** An audience, in the form that `namesIn` of people writes. */
const pool = (name: string) =>
  varchar(name, { length: 20 })
    .array()
    .notNull()
    .default(sql`'{}'`);
const now = sql`now()`;

/** A plan for the shift of each day: its hours, its posts and their pools. */
export const planTable = pgTable(
  'duty_plan',
  {
    ...recordColumns(),
    ...deletable(),
    creator_id: person('creator_id'),
    dept_id: integer('dept_id').references(() => deptTable.id),
    /** The person its gaps wait for. */
    keeper_id: person('keeper_id').notNull(),
    name: varchar('name', { length: 30 }).notNull(),
    on_work: smallint('on_work').notNull().default(1),
    work_from: hour('work_from'),
    work_to: hour('work_to'),
    rest_from: hour('rest_from'),
    rest_to: hour('rest_to'),
    lead_need: need('lead_need'),
    lead: pool('lead'),
    lead_weekly: boolean('lead_weekly').notNull().default(true),
    staff_need: need('staff_need'),
    staff: pool('staff'),
    backup_need: need('backup_need'),
    backup: pool('backup'),
    phone: line('phone', 30),
    confirms: boolean('confirms').notNull().default(true),
    status: smallint('status').notNull().default(1),
  },
  (t) => [
    check(
      'duty_plan_people',
      sql`${t.is_deleted} or ${t.status} = ${inSql(onOff.off)} or ${t.lead_need} + ${t.staff_need} + ${t.backup_need} > 0`,
    ),
    check('duty_plan_status', sql`${t.status} in (${inSql(onOff.off, onOff.on)}) and ${t.on_work} in (0, 1)`),
  ],
);

/** One shift; it belongs to the day on which it begins. */
export const shiftTable = pgTable(
  'duty_shift',
  {
    ...recordColumns(),
    plan_id: integer('plan_id')
      .notNull()
      .references(() => planTable.id),
    day: date('day').notNull(),
    name: varchar('name', { length: 30 }).notNull(),
    /** 1 a working day, 2 a day of rest, 3 a holiday. */
    kind: smallint('kind').notNull(),
    start_time: moment('start_time').notNull(),
    end_time: moment('end_time').notNull(),
    /** The number of people each post takes. */
    needs: smallint('needs').array().notNull(),
    published_at: moment('published_at'),
    /** Set when a published shift is cancelled; the shift stays, with the swaps that ended with it. */
    cancelled_at: moment('cancelled_at'),
    taken_by: person('taken_by'),
    taken_at: moment('taken_at'),
    taken_note: line('taken_note', 200),
    taken_signature: integer('taken_signature'),
    /** Entries of earlier shifts that were open when it began. */
    carried: integer('carried')
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (t) => [
    uniqueIndex('duty_shift_once')
      .on(t.plan_id, t.day, t.name)
      .where(sql`${t.cancelled_at} is null`),
    unique('duty_shift_span').on(t.id, t.start_time, t.end_time),
    index('duty_shift_time').on(t.start_time, t.id),
    check(
      'duty_shift_period',
      sql`${t.end_time} > ${t.start_time} and ${t.end_time} <= ${t.start_time} + interval '24 hours'`,
    ),
    check(
      'duty_shift_kind',
      sql`${t.kind} between ${inSql(dutyDay.work)} and ${inSql(dutyDay.holiday)} and cardinality(${t.needs}) = 3`,
    ),
    check(
      'duty_shift_cancelled',
      sql`${t.cancelled_at} is null or (${t.published_at} is not null and ${t.taken_at} is null)`,
    ),
    check('duty_shift_taken', sql`(${t.taken_at} is null) = (${t.taken_by} is null)`),
  ],
);

/** A swap: somebody with a shift asks another person to take it, in return for one of theirs or for none. */
export const swapTable = pgTable(
  'duty_swap',
  {
    ...recordColumns(),
    shift_id: integer('shift_id')
      .notNull()
      .references(() => shiftTable.id),
    post: smallint('post').notNull(),
    from_id: person('from_id').notNull(),
    with_id: person('with_id').notNull(),
    their_shift: integer('their_shift').references(() => shiftTable.id),
    reason: line('reason', 200),
    /** 1 asked, 2 agreed, 3 done, 4 declined, 5 withdrawn, 6 void because a shift of it changed. */
    state: smallint('state').notNull().default(1),
    creator_id: person('creator_id').notNull(),
    confirmed_by: person('confirmed_by'),
  },
  (t) => [
    index('duty_swap_from').on(t.from_id, t.id),
    index('duty_swap_with').on(t.with_id, t.id),
    check('duty_swap_state', sql`${t.state} between ${inSql(swapState.asked)} and ${inSql(swapState.lapsed)}`),
    check('duty_swap_people', sql`${t.from_id} <> ${t.with_id}`),
  ],
);

/** The people of a shift by post. Nobody has two shifts at the same time: a constraint in the hand-written part of the tables ensures it. */
export const dutyPersonTable = pgTable(
  'duty_person',
  {
    shift_id: integer('shift_id').notNull(),
    user_id: person('user_id').notNull(),
    post: smallint('post').notNull(),
    start_time: moment('start_time').notNull(),
    end_time: moment('end_time').notNull(),
    /** 1 the engine, 2 by hand, 3 by a swap. */
    source: smallint('source').notNull().default(1),
    why: line('why', 60),
    /** The open swap about this row; one at a time. */
    swap_id: integer('swap_id').references(() => swapTable.id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.shift_id, t.user_id] }),
    foreignKey({
      name: 'duty_person_shift',
      columns: [t.shift_id, t.start_time, t.end_time],
      foreignColumns: [shiftTable.id, shiftTable.start_time, shiftTable.end_time],
    }).onDelete('cascade'),
    index('duty_person_user').on(t.user_id, t.start_time),
    check(
      'duty_person_post',
      sql`${t.post} between ${inSql(dutyPost.lead)} and ${inSql(dutyPost.backup)} and ${t.source} between ${inSql(dutySource.byHand)} and ${inSql(dutySource.swapped)}`,
    ),
  ],
);

const shift = () =>
  integer('shift_id')
    .notNull()
    .references(() => shiftTable.id);

/** Changes of published shifts; append-only. */
export const dutyChangeTable = pgTable(
  'duty_change',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    shift_id: shift(),
    at: moment('at').notNull().default(now),
    by: person('by').notNull(),
    was: line('was', 500),
    becomes: line('becomes', 500),
    reason: line('reason', 200),
  },
  (t) => [index('duty_change_shift').on(t.shift_id, t.id)],
);

/** The log of a shift; append-only. An open entry is closed by a later row. */
export const entryTable = pgTable(
  'duty_entry',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    shift_id: shift(),
    by: person('by').notNull(),
    kind: smallint('kind').notNull(),
    at: moment('at').notNull(),
    content: varchar('content', { length: 2000 }).notNull(),
    from: line('from', 100),
    told: line('told', 100),
    handled: boolean('handled').notNull().default(false),
    urgent: boolean('urgent').notNull().default(false),
    files: integer('files')
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** Set if written after a shift that nobody took over. */
    late_reason: line('late_reason', 200),
    closes: integer('closes'),
  },
  (t) => [index('duty_entry_shift').on(t.shift_id, t.id), unique('duty_entry_closed').on(t.closes)],
);

/** The hand-over of a shift, with the entries that were open then. */
export const handoverTable = pgTable('duty_handover', {
  shift_id: shift().primaryKey(),
  by: person('by').notNull(),
  at: moment('at').notNull().default(now),
  note: line('note', 500),
  signature: integer('signature'),
  open: integer('open')
    .array()
    .notNull()
    .default(sql`'{}'`),
});
