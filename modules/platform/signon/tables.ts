import { sql } from 'drizzle-orm';
import { char, check, index, integer, jsonb, pgTable, primaryKey, unique, varchar } from 'drizzle-orm/pg-core';
import { moment } from '#kernel/server/db/columns.ts';
import { userTable } from '#modules/platform/people/tables.ts';

export type TripKind = 'sso' | 'wechat' | 'bind';
/** A person's identity at WeChat. */
export interface WechatIdentity {
  openid: string;
  unionid: string | null;
}

/** A browser's trip to another server and back, for one browser and one return; only hashes of its proofs are stored. */
export const tripTable = pgTable(
  'sign_on_trip',
  {
    hash: char('hash', { length: 64 }).primaryKey(),
    kind: varchar('kind', { length: 10 }).notNull().$type<TripKind>(),
    browser: char('browser', { length: 64 }).notNull(),
    way_back: varchar('way_back', { length: 500 }).notNull(),
    /** Only while a WeChat identity waits to be bound. */
    identity: jsonb('identity').$type<WechatIdentity>(),
    expires_at: moment('expires_at').notNull(),
  },
  (t) => [
    index('sign_on_trip_expires').on(t.expires_at),
    check('sign_on_trip_kind', sql`${t.kind} in ('sso', 'wechat', 'bind')`),
    check('sign_on_trip_identity', sql`(${t.kind} = 'bind') = (${t.identity} is not null)`),
  ],
);

/** Maximum lengths of issuer and subject; the standard limits the latter. */
export const longestIssuer = 500;
export const longestSubject = 255;

/** The person first identified by a provider, with the provider's id: one subject per person and provider. */
export const ssoTable = pgTable(
  'sso_identity',
  {
    issuer: varchar('issuer', { length: longestIssuer }).notNull(),
    subject: varchar('subject', { length: longestSubject }).notNull(),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [primaryKey({ columns: [t.issuer, t.subject] }), unique('sso_identity_person').on(t.user_id, t.issuer)],
);

/** One WeChat identity per person, and one person per identity. */
export const wechatTable = pgTable(
  'wechat_identity',
  {
    user_id: integer('user_id')
      .primaryKey()
      .references(() => userTable.id),
    openid: varchar('openid', { length: 128 }).notNull(),
    unionid: varchar('unionid', { length: 128 }),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [unique('wechat_identity_openid').on(t.openid), unique('wechat_identity_unionid').on(t.unionid)],
);
