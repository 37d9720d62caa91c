import { bigint, boolean, integer, pgTable, smallint, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';

/**
 * 监测日志, one row a probe, partitioned by day: made in `migrations/0048-monitors.sql`, as the generator knows no partitions. Its number
 * begins with its second, so that a row is found by it in one partition (`monitor_log_time`).
 */
export const logTable = pgTable('test_log', {
  id: bigint('id', { mode: 'number' }).notNull(),
  time: moment('time').notNull(),
  project_id: integer('project_id').notNull(),
  status: smallint('status').notNull(),
  ms: integer('ms').notNull(),
  http_code: smallint('http_code'),
  /** Only where it is not well. */
  msg: varchar('msg', { length: 200 }),
  /** The status changed with it. */
  important: boolean('important').notNull(),
  remark: varchar('remark', { length: 200 }),
  /** Counts for nothing: who said so, and why, stands in `remark` and the operation log. */
  ignored: boolean('ignored').notNull(),
  /** A tombstone, counted in the report. */
  is_deleted: boolean('is_deleted').notNull(),
  changed_by: integer('changed_by'),
});
