import { sql } from 'drizzle-orm';
import { boolean, char, check, foreignKey, index, integer, pgTable, primaryKey, smallint } from 'drizzle-orm/pg-core';
import { text, unique, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns, changeColumns } from '#modules/workflow/records/tables.ts';
import { roomTable } from '#modules/platform/rooms/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  materialsFor,
  meetMode,
  meetRole,
  meetStatus,
  meetType,
  replyState,
  signMode,
  signState,
  substituteState,
} from './contract/codes.ts';
import { minutesState } from './contract/minutes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const person = (name: string) => integer(name).references(() => userTable.id);
const meet = () =>
  integer('meet_id')
    .notNull()
    .references(() => meetTable.id, { onDelete: 'cascade' });
const ids = (name: string) => integer(name).array().notNull().default([]);

/** The rule of a repeat (RFC 5545, wall time of Asia/Shanghai); its dates are meetings. */
export const seriesTable = pgTable('meet_series', {
  ...recordColumns(),
  creator_id: person('creator_id').notNull(),
  rule: varchar('rule', { length: 300 }).notNull(),
  skip_holidays: boolean('skip_holidays').notNull().default(false),
  /** Days (`YYYY-MM-DD`) left out before it was sent. */
  left_out: varchar('left_out', { length: 10 }).array().notNull().default([]),
  /** The time of the first date. */
  start_time: moment('start_time').notNull(),
  end_time: moment('end_time').notNull(),
});

/** A meeting. Its room is in `booking` from sending until it is over. */
export const meetTable = pgTable(
  'meet',
  {
    ...recordColumns(),
    ...deletable(),
    ...approvalColumns(),
    title: varchar('title', { length: 100 }).notNull(),
    type_id: smallint('type_id').notNull().default(4),
    /** 1 in a place, 2 online, 3 both. */
    mode: smallint('mode').notNull().default(1),
    room_id: integer('room_id').references(() => roomTable.id),
    location: line('location', 100),
    online_url: line('online_url', 300),
    start_time: moment('start_time'),
    end_time: moment('end_time'),
    host_id: person('host_id'),
    contact_id: person('contact_id'),
    contact_phone: line('contact_phone', 30),
    recorder_id: person('recorder_id'),
    /** Attendees in the form of audiences; each person gets a row on approval. */
    audience: text('audience').array().notNull().default([]),
    observers: ids('observers'),
    attend_count: integer('attend_count').notNull().default(0),
    agenda: text('agenda').notNull().default(''),
    requirements: line('requirements', 500),
    materials: ids('materials'),
    /** 1 attendees, 2 all who see it. */
    materials_acl: smallint('materials_acl').notNull().default(1),
    is_public: boolean('is_public').notNull().default(false),
    /** 0 no sign-in, 1 a fixed code, 2 a renewed code, 3 by the recorder. */
    sign_mode: smallint('sign_mode').notNull().default(0),
    sign_before_min: smallint('sign_before_min').notNull().default(30),
    late_after_min: smallint('late_after_min').notNull().default(5),
    /** Minutes before the start. */
    remind: integer('remind')
      .array()
      .notNull()
      .default(sql`'{1440,30}'`),
    sms: boolean('sms').notNull().default(false),
    /** True if the notice is sent on approval. */
    notify: boolean('notify').notNull().default(true),
    /** 0 to come, 1 under way, 2 over, 3 cancelled. */
    meet_status: smallint('meet_status').notNull().default(0),
    cancel_reason: line('cancel_reason', 200),
    /** Cancelled because nobody checked in. */
    released: boolean('released').notNull().default(false),
    actual_start: moment('actual_start'),
    actual_end: moment('actual_end'),
    checked_in_at: moment('checked_in_at'),
    checked_in_by: person('checked_in_by'),
    /** For a date of a repeat: the repeat and the planned start. A date that was left out is a row without a room (`skipped`). */
    series_id: integer('series_id').references(() => seriesTable.id),
    original_start: moment('original_start'),
    skipped: boolean('skipped').notNull().default(false),
    keep_asked_at: moment('keep_asked_at'),
    kept_at: moment('kept_at'),
  },
  (t) => [
    searchIndex('meet_search', t.search),
    index('meet_start').on(t.start_time, t.id),
    // The longest meeting bounds how far before a day to look for meetings that reach into it.
    index('meet_length').on(sql`(${t.end_time} - ${t.start_time})`),
    index('meet_latest').on(t.gmt_created, t.id),
    index('meet_room_start').on(t.room_id, t.start_time),
    index('meet_creator').on(t.creator_id, t.start_time),
    index('meet_host').on(t.host_id, t.start_time),
    index('meet_open')
      .on(t.end_time)
      .where(
        sql`${t.meet_status} in (${inSql(meetStatus.coming, meetStatus.running)}) and ${t.act_state} = ${inSql(actState.finished)}`,
      ),
    unique('meet_date_once').on(t.series_id, t.original_start),
    check(
      'meet_type',
      sql`${t.type_id} in (${inSql(meetType.party, meetType.office, meetType.topical, meetType.department, meetType.training, meetType.academic, meetType.other)})`,
    ),
    check('meet_mode', sql`${t.mode} between ${inSql(meetMode.inPlace)} and ${inSql(meetMode.both)}`),
    check('meet_in_order', sql`${t.start_time} < ${t.end_time}`),
    check('meet_status', sql`${t.meet_status} between ${inSql(meetStatus.coming)} and ${inSql(meetStatus.cancelled)}`),
    check('meet_cancelled', sql`(${t.meet_status} = ${inSql(meetStatus.cancelled)}) = (${t.cancel_reason} <> '')`),
    check('meet_released', sql`not ${t.released} or ${t.meet_status} = ${inSql(meetStatus.cancelled)}`),
    check('meet_skipped', sql`not ${t.skipped} or ${t.meet_status} = ${inSql(meetStatus.cancelled)}`),
    check('meet_sign', sql`${t.sign_mode} between ${inSql(signMode.none)} and ${inSql(signMode.byOthers)}`),
    check('meet_acl', sql`${t.materials_acl} in (${inSql(materialsFor.attendees, materialsFor.viewers)})`),
    check('meet_of_series', sql`(${t.series_id} is null) = (${t.original_start} is null)`),
    check(
      'meet_whole',
      sql`${t.act_state} not in (${inSql(actState.ongoing, actState.finished)}) or num_nulls(${t.start_time}, ${t.end_time}, ${t.host_id}) = 0`,
    ),
  ],
);

/** Topics of the agenda. */
export const topicTable = pgTable(
  'meet_topic',
  {
    meet_id: meet(),
    no: smallint('no').notNull(),
    title: varchar('title', { length: 200 }).notNull(),
    reporter: line('reporter', 50),
    minutes: smallint('minutes'),
    files: ids('files'),
  },
  (t) => [primaryKey({ columns: [t.meet_id, t.no] })],
);

/** Attendees with their role, answer and sign-in. */
export const attendeeTable = pgTable(
  'meet_attendee',
  {
    meet_id: meet(),
    user_id: person('user_id').notNull(),
    /** 1 host, 2 attendee, 3 observer, 4 recorder. */
    role: smallint('role').notNull().default(2),
    /** When the notice was sent to them; without it they get no further news. */
    told_at: moment('told_at'),
    /** 0 none yet, 1 comes, 2 declines, 3 sends a substitute. */
    reply: smallint('reply').notNull().default(0),
    reply_reason: line('reply_reason', 200),
    reply_time: moment('reply_time'),
    substitute_id: person('substitute_id'),
    /** 0 asked, 1 accepted, 2 declined. */
    substitute_state: smallint('substitute_state'),
    /** 0 not yet, 1 present, 2 late, 3 absent, 4 excused. */
    sign_state: smallint('sign_state').notNull().default(0),
    sign_time: moment('sign_time'),
    /** 1 scanned, 2 typed the code, 3 entered by `signed_by`. */
    sign_method: smallint('sign_method'),
    /** A hash of the device; one that occurs twice in a meeting is flagged. */
    sign_device: char('sign_device', { length: 64 }),
    signed_by: person('signed_by'),
    seat: line('seat', 20),
  },
  (t) => [
    primaryKey({ columns: [t.meet_id, t.user_id] }),
    index('meet_attendee_user').on(t.user_id, t.meet_id),
    index('meet_attendee_substitute').on(t.substitute_id),
    check('meet_attendee_role', sql`${t.role} between ${inSql(meetRole.host)} and ${inSql(meetRole.writes)}`),
    check('meet_attendee_reply', sql`${t.reply} between ${inSql(replyState.none)} and ${inSql(replyState.sends)}`),
    check('meet_attendee_sign', sql`${t.sign_state} between ${inSql(signState.none)} and ${inSql(signState.excused)}`),
    check(
      'meet_attendee_substitute_whole',
      sql`(${t.substitute_id} is null) = (${t.substitute_state} is null) and (${t.reply} = ${inSql(replyState.sends)}) = (${t.substitute_id} is not null)
        and ${t.substitute_state} between ${inSql(substituteState.asked)} and ${inSql(substituteState.declines)} and ${t.substitute_id} <> ${t.user_id}`,
    ),
  ],
);

/** A guest from outside; only the sending of a message can read the number. */
export const guestTable = pgTable(
  'meet_guest',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    meet_id: meet(),
    name: varchar('name', { length: 30 }).notNull(),
    org: line('org', 60),
    /** Sealed; the keyed hash is equal for equal numbers. */
    mobile: text('mobile'),
    mobile_mark: char('mobile_mark', { length: 64 }),
    mobile_tail: char('mobile_tail', { length: 4 }),
    told_at: moment('told_at'),
    sign_time: moment('sign_time'),
  },
  (t) => [
    index('meet_guest_meet').on(t.meet_id),
    unique('meet_guest_once').on(t.meet_id, t.mobile_mark),
    check('meet_guest_mobile', sql`num_nulls(${t.mobile}, ${t.mobile_mark}, ${t.mobile_tail}) in (0, 3)`),
  ],
);

/** A change of time or room of an approved meeting; both slots are held until it is decided. */
export const changeTable = pgTable(
  'meet_change',
  {
    ...recordColumns(),
    ...changeColumns(),
    record_id: integer('record_id')
      .notNull()
      .references(() => meetTable.id),
  },
  (t) => [
    uniqueIndex('meet_change_pending')
      .on(t.record_id)
      .where(
        sql`not ${t.is_deleted} and ${t.act_state} in (${inSql(actState.draft, actState.ongoing, actState.returned, actState.withdrawn, actState.finishAsked)})`,
      ),
  ],
);

/** A version of the minutes: 1 draft, 2 with the host, 3 published and final. */
export const minutesTable = pgTable(
  'meet_minutes',
  {
    ...recordColumns(),
    meet_id: meet(),
    no: smallint('no').notNull(),
    content: text('content').notNull().default(''),
    file_id: integer('file_id').references(() => fileTable.id),
    state: smallint('state').notNull().default(1),
    writer_id: person('writer_id').notNull(),
    /** The host's reason for returning it. */
    reason: line('reason', 200),
    confirmed_by: person('confirmed_by'),
    published_at: moment('published_at'),
  },
  (t) => [
    unique('meet_minutes_no').on(t.meet_id, t.no),
    uniqueIndex('meet_minutes_open')
      .on(t.meet_id)
      .where(sql`${t.state} < ${inSql(minutesState.published)}`),
    check(
      'meet_minutes_state',
      sql`${t.state} between ${inSql(minutesState.writing)} and ${inSql(minutesState.published)}`,
    ),
    check(
      'meet_minutes_published',
      sql`(${t.state} = ${inSql(minutesState.published)}) = (${t.published_at} is not null)`,
    ),
  ],
);

/** A decision; supervised items refer to it by meeting and number. */
export const decisionTable = pgTable(
  'meet_decision',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    meet_id: meet(),
    /** The version of the minutes; a decision keeps its number through all versions. */
    minutes_no: smallint('minutes_no').notNull(),
    no: smallint('no').notNull(),
    content: varchar('content', { length: 500 }).notNull(),
    dept_id: integer('dept_id').references(() => deptTable.id),
    owner_id: person('owner_id'),
    due_at: moment('due_at'),
  },
  (t) => [
    unique('meet_decision_no').on(t.meet_id, t.minutes_no, t.no),
    foreignKey({
      columns: [t.meet_id, t.minutes_no],
      foreignColumns: [minutesTable.meet_id, minutesTable.no],
      name: 'meet_decision_minutes',
    }),
  ],
);
