import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { audienceColumn, audienceRules, deptTable, userTable } from '#modules/platform/people/tables.ts';
import { originalState, photoState } from './contract/codes.ts';

const person = (name: string) => integer(name).references(() => userTable.id);

/** Albums: a tree of at most four levels. An album below a hidden one is hidden, too. */
export const albumTable = pgTable(
  'photo_category',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    parent_id: integer('parent_id'),
    order_id: integer('order_id').notNull().default(0),
    description: varchar('description', { length: 200 }).notNull().default(''),
    /** True if it accepts photos. */
    status: boolean('status').notNull().default(true),
    audience: audienceColumn().default(['a0']),
    uploaders: text('uploaders').array().notNull().default(['a0']),
    manager_ids: integer('manager_ids').array().notNull().default([]),
    /** True if photos are reviewed before others see them. */
    review: boolean('review').notNull().default(true),
    /** True if downloads carry the photographer's name. */
    watermark: boolean('watermark').notNull().default(false),
    /** The default credits of an adopted photo. */
    points: smallint('points').notNull().default(1),
    cover: integer('cover'),
    /** The record it was opened for. */
    source_module: varchar('source_module', { length: 30 }),
    source_id: integer('source_id'),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'photo_category_parent' }),
    uniqueIndex('photo_category_name').on(sql`coalesce(${t.parent_id}, 0)`, plainSql(sql`${t.name}`)),
    unique('photo_category_source').on(t.source_module, t.source_id),
    check('photo_category_not_own_parent', sql`${t.parent_id} <> ${t.id}`),
    check('photo_category_points', sql`${t.points} between 0 and 20`),
    ...audienceRules('photo_category', t.audience),
  ],
);

export const photoTable = pgTable(
  'photo',
  {
    ...recordColumns(),
    category_id: integer('category_id')
      .notNull()
      .references(() => albumTable.id),
    file_id: integer('file_id')
      .notNull()
      .references(() => fileTable.id),
    title: varchar('title', { length: 80 }).notNull(),
    description: varchar('description', { length: 500 }).notNull().default(''),
    place: varchar('place', { length: 60 }).notNull().default(''),
    photographer: varchar('photographer', { length: 30 }).notNull().default(''),
    uploader_id: person('uploader_id').notNull(),
    dept_id: integer('dept_id').references(() => deptTable.id),
    taken_at: moment('taken_at'),
    /** True if the time comes from the camera, not from a person. */
    taken_by_camera: boolean('taken_by_camera').notNull().default(false),
    /** The time by which lists sort: of taking, or of upload. */
    shot_at: moment('shot_at').notNull(),
    camera: varchar('camera', { length: 60 }).notNull().default(''),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    size: integer('size').notNull(),
    placeholder: varchar('placeholder', { length: 60 }).notNull(),
    /** The hash of the uploaded file, and a 64-bit perceptual hash. */
    source_sha256: char('source_sha256', { length: 64 }).notNull(),
    phash: bigint('phash', { mode: 'bigint' }).notNull(),
    /** Another photo that looks the same, and the first of its burst. */
    alike_id: integer('alike_id'),
    burst_id: integer('burst_id'),
    /** People are recognisable; their consent, and the end of its validity. */
    faces: boolean('faces').notNull().default(false),
    consent: smallint('consent').notNull().default(0),
    consent_until: date('consent_until'),
    /** 0 waits, 1 shown, 2 taken down, 3 returned. */
    state: smallint('state').notNull().default(0),
    reason: varchar('reason', { length: 200 }).notNull().default(''),
    /** The state before the last review, for undoing it; null if that is no longer possible. */
    was_state: smallint('was_state'),
    was_reason: varchar('was_reason', { length: 200 }).notNull().default(''),
    /** True if it was pinned, and recommended, then. */
    was_top: boolean('was_top').notNull().default(false),
    was_com: boolean('was_com').notNull().default(false),
    round: smallint('round').notNull().default(1),
    reviewer_id: person('reviewer_id'),
    reviewed_at: moment('reviewed_at'),
    published_at: moment('published_at'),
    /** Pending news: 0 none, 1 to reviewers that it waits, 2 to the uploader about the decision. */
    news: smallint('news').notNull().default(0),
    top_slot: smallint('top_slot'),
    com_slot: smallint('com_slot'),
    view_count: integer('view_count').notNull().default(0),
    like_count: integer('like_count').notNull().default(0),
    download_count: integer('download_count').notNull().default(0),
    deleted_at: moment('deleted_at'),
    deleted_by: person('deleted_by'),
    search: searchColumn(),
  },
  (t) => [
    foreignKey({ columns: [t.alike_id], foreignColumns: [t.id], name: 'photo_alike' }).onDelete('set null'),
    foreignKey({ columns: [t.burst_id], foreignColumns: [t.id], name: 'photo_burst' }).onDelete('set null'),
    unique('photo_file').on(t.file_id),
    uniqueIndex('photo_once')
      .on(t.category_id, t.source_sha256)
      .where(sql`${t.deleted_at} is null`),
    uniqueIndex('photo_top').on(t.category_id, t.top_slot),
    uniqueIndex('photo_com').on(t.com_slot),
    check(
      'photo_state',
      sql`${t.state} between ${inSql(originalState.open)} and ${inSql(originalState.over)} and ${t.was_state} between ${inSql(photoState.pending)} and ${inSql(photoState.returned)}`,
    ),
    check(
      'photo_reason',
      sql`(${t.state} in (${inSql(originalState.refused, originalState.over)})) = (${t.reason} <> '')`,
    ),
    check('photo_top_slot', sql`${t.top_slot} between 1 and 5`),
    check('photo_com_slot', sql`${t.com_slot} between 1 and 30`),
    check(
      'photo_slots',
      sql`num_nonnulls(${t.top_slot}, ${t.com_slot}) = 0 or (${t.state} = ${inSql(photoState.shown)} and ${t.deleted_at} is null)`,
    ),
    check('photo_consent', sql`${t.consent} between 0 and 3`),
    check('photo_deleted', sql`num_nonnulls(${t.deleted_at}, ${t.deleted_by}) in (0, 2)`),
    index('photo_wall')
      .on(t.shot_at, t.id)
      .where(sql`${t.state} = ${inSql(photoState.shown)} and ${t.deleted_at} is null`),
    index('photo_album').on(t.category_id, t.shot_at, t.id),
    index('photo_mine').on(t.uploader_id, t.id),
    index('photo_source').on(t.source_sha256),
    index('photo_state_newest').on(t.state, t.id),
    index('photo_burst_of').on(t.burst_id),
    index('photo_alike_of').on(t.alike_id),
    index('photo_news')
      .on(t.news)
      .where(sql`${t.news} > 0`),
    index('photo_trash')
      .on(t.deleted_at)
      .where(sql`${t.deleted_at} is not null`),
    searchIndex('photo_search', t.search),
  ],
);

const photo = () =>
  integer('photo_id')
    .notNull()
    .references(() => photoTable.id, { onDelete: 'cascade' });

/** Tags of a photo; `person` names somebody on it. */
export const tagTable = pgTable(
  'photo_tag',
  {
    photo_id: photo(),
    kind: varchar('kind', { length: 6 }).notNull(),
    name: varchar('name', { length: 20 }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.photo_id, t.kind, t.name] }),
    index('photo_tag_name').on(t.kind, t.name),
    check('photo_tag_kind', sql`${t.kind} in ('tag', 'person')`),
  ],
);

/** A person's views of a photo, one row per day. */
export const viewTable = pgTable(
  'photo_view',
  {
    photo_id: photo(),
    user_id: person('user_id').notNull(),
    day: date('day')
      .notNull()
      .default(sql`current_date`),
  },
  (t) => [primaryKey({ columns: [t.photo_id, t.user_id, t.day] })],
);

export const likeTable = pgTable('photo_like', { photo_id: photo(), user_id: person('user_id').notNull() }, (t) => [
  primaryKey({ columns: [t.photo_id, t.user_id] }),
]);

/** Credits of adopted photos; append-only: a mistake is reversed by another row. */
export const scoreTable = pgTable(
  'photo_score',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    /** The photo, which may be deleted since. */
    photo_id: integer('photo_id').notNull(),
    points: smallint('points').notNull(),
    reviewer_id: person('reviewer_id').notNull(),
    /** The row that this one reverses. */
    storno_of: integer('storno_of').unique('photo_score_storno_once'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [index('photo_score_photo').on(t.photo_id)],
);

/** A request for the original, with its purpose and decision. */
export const originalTable = pgTable(
  'photo_original',
  {
    ...recordColumns(),
    photo_id: photo(),
    user_id: person('user_id').notNull(),
    purpose: varchar('purpose', { length: 200 }).notNull(),
    medium: varchar('medium', { length: 50 }).notNull().default(''),
    /** 0 asked, 1 granted, 2 refused, 3 over. */
    state: smallint('state').notNull().default(0),
    /** The state before its photo was taken down, for undoing that. */
    was_state: smallint('was_state'),
    answer: varchar('answer', { length: 200 }).notNull().default(''),
    decided_by: person('decided_by'),
    decided_at: moment('decided_at'),
    expires_at: moment('expires_at'),
    used: smallint('used').notNull().default(0),
    allowed: smallint('allowed').notNull().default(5),
  },
  (t) => [
    uniqueIndex('photo_original_open')
      .on(t.photo_id, t.user_id)
      .where(sql`${t.state} in (${inSql(photoState.pending, photoState.shown)})`),
    index('photo_original_user').on(t.user_id, t.id),
    check(
      'photo_original_state',
      sql`${t.state} between ${inSql(originalState.open)} and ${inSql(originalState.over)} and (${t.was_state} is null or ${t.was_state} in (${inSql(photoState.pending, photoState.shown)}) and ${t.state} = ${inSql(originalState.over)})`,
    ),
    check('photo_original_used', sql`${t.used} between 0 and ${t.allowed}`),
    check(
      'photo_original_granted',
      sql`(${t.state} <> ${inSql(originalState.granted)}) or ${t.expires_at} is not null`,
    ),
  ],
);
