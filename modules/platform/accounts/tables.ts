import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  char,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { moment, plainSql } from '#kernel/server/db/columns.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { userTable } from '#modules/platform/people/tables.ts';
import type { SignInWay } from './contract/online.ts';
import type { SecondStep } from './contract/second.ts';

export const sessionTable = pgTable(
  'session',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    /** The user's session version when it was opened; the session is over if it is older than the user's. */
    session_version: integer('session_version').notNull(),
    /** The way it was opened. */
    way: varchar('way', { length: 10 }).notNull().default('password').$type<SignInWay>(),
    ip: varchar('ip', { length: 45 }).notNull(),
    ua: varchar('ua', { length: 300 }).notNull(),
    /** Hash of the device it was opened on. */
    device: char('device', { length: 64 }),
    /** The step still needed before it is valid. */
    second_step: varchar('second_step', { length: 10 }).$type<SecondStep>(),
    /** The role or person whose rights are used for now. No foreign keys: a deleted one gives nothing. */
    seeing_role: integer('seeing_role'),
    seeing_user: integer('seeing_user'),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
    last_seen: moment('last_seen')
      .notNull()
      .default(sql`now()`),
    expires_at: moment('expires_at').notNull(),
    ended_at: moment('ended_at'),
  },
  (t) => [
    index('session_user').on(t.user_id, t.last_seen),
    index('session_expires').on(t.expires_at),
    check('session_seeing', sql`${t.seeing_role} is null or ${t.seeing_user} is null`),
  ],
);

/** A person's authenticator app; required once it was confirmed. */
export const secondFactorTable = pgTable('second_factor', {
  user_id: integer('user_id')
    .primaryKey()
    .references(() => userTable.id),
  /** Sealed. */
  secret: varchar('secret', { length: 200 }).notNull(),
  confirmed_at: moment('confirmed_at'),
  /** Half minutes since 1970 at the last code that was used. */
  last_step: bigint('last_step', { mode: 'number' }).notNull().default(0),
  gmt_created: moment('gmt_created')
    .notNull()
    .default(sql`now()`),
});

/** Codes that each let their person in once without the app; stored as keyed hashes. */
export const recoveryCodeTable = pgTable(
  'recovery_code',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    hash: char('hash', { length: 64 }).notNull(),
    used_at: moment('used_at'),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.hash] })],
);

/** Devices of people's sign-ins, to notify them of new ones: a hash of the browser and its network. */
export const deviceTable = pgTable(
  'sign_in_device',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    mark: char('mark', { length: 64 }).notNull(),
    last_used: moment('last_used')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.mark] }), index('sign_in_device_used').on(t.last_used)],
);

/** Devices that somebody signed in on before, by the hash of a token that the browser keeps. */
export const knownDeviceTable = pgTable(
  'known_device',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    mark: char('mark', { length: 64 }).notNull(),
    /** The user's session version at the last sign-in; if it is outdated, so is this. */
    session_version: integer('session_version').notNull(),
    last_used: moment('last_used')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.mark] }), index('known_device_used').on(t.last_used)],
);

/** One live code for each phone or mail address and purpose; the code itself is stored as a keyed hash. */
export const phoneCodeTable = pgTable(
  'phone_code',
  {
    target: varchar('target', { length: 100 }).notNull(),
    scene: varchar('scene', { length: 10 }).notNull(),
    hash: char('hash', { length: 64 }).notNull(),
    expires_at: moment('expires_at').notNull(),
    used: boolean('used').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.target, t.scene] })],
);

/** The mail address that somebody confirmed, in lower case. It counts only while it is their account's address. */
export const confirmedMailTable = pgTable(
  'confirmed_mail',
  {
    user_id: integer('user_id')
      .primaryKey()
      .references(() => userTable.id),
    address: varchar('address', { length: 100 }).notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [uniqueIndex('confirmed_mail_address').on(t.address)],
);

export const preferenceTable = pgTable(
  'preference',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    key: varchar('key', { length: 120 }).notNull(),
    value: jsonb('value').notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] })],
);

/** Unsent input of a form, so that its author finds it on another machine. */
export const draftTable = pgTable(
  'draft',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    key: varchar('key', { length: 120 }).notNull(),
    value: jsonb('value').notNull(),
    kept_at: moment('kept_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.key] }), index('draft_kept').on(t.kept_at)],
);

/** A named search of a list, or column setting, shared with everybody who has a role. */
export const sharedViewTable = pgTable(
  'shared_view',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    list: varchar('list', { length: 80 }).notNull(),
    role_id: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    name: varchar('name', { length: 20 }).notNull(),
    search: varchar('search', { length: 2000 }),
    columns: jsonb('columns'),
    creator_id: integer('creator_id')
      .notNull()
      .references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    uniqueIndex('shared_view_once').on(t.list, t.role_id, plainSql(sql`${t.name}`), sql`(${t.columns} is null)`),
    check('shared_view_one', sql`(${t.search} is null) <> (${t.columns} is null)`),
  ],
);

/** Earlier passwords, which must not be chosen again. */
export const passwordHistoryTable = pgTable(
  'password_history',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    password: varchar('password', { length: 200 }).notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [index('password_history_user').on(t.user_id, t.id)],
);

/** Challenges that were solved and may not be used again. */
export const usedChallengeTable = pgTable('used_challenge', {
  signature: varchar('signature', { length: 200 }).primaryKey(),
  expires_at: moment('expires_at').notNull(),
});
