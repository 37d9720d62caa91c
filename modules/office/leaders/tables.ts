import { sql } from 'drizzle-orm';
import { boolean, check, customType, date, index, integer, jsonb, pgTable } from 'drizzle-orm/pg-core';
import { primaryKey, smallint, unique, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns } from '#modules/workflow/records/tables.ts';
import type { Snapshot } from './contract/board.ts';
import {
  attendType,
  leastReminder,
  mostReminder,
  mostReminders,
  replyState,
  scheduleType,
  visibleTo,
} from './contract/codes.ts';

const person = (name: string) => integer(name).references(() => userTable.id);
const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const numbers = (name: string) =>
  integer(name)
    .array()
    .notNull()
    .default(sql`'{}'`);
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Places used before: of one user, or shared if they have no owner. */
export const addressTable = pgTable(
  'leader_address',
  {
    ...recordColumns(),
    owner_id: person('owner_id'),
    name: varchar('name', { length: 100 }).notNull(),
    campus: line('campus', 20),
    use_count: integer('use_count').notNull().default(1),
    last_used: moment('last_used')
      .notNull()
      .default(sql`now()`),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('leader_address_once').on(sql`coalesce(${t.owner_id}, 0)`, plainSql(sql`${t.name}`)),
    searchIndex('leader_address_search', t.search),
  ],
);

/** Schedules of leaders: 1 a schedule, 3 a trip. */
export const scheduleTable = pgTable(
  'leader_schedule',
  {
    ...recordColumns(),
    ...approvalColumns(),
    type_id: smallint('type_id').notNull().default(1),
    title: varchar('title', { length: 200 }).notNull(),
    start_time: moment('start_time').notNull(),
    end_time: moment('end_time').notNull(),
    all_day: boolean('all_day').notNull().default(false),
    /** The destination, for a trip. */
    address: line('address', 100),
    address_id: integer('address_id').references(() => addressTable.id, { onDelete: 'set null' }),
    attend_type: smallint('attend_type').notNull().default(2),
    contact_id: person('contact_id'),
    phone: line('phone', 30),
    participants: line('participants', 300),
    escort: numbers('escort'),
    need: varchar('need', { length: 10 })
      .array()
      .notNull()
      .default(sql`'{}'`),
    materials: numbers('materials'),
    /** 1 everybody, 2 leaders and the office, 3 the leaders and their secretaries; all others see 忙. */
    visibility: smallint('visibility').notNull().default(1),
    /** Minutes before the start at which people are reminded. */
    remind: numbers('remind'),
    remark: line('remark', 500),
    /** Written by the leaders' own side or the office, so it needs no approval. */
    direct: boolean('direct').notNull().default(false),
    /** The user who let it stand although a leader has another entry at that time. */
    forced_by: person('forced_by'),
    /** Set when it first differs from what was approved. */
    changed_at: moment('changed_at'),
    cancelled_at: moment('cancelled_at'),
    cancel_reason: line('cancel_reason', 200),
    /** The module and record that it follows. */
    source_module: line('source_module', 30),
    source_id: integer('source_id'),
    source_path: line('source_path', 200),
    acting_id: person('acting_id'),
    /** Leaders who approve a trip. */
    approvers: numbers('approvers'),
    back_at: moment('back_at'),
    /** Equal for the weeks of a repeat: the id of the entry that was copied first. */
    series_id: integer('series_id'),
  },
  (t) => [
    index('leader_schedule_time').using('gist', sql`tstzrange(${t.start_time}, ${t.end_time})`),
    index('leader_schedule_creator').on(t.creator_id, t.id),
    index('leader_schedule_start').on(t.start_time, t.id),
    index('leader_schedule_series').on(t.series_id, t.start_time),
    searchIndex('leader_schedule_search', t.search),
    uniqueIndex('leader_schedule_source')
      .on(t.source_module, t.source_id)
      .where(sql`${t.source_id} is not null`),
    check('leader_schedule_type', sql`${t.type_id} in (${inSql(scheduleType.usual, scheduleType.trip)})`),
    check('leader_schedule_period', sql`${t.end_time} > ${t.start_time}`),
    check(
      'leader_schedule_attend',
      sql`${t.attend_type} between ${inSql(attendType.hosts)} and ${inSql(attendType.other)}`,
    ),
    check(
      'leader_schedule_visibility',
      sql`${t.visibility} between ${inSql(visibleTo.everybody)} and ${inSql(visibleTo.own)} and (${t.type_id} = ${inSql(scheduleType.usual)} or ${t.visibility} < ${inSql(visibleTo.own)})`,
    ),
    check(
      'leader_schedule_private',
      sql`${t.visibility} < ${inSql(visibleTo.own)} or ${t.direct} or ${t.source_id} is not null`,
    ),
    check(
      'leader_schedule_trip',
      sql`${t.type_id} = ${inSql(scheduleType.trip)} or (${t.acting_id} is null and ${t.back_at} is null)`,
    ),
    check('leader_schedule_back', sql`${t.back_at} >= ${t.start_time}`),
    check(
      'leader_schedule_remind',
      sql`${inSql(leastReminder)} <= all(${t.remind}) and ${inSql(mostReminder)} >= all(${t.remind}) and cardinality(${t.remind}) <= ${inSql(mostReminders)}
        and (${t.type_id} = ${inSql(scheduleType.usual)} or cardinality(${t.remind}) = 0)`,
    ),
    check(
      'leader_schedule_repeats',
      sql`${t.series_id} is null or (${t.type_id} = ${inSql(scheduleType.usual)} and ${t.source_id} is null)`,
    ),
  ],
);

/** The newest version kept of each source record; older versions are ignored. */
export const sourceTable = pgTable(
  'leader_source',
  {
    module: varchar('module', { length: 30 }).notNull(),
    source_id: integer('source_id').notNull(),
    version: integer('version').notNull(),
  },
  (t) => [primaryKey({ columns: [t.module, t.source_id] })],
);

const schedule = () =>
  integer('schedule_id')
    .notNull()
    .references(() => scheduleTable.id, { onDelete: 'cascade' });

/** The leaders of a schedule and their answers: 0 none yet, 1 takes part, 2 declines, 3 sends another person. */
export const attendTable = pgTable(
  'leader_attend',
  {
    schedule_id: schedule(),
    leader_id: person('leader_id').notNull(),
    state: smallint('state').notNull().default(0),
    note: line('note', 200),
    by: person('by'),
    at: moment('at'),
  },
  (t) => [
    primaryKey({ columns: [t.schedule_id, t.leader_id] }),
    index('leader_attend_leader').on(t.leader_id, t.schedule_id),
    check('leader_attend_state', sql`${t.state} between ${inSql(replyState.none)} and ${inSql(replyState.passesOn)}`),
  ],
);

/** Changes of approved schedules; append-only. */
export const changeTable = pgTable(
  'leader_change',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    schedule_id: schedule(),
    at: moment('at')
      .notNull()
      .default(sql`now()`),
    by: person('by'),
    kind: varchar('kind', { length: 10 }).notNull(),
    was: jsonb('was').$type<Record<string, unknown>>().notNull().default({}),
    becomes: jsonb('becomes').$type<Record<string, unknown>>().notNull().default({}),
    reason: line('reason', 300),
  },
  (t) => [
    index('leader_change_schedule').on(t.schedule_id, t.id),
    check('leader_change_kind', sql`${t.kind} in ('edit', 'cancel', 'reply', 'source', 'back')`),
  ],
);

/** A published week; neither the snapshot nor its pages, once set, change. */
export const weekTable = pgTable(
  'leader_week',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** Its Monday. */
    week: date('week').notNull(),
    version: integer('version').notNull(),
    published_by: person('published_by').notNull(),
    published_at: moment('published_at')
      .notNull()
      .default(sql`now()`),
    snapshot: jsonb('snapshot').$type<Snapshot>().notNull(),
    /** The pages with all entries, and those with the public ones. */
    pdf_all: bytes('pdf_all'),
    pdf_open: bytes('pdf_open'),
  },
  (t) => [
    unique('leader_week_version').on(t.week, t.version),
    check('leader_week_monday', sql`extract(isodow from ${t.week}) = 1`),
  ],
);

/** The version in which somebody has last seen a schedule. */
export const leaderSeenTable = pgTable(
  'leader_seen',
  {
    user_id: person('user_id').notNull(),
    schedule_id: schedule(),
    version: integer('version').notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.schedule_id] }), index('leader_seen_schedule').on(t.schedule_id)],
);
