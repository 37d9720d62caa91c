import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { onOff } from '#kernel/contract/titles.ts';
import { approvalRule, type OpenHours, roomState, usualHours } from './contract/shapes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const ids = (name: string) => integer(name).array().notNull().default([]);

/** 会务单位: an office that keeps some rooms, with the rules for all of them. */
export const officeTable = pgTable(
  'meet_office',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 30 }).notNull(),
    dept_id: integer('dept_id').references(() => deptTable.id),
    managers: ids('managers'),
    phone: line('phone', 30),
    address: line('address', 100),
    open_hours: jsonb('open_hours').$type<OpenHours>().notNull().default(usualHours),
    need_approve: boolean('need_approve').notNull().default(false),
    min_ahead_min: integer('min_ahead_min').notNull().default(0),
    max_ahead_days: smallint('max_ahead_days').notNull().default(30),
    step_min: smallint('step_min').notNull().default(15),
    /** The most meetings in its rooms that one person may request in a week; null: unlimited. */
    max_per_user_week: smallint('max_per_user_week'),
    rules_text: text('rules_text').notNull().default(''),
    order_id: integer('order_id').notNull().default(0),
    status: smallint('status').notNull().default(1),
  },
  (t) => [
    uniqueIndex('meet_office_name')
      .on(plainSql(sql`${t.name}`))
      .where(sql`not ${t.is_deleted}`),
    check(
      'meet_office_kept',
      sql`${t.is_deleted} or ${t.status} = ${inSql(onOff.off)} or cardinality(${t.managers}) > 0`,
    ),
    check('meet_office_status', sql`${t.status} in (${inSql(onOff.off, onOff.on)})`),
    check('meet_office_step', sql`${t.step_min} in (5, 10, 15, 30, 60)`),
    check('meet_office_ahead', sql`${t.min_ahead_min} >= 0 and ${t.max_ahead_days} >= 1`),
  ],
);

/** A room; its occupations are in `booking`. */
export const roomTable = pgTable(
  'meet_room',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 30 }).notNull(),
    office_id: integer('office_id')
      .notNull()
      .references(() => officeTable.id, { onDelete: 'restrict' }),
    building: line('building', 30),
    floor: line('floor', 10),
    room_no: line('room_no', 20),
    capacity: smallint('capacity').notNull(),
    equipment: varchar('equipment', { length: 20 }).array().notNull().default([]),
    photos: ids('photos'),
    managers: ids('managers'),
    need_approve: smallint('need_approve').notNull().default(0),
    min_minutes: integer('min_minutes').notNull().default(15),
    max_minutes: integer('max_minutes').notNull().default(480),
    buffer_minutes: smallint('buffer_minutes').notNull().default(0),
    checkin_required: boolean('checkin_required').notNull().default(false),
    auto_release_minutes: smallint('auto_release_minutes'),
    /** Limited to these departments and those below; empty: everybody. */
    allow_depts: ids('allow_depts'),
    status: smallint('status').notNull().default(1),
    order_id: integer('order_id').notNull().default(0),
  },
  (t) => [
    uniqueIndex('meet_room_name')
      .on(t.office_id, plainSql(sql`${t.name}`))
      .where(sql`not ${t.is_deleted}`),
    check('meet_room_capacity', sql`${t.capacity} between 1 and 5000`),
    check('meet_room_minutes', sql`${t.min_minutes} between 5 and ${t.max_minutes}`),
    check('meet_room_buffer', sql`${t.buffer_minutes} between 0 and 60`),
    check(
      'meet_room_approve',
      sql`${t.need_approve} between ${inSql(approvalRule.asOffice)} and ${inSql(approvalRule.notNeeded)}`,
    ),
    check('meet_room_status', sql`${t.status} between ${inSql(roomState.off)} and ${inSql(roomState.mended)}`),
    check('meet_room_release', sql`${t.auto_release_minutes} is null or ${t.checkin_required}`),
  ],
);

/** A time in which a room is closed; its occupation is in `booking` like any other. */
export const blackoutTable = pgTable(
  'meet_blackout',
  {
    ...recordColumns(),
    room_id: integer('room_id')
      .notNull()
      .references(() => roomTable.id, { onDelete: 'cascade' }),
    start_time: moment('start_time').notNull(),
    end_time: moment('end_time').notNull(),
    reason: varchar('reason', { length: 100 }).notNull(),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
  },
  (t) => [
    index('meet_blackout_room').on(t.room_id, t.start_time),
    check('meet_blackout_in_order', sql`${t.start_time} < ${t.end_time}`),
  ],
);

/** 候补: the waiting list for a taken room, or for any room of an office. */
export const waitingTable = pgTable(
  'meet_waiting',
  {
    ...recordColumns(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    room_id: integer('room_id').references(() => roomTable.id, { onDelete: 'cascade' }),
    office_id: integer('office_id').references(() => officeTable.id, { onDelete: 'cascade' }),
    /** For an office: the number of people it must hold. */
    capacity: smallint('capacity').notNull().default(1),
    start_time: moment('start_time').notNull(),
    end_time: moment('end_time').notNull(),
    /** The room reserved for them, and until when. */
    offered_room: integer('offered_room').references(() => roomTable.id, { onDelete: 'set null' }),
    offered_until: moment('offered_until'),
    /** Set if it was offered and not taken. */
    missed: boolean('missed').notNull().default(false),
  },
  (t) => [
    uniqueIndex('meet_waiting_once')
      .on(t.user_id, sql`coalesce(${t.room_id}, 0)`, sql`coalesce(${t.office_id}, 0)`, t.start_time, t.end_time)
      .where(sql`not ${t.missed}`),
    index('meet_waiting_time').on(t.start_time),
    check('meet_waiting_for', sql`num_nonnulls(${t.room_id}, ${t.office_id}) = 1`),
    check('meet_waiting_in_order', sql`${t.start_time} < ${t.end_time}`),
    check('meet_waiting_offer', sql`(${t.offered_room} is null) or (${t.offered_until} is not null)`),
  ],
);

/** A door screen. Only the hash of its address is stored. */
export const doorTable = pgTable('meet_door', {
  room_id: integer('room_id')
    .primaryKey()
    .references(() => roomTable.id, { onDelete: 'cascade' }),
  code_hash: varchar('code_hash', { length: 64 }).notNull().unique(),
  creator_id: integer('creator_id')
    .notNull()
    .references(() => userTable.id),
  gmt_created: moment('gmt_created')
    .notNull()
    .default(sql`now()`),
  last_seen: moment('last_seen'),
});
