import { bigint, boolean, integer, pgTable, smallint, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';

/**
 * 监测日志, one row for each probe, partitioned by day in `migrations/0048-monitors.sql`, because the generator knows no partitions. The id
 * begins with the second, so that a row is found in one partition (`monitor_log_time`).
 */
export const logTable = pgTable('test_log', {
  id: bigint('id', { mode: 'number' }).notNull(),
  time: moment('time').notNull(),
  project_id: integer('project_id').notNull(),
  status: smallint('status').notNull(),
  ms: integer('ms').notNull(),
  http_code: smallint('http_code'),
  /** Set only if the probe failed. */
  msg: varchar('msg', { length: 200 }),
  /** True if the status changed with it. */
  important: boolean('important').notNull(),
  remark: varchar('remark', { length: 200 }),
  /** Excluded from all counts; `remark` and the operation log have the reason and the person. */
  ignored: boolean('ignored').notNull(),
  /** Deleted rows stay as tombstones, counted in the report. */
  is_deleted: boolean('is_deleted').notNull(),
  changed_by: integer('changed_by'),
});
