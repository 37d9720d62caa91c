import { sql } from 'drizzle-orm';
import { boolean, check, customType, date, index, integer, jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { smallint, unique, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { workflowTable } from '#modules/workflow/workflows/tables.ts';
import { alertKind, custodyKind, custodyState, stampStatus, stampType } from '../contract/seal-codes.ts';

const period = customType<{ data: string }>({ dataType: () => 'tstzrange' });
const person = (name: string) => integer(name).references(() => userTable.id);

/** The hours of use on a working day, by half-day (`parts`); null if it is not used in that half. */
export type OfficeHours = Record<'1' | '2', [from: string, to: string] | null>;

/** A seal. Keepers, supervisor and status are changed by custody only. */
export const stampTable = pgTable(
  'stamp',
  {
    ...recordColumns(),
    name: varchar('name', { length: 50 }).notNull(),
    stamp_no: varchar('stamp_no', { length: 30 }).notNull().default(''),
    /** A key of `stampTypes`. */
    type: smallint('type').notNull(),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
    keeper_id: person('keeper_id').notNull(),
    backup_id: person('backup_id'),
    supervisor_id: person('supervisor_id'),
    /** Its imprint, for those who keep or manage it. */
    picture_id: integer('picture_id').references(() => fileTable.id),
    shape: varchar('shape', { length: 20 }).notNull().default(''),
    size_mm: varchar('size_mm', { length: 20 }).notNull().default(''),
    record_no: varchar('record_no', { length: 50 }).notNull().default(''),
    enabled_date: date('enabled_date'),
    place: varchar('place', { length: 50 }).notNull().default(''),
    /** The workflow of its applications; null for the default one. */
    workflow_id: integer('workflow_id').references(() => workflowTable.id),
    office_hours: jsonb('office_hours').$type<OfficeHours>().notNull(),
    /** The number of applications that fit into a half-day. */
    slot_capacity: smallint('slot_capacity').notNull().default(10),
    /** 1 in use, 2 out, 3 suspended, 4 lost, 5 destroyed. */
    status: smallint('status').notNull().default(1),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('stamp_name').on(plainSql(sql`${t.name}`)),
    uniqueIndex('stamp_number')
      .on(t.stamp_no)
      .where(sql`${t.stamp_no} <> ''`),
    index('stamp_keeper').on(t.keeper_id),
    searchIndex('stamp_search', t.search),
    check('stamp_type', sql`${t.type} between ${inSql(stampType.official)} and ${inSql(stampType.other)}`),
    check('stamp_status', sql`${t.status} between ${inSql(stampStatus.inUse)} and ${inSql(stampStatus.destroyed)}`),
    check('stamp_capacity', sql`${t.slot_capacity} between 1 and 200`),
    check('stamp_supervised', sql`${t.keeper_id} <> ${t.supervisor_id}`),
    check('stamp_backup', sql`${t.keeper_id} <> ${t.backup_id}`),
  ],
);

/** Departments that may use a seal, with all below them; everybody if there are none. */
export const stampDeptTable = pgTable(
  'stamp_dept',
  {
    stamp_id: integer('stamp_id')
      .notNull()
      .references(() => stampTable.id, { onDelete: 'cascade' }),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
  },
  (t) => [primaryKey({ columns: [t.stamp_id, t.dept_id] }), index('stamp_dept_of').on(t.dept_id)],
);

/** A signature on a custody event; without handwriting it was given by password. */
export interface Signed {
  user_id: number;
  at: string;
  signature_id: number | null;
}

/**
 * A custody event of a seal. A row is proposed, then decided once; a decided one never changes (migrations/0033-stamps.sql), except that a
 * period may end early.
 */
export const custodyTable = pgTable(
  'stamp_custody',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    stamp_id: integer('stamp_id')
      .notNull()
      .references(() => stampTable.id, { onDelete: 'cascade' }),
    /** One of `custodyKind`. */
    kind: smallint('kind').notNull(),
    /** 0 proposed, 1 in effect, 2 declined, 3 withdrawn. */
    state: smallint('state').notNull(),
    /** The former holder, and the new one. */
    from_id: person('from_id'),
    to_id: person('to_id'),
    from_time: moment('from_time')
      .notNull()
      .default(sql`now()`),
    until: moment('until'),
    ended_at: moment('ended_at'),
    during: period('during').generatedAlwaysAs(
      sql`tstzrange(from_time, case when ended_at is null then until else greatest(from_time, least(until, ended_at)) end)`,
    ),
    /** Of 启用 and 监印变更: the backup and the supervisor. */
    backup_id: person('backup_id'),
    supervisor_id: person('supervisor_id'),
    reason: varchar('reason', { length: 300 }).notNull().default(''),
    witness_ids: integer('witness_ids').array().notNull().default([]),
    signed: jsonb('signed').$type<Signed[]>().notNull().default([]),
    creator_id: person('creator_id').notNull(),
    decided_at: moment('decided_at'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('stamp_custody_of').on(t.stamp_id, t.id),
    index('stamp_custody_waits')
      .on(t.to_id)
      .where(sql`${t.state} = ${inSql(custodyState.asked)}`),
    uniqueIndex('stamp_custody_one_handover')
      .on(t.stamp_id)
      .where(
        sql`${t.state} = ${inSql(custodyState.asked)} and ${t.kind} in (${inSql(custodyKind.handOver, custodyKind.collect, custodyKind.destroy)})`,
      ),
    check('stamp_custody_kind', sql`${t.kind} between ${inSql(custodyKind.begin)} and ${inSql(custodyKind.found)}`),
    check(
      'stamp_custody_state',
      sql`${t.state} between ${inSql(custodyState.asked)} and ${inSql(custodyState.withdrawn)}`,
    ),
    check('stamp_custody_decided', sql`(${t.state} = ${inSql(custodyState.asked)}) = (${t.decided_at} is null)`),
    check(
      'stamp_custody_given',
      sql`${t.kind} not in (${inSql(custodyKind.handOver, custodyKind.caretaker)}) or (${t.to_id} is not null and ${t.to_id} <> ${t.from_id})`,
    ),
    check(
      'stamp_custody_period',
      sql`(${t.kind} = ${inSql(custodyKind.caretaker)}) = (${t.until} is not null) and ${t.until} > ${t.from_time} and ${t.until} <= ${t.from_time} + interval '15 days'`,
    ),
    check(
      'stamp_custody_witnesses',
      sql`${t.kind} not in (${inSql(custodyKind.collect, custodyKind.destroy)}) or cardinality(${t.witness_ids}) = 2`,
    ),
  ],
);

/** An alert found by the job, each once. */
export const alertTable = pgTable(
  'stamp_alert',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** A key of `alertKinds`. */
    kind: smallint('kind').notNull(),
    /** Identifies the fact within its kind, so that it is reported once. */
    about: varchar('about', { length: 120 }).notNull(),
    title: varchar('title', { length: 200 }).notNull(),
    stamp_id: integer('stamp_id').references(() => stampTable.id, { onDelete: 'cascade' }),
    application_id: integer('application_id'),
    handled: boolean('handled').notNull().default(false),
    /** A key of `alertResults`. */
    result: smallint('result'),
    note: varchar('note', { length: 300 }).notNull().default(''),
    handled_by: person('handled_by'),
    handled_at: moment('handled_at'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    unique('stamp_alert_once').on(t.kind, t.about),
    index('stamp_alert_open').on(t.handled, t.id),
    check('stamp_alert_kind', sql`${t.kind} between ${inSql(alertKind.partner)} and ${inSql(alertKind.overdue)}`),
    check('stamp_alert_handled', sql`${t.handled} = (num_nonnulls(${t.result}, ${t.handled_by}, ${t.handled_at}) = 3)`),
  ],
);
