import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { customerTable, projectTable } from '#modules/services/customers/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import { incidentState, monitorState, monitorType } from './contract/codes.ts';
import type { ServiceReport } from './contract/reports.ts';
import { reportState } from './contract/reports.ts';
import type { Kept } from './engine/judge.ts';
import { freshCertificate, type KeptCertificate } from './engine/certificate.ts';
import { fresh } from './engine/judge.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const ids = (name: string) => integer(name).array().notNull().default([]);
const now = sql`now()`;
const person = (name: string) => integer(name).references(() => userTable.id);
const smallints = customType<{ data: number[] }>({ dataType: () => 'smallint[]' });

/** The probe settings of a project; without a row it is not monitored. */
export const monitorTable = pgTable(
  'monitor',
  {
    project_id: integer('project_id')
      .primaryKey()
      .references(() => projectTable.id),
    gmt_created: moment('gmt_created').notNull().default(now),
    gmt_modified: moment('gmt_modified').notNull().default(now),
    version: integer('version').notNull().default(0),
    enabled: boolean('enabled').notNull().default(true),
    type: smallint('type').notNull(),
    target: line('target', 500),
    interval_s: integer('interval_s').notNull().default(300),
    timeout_s: smallint('timeout_s').notNull().default(10),
    retries: smallint('retries').notNull().default(2),
    retry_interval_s: integer('retry_interval_s').notNull().default(60),
    successes: smallint('successes').notNull().default(2),
    accepted_codes: varchar('accepted_codes', { length: 100 }).notNull().default('200-299'),
    keyword: line('keyword', 200),
    ignore_tls: boolean('ignore_tls').notNull().default(false),
    cert_warn_days: smallints('cert_warn_days').notNull().default([14, 7, 3]),
    resend_every: smallint('resend_every').notNull().default(0),
    max_alerts: smallint('max_alerts').notNull().default(5),
    depends_on: integer('depends_on').references((): AnyPgColumn => monitorTable.project_id),
    /** The hash of the push address, and the sealed address for showing. */
    push_mark: varchar('push_mark', { length: 64 }),
    push_sealed: text('push_sealed'),
  },
  (t) => [
    uniqueIndex('monitor_push_mark').on(t.push_mark),
    check('monitor_type', sql`${t.type} between ${inSql(monitorType.http)} and ${inSql(monitorType.push)}`),
    check('monitor_interval', sql`${t.interval_s} between 60 and 86400`),
    check('monitor_timeout', sql`${t.timeout_s} between 1 and 60 and ${t.timeout_s} < ${t.interval_s}`),
    check('monitor_retries', sql`${t.retries} between 0 and 10 and ${t.retry_interval_s} between 20 and 3600`),
    check('monitor_successes', sql`${t.successes} between 1 and 10`),
    check('monitor_alerts', sql`${t.max_alerts} between 1 and 100 and ${t.resend_every} between 0 and 1000`),
    check('monitor_target', sql`(${t.type} = ${inSql(monitorType.push)}) = (${t.target} = '')`),
    check('monitor_keyword', sql`${t.type} <> ${inSql(monitorType.keyword)} or ${t.keyword} <> ''`),
    check('monitor_itself', sql`${t.depends_on} <> ${t.project_id}`),
  ],
);

/** The due time of a monitor, and the node that has it. A result with an old lease number changes nothing. */
export const dueTable = pgTable(
  'monitor_due',
  {
    project_id: integer('project_id')
      .primaryKey()
      .references(() => monitorTable.project_id),
    next_at: moment('next_at').notNull(),
    lease_until: moment('lease_until'),
    lease_no: bigint('lease_no', { mode: 'number' }).notNull().default(0),
    lease_node: varchar('lease_node', { length: 80 }),
    /** The node whose probe failed; another one, if alive, probes next. */
    avoid_node: varchar('avoid_node', { length: 80 }),
  },
  (t) => [index('monitor_due_next').on(t.next_at)],
);

/** The state of a monitor. `recent` holds the last sixty beats, each as four times its milliseconds plus its status, so that lists read no log. */
export const stateTable = pgTable(
  'monitor_state',
  {
    project_id: integer('project_id')
      .primaryKey()
      .references(() => monitorTable.project_id),
    status: smallint('status').notNull().default(9),
    since: moment('since').notNull().default(now),
    kept: jsonb('kept').$type<Kept>().notNull().default(fresh),
    last_check: moment('last_check'),
    last_ms: integer('last_ms'),
    last_msg: line('last_msg', 200),
    recent: smallints('recent').notNull().default([]),
    /** Hundredths of a percent; null without a probe. */
    uptime_24h: smallint('uptime_24h'),
    uptime_30d: smallint('uptime_30d'),
    cert: jsonb('cert').$type<KeptCertificate>().notNull().default(freshCertificate),
    pushed_at: moment('pushed_at'),
  },
  (t) => [
    check(
      'monitor_state_status',
      sql`${t.status} in (${inSql(monitorState.down, monitorState.up, monitorState.pending, monitorState.maintenance, monitorState.off)})`,
    ),
  ],
);

/** 监测记录: an incident. */
export const incidentTable = pgTable(
  'test_record',
  {
    ...recordColumns(),
    ...deletable(),
    project_id: integer('project_id')
      .notNull()
      .references(() => projectTable.id),
    type: smallint('type').notNull(),
    start_time: moment('start_time').notNull(),
    end_time: moment('end_time'),
    reason: line('reason', 200),
    http_code: smallint('http_code'),
    state: smallint('state').notNull().default(0),
    claimed_by: person('claimed_by'),
    /** The claimer's name, also of a contact without account, by the link in a text message. */
    claimed_name: line('claimed_name', 50),
    claimed_at: moment('claimed_at'),
    handler: person('handler'),
    cause: smallint('cause'),
    measure: text('measure').notNull().default(''),
    /** The record made from it: at most one that is open. */
    order_module: varchar('order_module', { length: 20 }),
    order_id: integer('order_id'),
  },
  (t) => [
    uniqueIndex('test_record_open')
      .on(t.project_id)
      .where(sql`${t.end_time} is null`),
    index('test_record_project').on(t.project_id, t.start_time),
    index('test_record_state').on(t.state, t.start_time),
    check('test_record_times', sql`${t.end_time} >= ${t.start_time}`),
    check(
      'test_record_state_known',
      sql`${t.state} in (${inSql(incidentState.open, incidentState.over, incidentState.handled)}) and (${t.state} = ${inSql(incidentState.open)}) = (${t.end_time} is null)`,
    ),
    check('test_record_cause', sql`${t.cause} in (1, 2, 3, 4, 5, 6, 9)`),
    check(
      'test_record_handled',
      sql`${t.state} <> ${inSql(incidentState.handled)} or (${t.cause} is not null and ${t.handler} is not null)`,
    ),
  ],
);

/** The events of an incident; append-only. */
export const incidentEventTable = pgTable(
  'test_record_event',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    record_id: integer('record_id')
      .notNull()
      .references(() => incidentTable.id),
    at: moment('at').notNull().default(now),
    type: varchar('type', { length: 12 }).notNull(),
    user_id: person('user_id'),
    text: line('text', 300),
  },
  (t) => [index('test_record_event_record').on(t.record_id)],
);

/** Pending alerts, written with the state they report; a job sends them, bundled by customer. */
export const alertTable = pgTable(
  'monitor_alert',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    project_id: integer('project_id')
      .notNull()
      .references(() => projectTable.id),
    customer_id: integer('customer_id')
      .notNull()
      .references(() => customerTable.id),
    record_id: integer('record_id').references(() => incidentTable.id),
    event: varchar('event', { length: 20 }).notNull(),
    text: line('text', 300),
    at: moment('at').notNull().default(now),
    /** Delivered to inboxes; and by text message, or not any more. */
    told_at: moment('told_at'),
    sent_at: moment('sent_at'),
    texted: boolean('texted').notNull().default(false),
  },
  (t) => [
    index('monitor_alert_waiting')
      .on(t.customer_id)
      .where(sql`${t.sent_at} is null`),
    index('monitor_alert_record').on(t.record_id),
  ],
);

/** The incidents that the link in a text message claims; only the hash of its code is stored. */
export const claimTable = pgTable('monitor_claim', {
  mark: varchar('mark', { length: 64 }).primaryKey(),
  name: line('name', 50),
  record_ids: ids('record_ids'),
  made_at: moment('made_at').notNull().default(now),
});

/** An hour of a monitor, in seconds: up, down, within a window, and not probed. `hist` counts answers by `latencyBounds`. */
export const hourTable = pgTable(
  'monitor_hour',
  {
    project_id: integer('project_id')
      .notNull()
      .references(() => projectTable.id),
    hour: moment('hour').notNull(),
    up_s: smallint('up_s').notNull().default(0),
    down_s: smallint('down_s').notNull().default(0),
    maintenance_s: smallint('maintenance_s').notNull().default(0),
    unknown_s: smallint('unknown_s').notNull().default(0),
    probes: smallint('probes').notNull().default(0),
    ms_sum: integer('ms_sum').notNull().default(0),
    ms_max: integer('ms_max').notNull().default(0),
    hist: smallints('hist').notNull(),
  },
  (t) => [primaryKey({ columns: [t.project_id, t.hour] }), index('monitor_hour_time').on(t.hour)],
);

/** 维护窗口 of some projects, in Beijing time: once, or weekly. */
export const windowTable = pgTable(
  'monitor_window',
  {
    ...recordColumns(),
    title: varchar('title', { length: 50 }).notNull(),
    project_ids: ids('project_ids'),
    weekly: boolean('weekly').notNull().default(false),
    starts_at: moment('starts_at').notNull(),
    ends_at: moment('ends_at'),
    weekdays: smallints('weekdays').notNull().default([]),
    from_minute: smallint('from_minute').notNull().default(0),
    minutes: smallint('minutes').notNull().default(0),
    created_by: person('created_by'),
  },
  (t) => [
    index('monitor_window_projects').using('gin', t.project_ids),
    check('monitor_window_once', sql`${t.weekly} or ${t.ends_at} is not null`),
    check('monitor_window_order', sql`${t.ends_at} > ${t.starts_at}`),
    check(
      'monitor_window_weekly',
      sql`not ${t.weekly} or (cardinality(${t.weekdays}) > 0 and ${t.minutes} between 1 and 1440 and ${t.from_minute} between 0 and 1439)`,
    ),
  ],
);

/** Probing nodes, as of their last report. */
export const nodeTable = pgTable('monitor_node', {
  node: varchar('node', { length: 80 }).primaryKey(),
  seen_at: moment('seen_at').notNull().default(now),
  places: integer('places').notNull(),
  busy: integer('busy').notNull().default(0),
  /** The delay of the latest probes, in milliseconds. */
  lag_ms: integer('lag_ms').notNull().default(0),
  pings: boolean('pings').notNull().default(false),
  blind_since: moment('blind_since'),
});

/** 状态页 of a customer, open to people with its address. */
export const statusPageTable = pgTable('monitor_status_page', {
  customer_id: integer('customer_id')
    .primaryKey()
    .references(() => customerTable.id),
  mark: varchar('mark', { length: 64 }).notNull().unique(),
  sealed: text('sealed').notNull(),
  /** The projects shown on it. */
  project_ids: ids('project_ids'),
  gmt_created: moment('gmt_created').notNull().default(now),
});

/** 服务月报: drafts are made on the first; a confirmed one cannot change (migrations/0052-monitor-reports.sql). */
export const reportTable = pgTable(
  'monitor_report',
  {
    customer_id: integer('customer_id')
      .notNull()
      .references(() => customerTable.id),
    month: char('month', { length: 7 }).notNull(),
    gmt_created: moment('gmt_created').notNull().default(now),
    version: integer('version').notNull().default(0),
    state: smallint('state').notNull().default(0),
    note: varchar('note', { length: 1000 }).notNull().default(''),
    said: jsonb('said').$type<ServiceReport>(),
    confirmed_by: person('confirmed_by'),
    confirmed_at: moment('confirmed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.month] }),
    index('monitor_report_draft')
      .on(t.customer_id)
      .where(sql`${t.state} = ${inSql(incidentState.open)}`),
    check(
      'monitor_report_whole',
      sql`${t.state} in (${inSql(reportState.draft, reportState.confirmed)}) and num_nulls(${t.said}, ${t.confirmed_by}, ${t.confirmed_at}) = case when ${t.state} = ${inSql(reportState.confirmed)} then 0 else 3 end`,
    ),
  ],
);
