import { sql } from 'drizzle-orm';
import { bigint, boolean, char, index, integer, jsonb, pgTable, smallint, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import type { Shot } from '#kernel/server/files/photograph/picture.ts';

const now = sql`now()`;

/** One content in the store, under its hash. The row exists before the bytes and is deleted after them. */
export const contentTable = pgTable('file_content', {
  sha256: char('sha256', { length: 64 }).primaryKey(),
  size: bigint('size', { mode: 'number' }).notNull(),
  /** True if the store is known to hold the bytes. */
  is_stored: boolean('is_stored').notNull().default(false),
  /** The last upload that brought or used it; contents newer than an hour are not swept. */
  touched_at: moment('touched_at').notNull().default(now),
  /** The time it was found unused by any file; null while one uses it, or none ever did. */
  left_at: moment('left_at'),
});

/** A file of a record, or an upload that belongs to no record yet. */
export const fileTable = pgTable(
  'file',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    name: varchar('name', { length: 120 }).notNull(),
    ext: varchar('ext', { length: 10 }).notNull(),
    mime: varchar('mime', { length: 100 }).notNull(),
    size: integer('size').notNull(),
    sha256: char('sha256', { length: 64 })
      .notNull()
      .references(() => contentTable.sha256),
    uploader_id: integer('uploader_id').notNull(),
    /** The module it was uploaded for: only its records may attach it. */
    module: varchar('module', { length: 30 }).notNull(),
    /** Module and record that own it; null until a record attaches it. */
    owner_module: varchar('owner_module', { length: 30 }),
    owner_id: varchar('owner_id', { length: 50 }),
    /** Visible without signing in, like the site's logo. */
    is_public: boolean('is_public').notNull().default(false),
    /** Facts of a photograph: time and camera, and its appearance. */
    shot: jsonb('shot').$type<Shot>(),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    index('file_owner').on(t.owner_module, t.owner_id),
    index('file_of_content').on(t.sha256),
    index('file_loose')
      .on(t.uploader_id, t.gmt_created)
      .where(sql`${t.owner_module} is null`),
  ],
);

/** Total bytes of a person's files, or under 0 of everybody's; maintained by a trigger (`migrations/0013-files.sql`). */
export const fileUsageTable = pgTable('file_usage', {
  id: integer('id').primaryKey(),
  bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
  /** The percentage last reported: 80, 95, or 0. */
  told: smallint('told').notNull().default(0),
});

/** An upload in portions. */
export const uploadTable = pgTable(
  'file_upload',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    uploader_id: integer('uploader_id').notNull(),
    module: varchar('module', { length: 30 }).notNull(),
    name: varchar('name', { length: 120 }).notNull(),
    size: integer('size').notNull(),
    /** Bytes received. */
    come: integer('come').notNull().default(0),
    /** Keys of the portions in the store, in order. */
    portions: jsonb('portions').$type<string[]>().notNull().default([]),
    /** The resulting file; the row is kept a while for a sender whose last reply was lost. */
    file_id: integer('file_id').references(() => fileTable.id, { onDelete: 'set null' }),
    /** The time of its beginning or its last portion. */
    moved_at: moment('moved_at').notNull().default(now),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [index('file_upload_of').on(t.uploader_id), index('file_upload_file').on(t.file_id)],
);
