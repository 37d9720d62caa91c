import { sql } from 'drizzle-orm';
import { boolean, char, customType, index, integer, pgTable, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/columns.ts';

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Small uploads: logo, avatars, pictures of a form. The bytes live in the database until storage has its own module. */
export const fileTable = pgTable(
  'file',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    name: varchar('name', { length: 120 }).notNull(),
    ext: varchar('ext', { length: 10 }).notNull(),
    mime: varchar('mime', { length: 100 }).notNull(),
    size: integer('size').notNull(),
    sha256: char('sha256', { length: 64 }).notNull(),
    content: bytes('content').notNull(),
    uploaderId: integer('uploader_id').notNull(),
    /** What it was sent for: only a record of this module may attach it. */
    module: varchar('module', { length: 30 }).notNull(),
    /** Module and record that own it; null until a record attaches it. */
    ownerModule: varchar('owner_module', { length: 30 }),
    ownerId: varchar('owner_id', { length: 50 }),
    /** Seen without signing in: the site's logo. */
    open: boolean('is_public').notNull().default(false),
    created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('file_owner').on(t.ownerModule, t.ownerId),
    index('file_loose')
      .on(t.uploaderId, t.created)
      .where(sql`${t.ownerModule} is null`),
  ],
);
