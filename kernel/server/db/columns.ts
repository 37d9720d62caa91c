import { sql } from 'drizzle-orm';
import { boolean, customType, integer } from 'drizzle-orm/pg-core';

/** timestamptz that reads as `YYYY-MM-DD HH:mm:ss` in the session's zone (Asia/Shanghai). */
export const moment = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp with time zone',
  fromDriver: (value) => value.slice(0, 19),
});

/** The columns every record has. */
export function recordColumns() {
  return {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    gmt_modified: moment('gmt_modified')
      .notNull()
      .default(sql`now()`),
    version: integer('version').notNull().default(0),
  };
}

/** Soft deletion, for records that others may still refer to. */
export function deletable() {
  return { is_deleted: boolean('is_deleted').notNull().default(false) };
}
