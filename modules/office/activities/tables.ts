import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { moneyColumn } from '#kernel/server/db/money.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns, changeColumns } from '#modules/workflow/records/tables.ts';
import { roomTable } from '#modules/platform/rooms/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus } from './contract/codes.ts';
import type { Verdict } from './contract/shapes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const flag = (name: string) => boolean(name).notNull().default(false);
const ids = (name: string) => integer(name).array().notNull().default([]);
const person = (name: string) => integer(name).references(() => userTable.id);

/** The verdict of the rules, the version of the rules, and the moment of judging. */
export interface Judged {
  at: string;
  rule_version: number;
  verdict: Verdict;
}

export const activityTable = pgTable(
  'activity',
  {
    ...recordColumns(),
    ...approvalColumns(),
    ...deletable(),
    title: varchar('title', { length: 100 }).notNull(),
    type_id: smallint('type_id'),
    is_social_science: flag('is_social_science'),
    audience: smallint('audience'),
    co_orgs: line('co_orgs', 200),
    undertaker: person('undertaker'),
    phone: line('phone', 30),
    content: text('content').notNull().default(''),
    start_time: moment('start_time'),
    end_time: moment('end_time'),
    urgent_reason: line('urgent_reason', 300),
    room_id: integer('room_id').references(() => roomTable.id, { onDelete: 'restrict' }),
    location: line('location', 100),
    is_online: flag('is_online'),
    online_platform: line('online_platform', 50),
    online_link: line('online_link', 300),
    online_admits: line('online_admits', 50),
    in_count: integer('in_count'),
    out_count: integer('out_count'),
    has_overseas: flag('has_overseas'),
    /** Derived from its guests. */
    has_foreign: flag('has_foreign'),
    has_external: flag('has_external'),
    safety_plan: integer('safety_plan'),
    safety_officer: person('safety_officer'),
    safety_phone: line('safety_phone', 30),
    budget: moneyColumn('budget'),
    fund_source: line('fund_source', 100),
    need: varchar('need', { length: 20 }).array().notNull().default([]),
    media_report: flag('media_report'),
    poster: ids('poster'),
    publicity_plan: line('publicity_plan', 300),
    attachments: ids('attachments'),
    /** The verdict when it was last written. */
    judged: jsonb('judged').$type<Judged>(),
    urgent: flag('urgent'),
    /** When it was first sent, which starts its lead time, and when it last came back. */
    sent_at: moment('sent_at'),
    back_at: moment('back_at'),
    activity_status: smallint('activity_status').notNull().default(0),
    cancel_reason: line('cancel_reason', 200),
    summary: text('summary').notNull().default(''),
    summary_due: date('summary_due'),
    /** The reason for which its summary was returned, until it is handed in again; a summary is returned at most once. */
    summary_return: line('summary_return', 200),
    was_returned: flag('was_returned'),
    summarised_at: moment('summarised_at'),
    actual_in: integer('actual_in'),
    actual_out: integer('actual_out'),
    news_link: line('news_link', 300),
    no_photos: flag('no_photos'),
  },
  (t) => [
    index('activity_newest').on(t.gmt_created, t.id),
    index('activity_start').on(t.start_time),
    // Activities that take place or may yet: the clash check and the nightly job read them.
    index('activity_open')
      .on(t.end_time)
      .where(
        sql`${t.act_state} in (${inSql(actState.ongoing, actState.finished)}) and ${t.activity_status} in (${inSql(activityStatus.coming, activityStatus.running)})`,
      ),
    index('activity_unsummarised')
      .on(t.dept_id, t.summary_due)
      .where(sql`${t.activity_status} = ${inSql(activityStatus.toSummarise)}`),
    index('activity_creator').on(t.creator_id),
    searchIndex('activity_search', t.search),
    check('activity_counts', sql`least(${t.in_count}, ${t.out_count}, ${t.actual_in}, ${t.actual_out}) >= 0`),
    // The plan that 保卫 approved stays complete until the activity has begun.
    check(
      'activity_safety',
      sql`${t.act_state} not in (${inSql(actState.ongoing, actState.finished)}) or ${t.activity_status} <> ${inSql(activityStatus.coming)} or (${t.judged} #>> '{verdict,need_safety}') is distinct from 'true'
        or (${t.safety_plan} is not null and ${t.safety_officer} is not null and ${t.safety_phone} <> '')`,
    ),
    check('activity_in_order', sql`${t.end_time} > ${t.start_time}`),
    check(
      'activity_external',
      sql`${t.act_state} in (${inSql(actState.draft, actState.returned, actState.withdrawn, actState.closed)}) or not ${t.has_external} or ${t.out_count} > 0`,
    ),
    check(
      'activity_status',
      sql`${t.activity_status} in (${inSql(activityStatus.coming, activityStatus.cancelled)}) or (${t.act_state} = ${inSql(actState.finished)} and ${t.activity_status} between ${inSql(activityStatus.running)} and ${inSql(activityStatus.summarised)})`,
    ),
    check(
      'activity_summary',
      sql`(${t.activity_status} = ${inSql(activityStatus.summarised)}) = (${t.summary} <> '' and ${t.summary_return} = '')`,
    ),
    check(
      'activity_due',
      sql`${t.activity_status} <> ${inSql(activityStatus.toSummarise)} or ${t.summary_due} is not null`,
    ),
    check(
      'activity_cancelled',
      sql`(${t.activity_status} = ${inSql(activityStatus.cancelled)}) = (${t.cancel_reason} <> '')`,
    ),
  ],
);

const ofActivity = () =>
  integer('activity_id')
    .notNull()
    .references(() => activityTable.id, { onDelete: 'restrict' });

/** Speakers; kept when the activity is deleted, so that a later visit finds them. */
export const activityGuestTable = pgTable(
  'activity_guest',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    activity_id: ofActivity(),
    no: smallint('no').notNull(),
    name: varchar('name', { length: 50 }).notNull(),
    org: line('org', 100),
    title: line('title', 50),
    nationality: varchar('nationality', { length: 2 }).notNull().default('CN'),
    topic: line('topic', 200),
    is_external: flag('is_external'),
    phone: line('phone', 30),
    background: text('background').notNull().default(''),
    /** The earlier visit whose background note holds for this one. */
    note_of: integer('note_of'),
    search: searchColumn(),
  },
  (t) => [
    index('activity_guest_of').on(t.activity_id, t.no),
    index('activity_guest_who').on(t.name, t.org),
    searchIndex('activity_guest_search', t.search),
    check('activity_guest_nationality', sql`${t.nationality} ~ '^[A-Z]{2}$'`),
  ],
);

/** Attending leaders; `schedule_ref` is the proposed entry of their schedule, set once. */
export const activityLeaderTable = pgTable(
  'activity_leader',
  {
    activity_id: ofActivity(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    schedule_ref: integer('schedule_ref'),
  },
  (t) => [primaryKey({ columns: [t.activity_id, t.user_id] }), index('activity_leader_who').on(t.user_id)],
);

/** The verdict of each round and the version of the rules; append-only. */
export const activityRoundTable = pgTable(
  'activity_round',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    activity_id: ofActivity(),
    change_id: integer('change_id'),
    round: smallint('round').notNull(),
    judged_at: moment('judged_at').notNull(),
    rule_version: integer('rule_version').notNull(),
    verdict: jsonb('verdict').$type<Verdict>().notNull(),
  },
  (t) => [index('activity_round_of').on(t.activity_id)],
);

export const activityChangeTable = pgTable(
  'activity_change',
  {
    ...recordColumns(),
    ...changeColumns(),
    record_id: integer('record_id')
      .notNull()
      .references(() => activityTable.id, { onDelete: 'restrict' }),
    judged: jsonb('judged').$type<Judged>(),
  },
  (t) => [
    uniqueIndex('activity_change_pending')
      .on(t.record_id)
      .where(
        sql`not ${t.is_deleted} and ${t.act_state} in (${inSql(actState.draft, actState.ongoing, actState.returned, actState.withdrawn, actState.finishAsked)})`,
      ),
  ],
);
