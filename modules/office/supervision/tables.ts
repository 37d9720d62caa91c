import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import {
  checkState,
  itemState,
  opinionType,
  requestKind,
  requestState,
  subState,
  superviseLevel,
} from './contract/codes.ts';

const person = (name: string) => integer(name).references(() => userTable.id);
const dept = (name: string) => integer(name).references(() => deptTable.id);
const maybe = (name: string) => moment(name);
const words = (name: string) => text(name).notNull().default('');
const count = (name: string) => smallint(name).notNull().default(0);
const ids = (name: string) =>
  integer(name)
    .array()
    .notNull()
    .default(sql`'{}'`);
const now = (name: string) =>
  moment(name)
    .notNull()
    .default(sql`now()`);
/** Repeats one column for several names. */
const each = <B, K extends string>(make: (name: string) => B, ...keys: K[]) =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, B>;
const item = () =>
  integer('supervise_id')
    .notNull()
    .references((): AnyPgColumn => superviseTable.id, { onDelete: 'cascade' });
const sub = () => integer('sub_id').references((): AnyPgColumn => subTable.id, { onDelete: 'cascade' });
/** The common columns of reports, opinions, requests and sheets. */
const hung = () => ({
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  supervise_id: item(),
  gmt_created: now('gmt_created'),
});
/** The second from which a light is red, yellow or blue; null means never (`record/lights.ts`). */
const marks = () => each(maybe, 'red_at', 'yellow_at', 'blue_at');

/** A supervised item. */
export const superviseTable = pgTable(
  'supervise',
  {
    ...recordColumns(),
    ...deletable(),
    ...marks(),
    ...each(maybe, 'due_at', 'first_due_at', 'issue_at', 'applied_at', 'finish_at'),
    ...each(person, 'leader', 'owner', 'finish_by'),
    ...each(words, 'content', 'requirement', 'finish_note'),
    ...each(count, 'feedback_cycle', 'progress', 'status', 'reopened'),
    ...each(ids, 'co_depts', 'attachments'),
    ...each((name) => boolean(name).notNull().default(false), 'is_public', 'finished_late'),
    ...each((name) => person(name).notNull(), 'supervisor', 'creator_id'),
    sn: varchar('sn', { length: 30 }).notNull().unique(),
    title: varchar('title', { length: 120 }).notNull(),
    source: smallint('source').notNull(),
    source_module: varchar('source_module', { length: 30 }),
    source_id: integer('source_id'),
    /** The decision within the source. */
    source_key: varchar('source_key', { length: 60 }).notNull().default(''),
    lead_dept: dept('lead_dept'),
    level: smallint('level').notNull().default(1),
    start_date: date('start_date', { mode: 'string' }),
    score: numeric('score', { precision: 5, scale: 1, mode: 'number' }),
    search: searchColumn(),
  },
  (t) => [
    check('supervise_status', sql`${t.status} between ${inSql(itemState.draft)} and ${inSql(itemState.ended)}`),
    check('supervise_source', sql`${t.source} in (1, 2, 3, 4, 5, 6, 9)`),
    check(
      'supervise_level',
      sql`${t.level} between ${inSql(superviseLevel.usual)} and ${inSql(superviseLevel.urgent)}`,
    ),
    check('supervise_cycle', sql`${t.feedback_cycle} between 0 and 4`),
    check('supervise_score', sql`${t.score} between 0 and 100`),
    check('supervise_finished', sql`(${t.status} = ${inSql(itemState.finished)}) = (${t.finish_at} is not null)`),
    check(
      'supervise_issued',
      sql`${t.status} = ${inSql(itemState.draft)} or (${t.due_at} is not null and ${t.lead_dept} is not null)`,
    ),
    check('supervise_deleted', sql`not ${t.is_deleted} or ${t.status} = ${inSql(itemState.draft)}`),
    uniqueIndex('supervise_source_once')
      .on(t.source_module, t.source_id, t.source_key)
      .where(sql`${t.source_module} is not null and not ${t.is_deleted}`),
    index('supervise_running')
      .on(t.due_at, t.id)
      .where(sql`${t.status} in (${inSql(itemState.running, itemState.applied)})`),
    index('supervise_newest')
      .on(t.id.desc())
      .where(sql`not ${t.is_deleted}`),
    index('supervise_lead').on(t.lead_dept, t.status),
    index('supervise_supervisor').on(t.supervisor, t.status),
    searchIndex('supervise_search', t.search),
  ],
);

/** A part of an item that somebody has to do. */
export const subTable = pgTable(
  'supervise_sub',
  {
    ...recordColumns(),
    ...marks(),
    /** `rested_at`: the clock has stopped since then because of an open objection; `done_at`: the time of the report that finished it. */
    ...each(maybe, 'first_due_at', 'issued_at', 'opened_at', 'next_feedback', 'rested_at', 'done_at'),
    /** `progress` is the accepted percent, `reported` the one that waits for its check. */
    ...each(count, 'progress', 'reported', 'status'),
    supervise_id: item(),
    title: varchar('title', { length: 120 }).notNull(),
    content: words('content'),
    dept: dept('dept').notNull(),
    owner: person('owner').notNull(),
    co_users: ids('co_users'),
    due_at: moment('due_at').notNull(),
    weight: smallint('weight').notNull().default(1),
    opened_by: person('opened_by'),
    /** Identifies the calendar and rules by which its marks were computed. */
    marked_by: varchar('marked_by', { length: 16 }).notNull().default(''),
  },
  (t) => [
    check('supervise_sub_status', sql`${t.status} between ${inSql(subState.issued)} and ${inSql(subState.cancelled)}`),
    check('supervise_sub_progress', sql`${t.progress} between 0 and 100 and ${t.reported} between 0 and 100`),
    check('supervise_sub_done', sql`(${t.status} = ${inSql(subState.finished)}) = (${t.progress} = 100)`),
    check('supervise_sub_weight', sql`${t.weight} between 1 and 100`),
    index('supervise_sub_item').on(t.supervise_id, t.id),
    index('supervise_sub_owner').on(t.owner, t.status),
    index('supervise_sub_dept').on(t.dept, t.status),
    index('supervise_sub_co').using('gin', t.co_users),
    // A covering index for counting lights.
    index('supervise_sub_open')
      .on(t.due_at, t.id, t.supervise_id, t.status, t.red_at, t.yellow_at, t.blue_at)
      .where(
        sql`${t.status} in (${inSql(subState.issued, subState.running, subState.toCheck, subState.returned)}) and ${t.issued_at} is not null`,
      ),
  ],
);

/** A stage of a part: the share to be done by a day. */
export const stageTable = pgTable(
  'supervise_stage',
  {
    sub_id: sub().notNull(),
    no: smallint('no').notNull(),
    title: varchar('title', { length: 60 }).notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    weight: smallint('weight').notNull(),
    evidence: boolean('evidence').notNull().default(false),
    done_at: moment('done_at'),
  },
  (t) => [
    primaryKey({ columns: [t.sub_id, t.no] }),
    check('supervise_stage_weight', sql`${t.weight} between 1 and 100`),
  ],
);

/** The history of due times, with reasons and deciders; `sub_id` null is the item itself. Append-only. */
export const planTable = pgTable(
  'supervise_plan',
  {
    ...hung(),
    sub_id: sub(),
    due_from: maybe('due_from'),
    due_at: moment('due_at').notNull(),
    reason: text('reason').notNull(),
    by: person('by').notNull(),
  },
  (t) => [index('supervise_plan_item').on(t.supervise_id, t.id)],
);

export const progressTable = pgTable(
  'supervise_progress',
  {
    ...hung(),
    ...each(count, 'before', 'percent', 'check_state'),
    ...each(words, 'content', 'problem', 'next_plan', 'reason', 'check_opinion'),
    ...each(ids, 'stages', 'attachments'),
    /** `_for` is the person in whose place the user acted. */
    ...each(person, 'reporter_for', 'checker', 'checker_for'),
    sub_id: sub().notNull(),
    is_finish: boolean('is_finish').notNull().default(false),
    reporter: person('reporter').notNull(),
    check_time: maybe('check_time'),
    check_due: moment('check_due').notNull(),
  },
  (t) => [
    check('supervise_progress_percent', sql`${t.percent} between 0 and 100`),
    check(
      'supervise_progress_checked',
      sql`(${t.check_state} = ${inSql(checkState.waiting)}) = (${t.check_time} is null)`,
    ),
    uniqueIndex('supervise_progress_one')
      .on(t.sub_id)
      .where(sql`${t.check_state} = ${inSql(checkState.waiting)}`),
    index('supervise_progress_sub').on(t.sub_id, t.id),
    index('supervise_progress_item').on(t.supervise_id, t.id),
  ],
);

/** Append-only. */
export const opinionTable = pgTable(
  'supervise_opinion',
  {
    ...hung(),
    sub_id: sub(),
    type: smallint('type').notNull(),
    content: words('content'),
    author: person('author').notNull(),
    at_users: ids('at_users'),
  },
  (t) => [
    check('supervise_opinion_type', sql`${t.type} between ${inSql(opinionType.leader)} and ${inSql(opinionType.urge)}`),
    index('supervise_opinion_item').on(t.supervise_id, t.id),
  ],
);

/** A request: more time, an objection, or another owner. */
export const requestTable = pgTable(
  'supervise_request',
  {
    ...hung(),
    ...each(maybe, 'apply_due', 'decided_at'),
    ...each(person, 'to', 'by_for', 'decider'),
    ...each(words, 'reason', 'done_so_far', 'opinion'),
    sub_id: sub().notNull(),
    kind: smallint('kind').notNull(),
    state: smallint('state').notNull().default(1),
    attachments: ids('attachments'),
    by: person('by').notNull(),
  },
  (t) => [
    check(
      'supervise_request_kind',
      sql`${t.kind} between ${inSql(requestKind.extend)} and ${inSql(requestKind.reassign)} and ${t.state} between ${inSql(requestState.asked)} and ${inSql(requestState.lapsed)}`,
    ),
    check('supervise_request_due', sql`(${t.kind} = ${inSql(requestKind.extend)}) = (${t.apply_due} is not null)`),
    /** A lapsed request (失效) may be decided or undecided; all other states determine it. */
    check(
      'supervise_request_decided',
      sql`case ${t.state} when ${inSql(requestState.asked)} then ${t.decided_at} is null when ${inSql(requestState.lapsed)} then true else ${t.decided_at} is not null end`,
    ),
    uniqueIndex('supervise_request_one')
      .on(t.sub_id, t.kind)
      .where(sql`${t.decided_at} is null`),
    index('supervise_request_item').on(t.supervise_id, t.id),
  ],
);

/** 督办单: a numbered sheet for one part, signed for. Department and owner are those at the time of issue. */
export const sheetTable = pgTable(
  'supervise_sheet',
  {
    ...hung(),
    ...each(maybe, 'answer_by', 'received_at'),
    ...each(words, 'content', 'answer'),
    ...each((name) => person(name).notNull(), 'owner', 'issuer'),
    sub_id: sub().notNull(),
    year: smallint('year').notNull(),
    seq: integer('seq').notNull(),
    colour: smallint('colour').notNull(),
    dept: dept('dept').notNull(),
    received_by: person('received_by'),
  },
  (t) => [
    check('supervise_sheet_colour', sql`${t.colour} between 0 and 3`),
    uniqueIndex('supervise_sheet_number').on(t.year, t.seq),
    index('supervise_sheet_sub').on(t.sub_id, t.id),
    index('supervise_sheet_item').on(t.supervise_id, t.id),
    index('supervise_sheet_unread')
      .on(t.owner)
      .where(sql`${t.received_at} is null`),
  ],
);

/** The people who opened its page, and the first time. */
export const seenTable = pgTable(
  'supervise_seen',
  { supervise_id: item(), user_id: person('user_id').notNull(), at: now('at') },
  (t) => [primaryKey({ columns: [t.supervise_id, t.user_id] })],
);
