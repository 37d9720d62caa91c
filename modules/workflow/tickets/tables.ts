import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { inSql } from '#kernel/server/db/columns.ts';
import { searchColumn } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { workflowTable, workflowVersionTable } from '#modules/workflow/workflows/tables.ts';
import { groupModes, taskOrigins, taskStatuses, tokenStatuses, type Undo } from './engine/state.ts';

const at = () => timestamp({ withTimezone: true, mode: 'string' });
const person = () => integer().references(() => userTable.id);

export const ticketTable = pgTable(
  'ticket',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    sn: varchar({ length: 40 }).notNull(),
    title: varchar({ length: 200 }).notNull(),
    workflow_id: integer()
      .notNull()
      .references(() => workflowTable.id),
    version_id: integer()
      .notNull()
      .references(() => workflowVersionTable.id),
    act_state: smallint().notNull(),
    /** The main token's state. */
    state_id: integer().notNull(),
    creator_id: person().notNull(),
    /** The creator's department at creation, used by the data scope. */
    dept_id: integer().references(() => deptTable.id),
    /** The authors of what was begun in the creator's name. */
    author_ids: integer().array().notNull().default([]),
    form: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** State id → user names picked for it. */
    chosen: jsonb().$type<Record<string, string[]>>().notNull().default({}),
    round: integer().notNull().default(1),
    /** The ticket before its last decision, while it may be taken back. */
    undo: jsonb().$type<Undo>(),
    /** Number of the last log row. */
    seq: integer().notNull(),
    /** Hash of the log's row `seq`, which reveals rows removed from the end of the log. */
    log_hash: varchar({ length: 64 }),
    /** Optimistic lock; `version` on the wire. */
    rev: integer().notNull().default(0),
    parent_ticket_id: integer(),
    parent_ticket_state_id: integer(),
    /** The stay of the parent ticket that it belongs to: token and visit. */
    parent_token_no: integer(),
    parent_visit: integer(),
    /** The parent's item that it was automatically begun for: a row's number, or a user name. */
    parent_item: varchar({ length: 60 }),
    biz_module: varchar({ length: 30 }),
    biz_id: integer(),
    priority: smallint().notNull().default(0),
    /** The earliest of its deadlines, while it runs. */
    due_at: at(),
    /** The deadline of its record, set by the record's module. */
    record_due_at: at(),
    /** Suspended since; its clock stands still. */
    suspended_at: at(),
    /** Milliseconds it was suspended before. */
    paused_ms: bigint({ mode: 'number' }).notNull().default(0),
    /** Revoked after it was finished. */
    is_void: boolean().notNull().default(false),
    /** The moment since which its creator is back from the leave it allowed, if before the leave's end. */
    back_at: at(),
    submitted_at: at(),
    finished_at: at(),
    is_deleted: boolean().notNull().default(false),
    gmt_created: at().notNull().defaultNow(),
    gmt_modified: at().notNull().defaultNow(),
    search: searchColumn(),
  },
  (table) => {
    const alive = sql`not ${table.is_deleted}`;
    // Ascending and read backwards: a descending index of the schema language sorts nulls last, which `order by … desc` cannot use.
    const newest = [table.gmt_created, table.id] as const;
    return [
      // The operator class serves both equality and the prefix search of the list.
      uniqueIndex('ticket_sn_unique').on(table.sn.op('text_pattern_ops')),
      uniqueIndex('ticket_biz_unique')
        .on(table.biz_module, table.biz_id)
        // A closed ticket decided nothing, so the record may be sent once more.
        .where(
          sql`${table.biz_id} is not null and not ${table.is_deleted} and ${table.act_state} <> ${inSql(actState.closed)}`,
        ),
      // Includes the other columns that the list of all tickets filters by, so that its total is counted from the index alone.
      index('ticket_newest')
        .on(...newest, table.act_state, table.creator_id)
        .where(alive),
      index('ticket_by_creator')
        .on(table.creator_id, ...newest)
        .where(alive),
      index('ticket_by_dept')
        .on(table.dept_id, ...newest)
        .where(alive),
      index('ticket_by_act_state')
        .on(table.act_state, ...newest)
        .where(alive),
      index('ticket_by_workflow')
        .on(table.workflow_id, ...newest)
        .where(alive),
      index('ticket_by_version').on(table.version_id, table.act_state),
      index('ticket_by_parent')
        .on(table.parent_ticket_id)
        .where(sql`${table.parent_ticket_id} is not null`),
      index('ticket_open_by_due')
        .on(table.due_at)
        .where(sql`${table.due_at} is not null and ${table.act_state} = ${inSql(actState.ongoing)}`),
      index('ticket_form').using('gin', table.form.op('jsonb_path_ops')),
      index('ticket_search').using('gin', table.search),
      foreignKey({ name: 'ticket_parent', columns: [table.parent_ticket_id], foreignColumns: [table.id] }),
      check(
        'ticket_below_a_stay',
        sql`num_nulls(${table.parent_ticket_state_id}, ${table.parent_token_no}, ${table.parent_visit}) in (0, 3)`,
      ),
      check(
        'ticket_act_state_known',
        sql`${table.act_state} between ${inSql(actState.draft)} and ${inSql(actState.finishAsked)}`,
      ),
      check('ticket_back_at', sql`${table.back_at} is null or ${table.finished_at} is not null`),
      check('ticket_form_object', sql`jsonb_typeof(${table.form}) = 'object'`),
      check(
        'ticket_finished_at',
        sql`(${table.act_state} in (${inSql(actState.finished, actState.closed, actState.finishAsked)})) = (${table.finished_at} is not null)`,
      ),
      // A submitted ticket stays readable for those who decided it.
      check('ticket_deleted_unsent', sql`not ${table.is_deleted} or ${table.submitted_at} is null`),
      check('ticket_counts_up', sql`${table.round} > 0 and ${table.seq} > 0 and ${table.rev} >= 0`),
    ];
  },
);

export const ticketTokenTable = pgTable(
  'ticket_token',
  {
    ticket_id: integer()
      .notNull()
      .references(() => ticketTable.id, { onDelete: 'cascade' }),
    no: integer().notNull(),
    state_id: integer().notNull(),
    branch: varchar({ length: 200 }).notNull().default(''),
    status: varchar({ length: 12, enum: tokenStatuses }).notNull(),
    visit: integer().notNull(),
    returned: boolean().notNull().default(false),
    /** The task it returns straight to. */
    back_to: integer(),
    entered_at: at().notNull().defaultNow(),
    decision_deadline: at(),
    /** The time at which it leaves its state by itself. */
    timer_at: at(),
    /** The visit whose deadline rule has been applied. */
    overdue_visit: integer(),
    /** The number of reminders in this visit, and the time of the next. */
    reminded: smallint().notNull().default(0),
    remind_at: at(),
    /** The time of the reminder before its deadline; null once it was sent. */
    ahead_at: at(),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.no] }),
    index('ticket_token_live_by_state')
      .on(table.state_id, table.ticket_id)
      .where(sql`${table.status} <> 'done'`),
    index('ticket_token_deadline')
      .on(table.decision_deadline)
      .where(
        sql`${table.decision_deadline} is not null and ${table.status} = 'active' and ${table.overdue_visit} is distinct from ${table.visit}`,
      ),
    index('ticket_token_timer')
      .on(table.timer_at)
      .where(sql`${table.timer_at} is not null and ${table.status} = 'active'`),
    index('ticket_token_ahead')
      .on(table.ahead_at)
      .where(sql`${table.ahead_at} is not null and ${table.status} = 'active'`),
    check('ticket_token_status_known', sql`${table.status} in ('active', 'waiting_join', 'done')`),
  ],
);

/** One person asked once. Duty, worked and related lists and their badges are views over these rows; there is no second copy. */
export const ticketTaskTable = pgTable(
  'ticket_task',
  {
    ticket_id: integer()
      .notNull()
      .references(() => ticketTable.id, { onDelete: 'cascade' }),
    no: integer().notNull(),
    token_no: integer().notNull(),
    visit: integer().notNull(),
    state_id: integer().notNull(),
    round: integer().notNull(),
    assignee_id: person().notNull(),
    origin: varchar({ length: 12, enum: taskOrigins }).notNull(),
    origin_no: integer(),
    on_behalf_id: person(),
    /** The delegate who last acted on it; null if that was the assignee. */
    agent_id: person(),
    group_seq: integer().notNull().default(0),
    /** First task of those added together; 0 for those the state asks. */
    group_no: integer().notNull().default(0),
    mode: varchar({ length: 10, enum: groupModes }),
    /** Gives an opinion, no vote. */
    answers: boolean().notNull().default(false),
    status: varchar({ length: 12, enum: taskStatuses }).notNull(),
    pooled: boolean().notNull().default(false),
    transition_id: integer(),
    reason: text().notNull().default(''),
    opened_at: at().notNull().defaultNow(),
    first_read_at: at(),
    decided_at: at(),
    /** The deadline in its state; null without a limit. */
    due_at: at(),
    /** Set if its ticket is deleted; maintained by a trigger, so that badges are counted from these rows alone. */
    ticket_deleted: boolean().notNull().default(false),
    /** SHA-256 of the part of the form that the decider could see, hexadecimal. */
    seen_hash: varchar({ length: 64 }),
  },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.no] }),
    foreignKey({
      name: 'ticket_task_token',
      columns: [table.ticket_id, table.token_no],
      foreignColumns: [ticketTokenTable.ticket_id, ticketTokenTable.no],
    }).onDelete('cascade'),
    uniqueIndex('ticket_task_one_open')
      .on(table.ticket_id, table.token_no, table.visit, table.assignee_id)
      .where(sql`${table.status} in ('todo', 'waiting')`),
    index('ticket_task_duty')
      .on(table.assignee_id, table.ticket_id, table.ticket_deleted)
      .where(sql`${table.status} = 'todo'`),
    index('ticket_task_worked')
      .on(table.assignee_id, table.ticket_id, table.ticket_deleted)
      .where(sql`${table.status} in ('agree', 'refuse', 'other', 'returned', 'transferred')`),
    index('ticket_task_decided')
      .on(table.decided_at)
      .where(sql`${table.status} in ('agree', 'refuse', 'other', 'returned', 'transferred')`),
    index('ticket_task_by_agent')
      .on(table.agent_id, table.ticket_id)
      .where(sql`${table.agent_id} is not null`),
    index('ticket_task_related').on(
      table.assignee_id,
      table.ticket_id,
      table.status,
      table.agent_id,
      table.ticket_deleted,
    ),
    index('ticket_task_waiting')
      .on(table.assignee_id, table.ticket_id, table.no)
      .where(sql`${table.status} = 'waiting'`),
    check(
      'ticket_task_status_known',
      sql`${table.status} in ('waiting', 'todo', 'agree', 'refuse', 'other', 'returned', 'transferred', 'cancelled', 'skipped', 'expired')`,
    ),
    check(
      'ticket_task_origin_known',
      sql`${table.origin} in ('assign', 'deliver', 'delegate', 'add_before', 'add_parallel', 'add_after', 'agent', 'admin', 'stall', 'keep')`,
    ),
    check('ticket_task_mode_known', sql`${table.mode} in ('any', 'all', 'sequential')`),
    check('ticket_task_decided_at', sql`(${table.status} in ('todo', 'waiting')) = (${table.decided_at} is null)`),
  ],
);
