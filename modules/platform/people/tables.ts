import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
  type AnyPgColumn,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { roleTable } from '#modules/platform/access/tables.ts';
import { deptType, userType } from './contract/codes.ts';

/**
 * The audience of a row (`service/audience.ts`): `a0` everybody, `d12` a department with all below it, `r3` holders of a role, `u55` a person. Never
 * empty. Used with `audienceRules` of the same table.
 */
export const audienceColumn = () => text('audience').array().notNull();

/** The index and the check of an audience column, for a table of this name. */
export const audienceRules = (table: string, audience: AnyPgColumn) => [
  index(`${table}_audience`).using('gin', audience),
  check(`${table}_audience`, sql`array_to_string(${audience}, ' ') ~ '^(a0|[dru][1-9][0-9]*( [dru][1-9][0-9]*)*)$'`),
];

export const deptTable = pgTable(
  'dept',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 50 }).notNull(),
    code: varchar('code', { length: 30 }),
    /** Null for a department at the top. */
    parent_id: integer('parent_id'),
    type: smallint('type').notNull().default(1),
    phone: varchar('phone', { length: 30 }).notNull().default(''),
    order_id: integer('order_id').notNull().default(0),
    is_active: boolean('is_active').notNull().default(true),
    label: text('label').notNull().default(''),
    search: searchColumn(),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'dept_parent' }),
    uniqueIndex('dept_name_unique')
      .on(sql`coalesce(${t.parent_id}, 0)`, plainSql(sql`${t.name}`))
      .where(sql`not ${t.is_deleted}`),
    uniqueIndex('dept_code_unique')
      .on(t.code)
      .where(sql`not ${t.is_deleted}`),
    searchIndex('dept_search', t.search),
    check('dept_type', sql`${t.type} between ${inSql(deptType.office)} and ${inSql(deptType.outside)}`),
    check('dept_not_own_parent', sql`${t.parent_id} <> ${t.id}`),
  ],
);

export const userTable = pgTable(
  'app_user',
  {
    ...recordColumns(),
    ...deletable(),
    username: varchar('username', { length: 50 }).notNull(),
    alias: varchar('alias', { length: 30 }).notNull(),
    phone: varchar('phone', { length: 11 }),
    email: varchar('email', { length: 100 }).notNull().default(''),
    company: varchar('company', { length: 50 }).notNull().default(''),
    dept_id: integer('dept_id').references((): AnyPgColumn => deptTable.id),
    post: varchar('post', { length: 30 }).notNull().default(''),
    gender: varchar('gender', { length: 1 }).notNull().default(''),
    office_phone: varchar('office_phone', { length: 30 }).notNull().default(''),
    office_room: varchar('office_room', { length: 50 }).notNull().default(''),
    avatar_id: integer('avatar_id'),
    /** 0 ordinary, 2 super administrator. */
    type_id: smallint('type_id').notNull().default(0),
    is_active: boolean('is_active').notNull().default(true),
    is_yg: boolean('is_yg').notNull().default(true),
    sort: integer('sort').notNull().default(0),
    /** Visibility of the mobile number: 1 everybody, 2 the own department, 3 only leaders and their offices. */
    phone_visible: smallint('phone_visible').notNull().default(1),
    employ_no: varchar('employ_no', { length: 50 }).notNull().default(''),
    password: text('password').notNull(),
    must_change_pwd: boolean('must_change_pwd').notNull().default(false),
    password_changed_at: moment('password_changed_at')
      .notNull()
      .default(sql`now()`),
    /** Sessions opened under an older number are over: increased by disabling, password and role changes. */
    session_version: integer('session_version').notNull().default(0),
    last_login: moment('last_login'),
    /** The reading of the name, by which people are ordered. */
    reading: varchar('reading', { length: 200 }).notNull().default(''),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('app_user_username_unique').on(sql`lower(${t.username})`),
    index('app_user_by_username').on(t.username),
    uniqueIndex('app_user_phone_unique')
      .on(t.phone)
      .where(sql`not ${t.is_deleted}`),
    index('app_user_dept').on(t.dept_id, t.sort, t.id),
    searchIndex('app_user_search', t.search),
    check('app_user_username', sql`${t.username} ~ '^[A-Za-z0-9_.-]{2,50}$'`),
    check('app_user_type', sql`${t.type_id} in (${inSql(userType.usual, userType.superAdmin)})`),
    check('app_user_phone_visible', sql`${t.phone_visible} between 1 and 3`),
  ],
);

/** A person's departments other than the main one. */
export const userDeptTable = pgTable(
  'user_dept',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.dept_id] }), index('user_dept_dept').on(t.dept_id)],
);

/** A person's function in a department: head, approver, leader in charge, or secretary. */
export const deptPersonTable = pgTable(
  'dept_person',
  {
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    part: varchar('part', { length: 10 }).notNull().$type<'leader' | 'approver' | 'dept_ld' | 'secretary'>(),
    order_id: integer('order_id').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.dept_id, t.user_id, t.part] }),
    uniqueIndex('dept_person_one')
      .on(t.dept_id, t.part)
      .where(sql`${t.part} in ('leader', 'dept_ld')`),
    index('dept_person_user').on(t.user_id, t.part),
    check('dept_person_part', sql`${t.part} in ('leader', 'approver', 'dept_ld', 'secretary')`),
  ],
);

/** The leaders of a secretary. */
export const secretaryTable = pgTable(
  'secretary',
  {
    secretary_id: integer('secretary_id')
      .notNull()
      .references(() => userTable.id),
    leader_id: integer('leader_id')
      .notNull()
      .references(() => userTable.id),
  },
  (t) => [primaryKey({ columns: [t.secretary_id, t.leader_id] }), index('secretary_leader').on(t.leader_id)],
);

export const userRoleTable = pgTable(
  'user_role',
  {
    user_id: integer('user_id')
      .notNull()
      .references(() => userTable.id),
    role_id: integer('role_id')
      .notNull()
      .references(() => roleTable.id),
    /** The last day on which it is held; null if permanent. */
    until: date('until'),
  },
  (t) => [
    primaryKey({ columns: [t.user_id, t.role_id] }),
    index('user_role_role').on(t.role_id),
    index('user_role_until')
      .on(t.until)
      .where(sql`${t.until} is not null`),
  ],
);
/** Every role somebody holds: given by hand, or derived from what they administer (migrations/0029-keepers.sql). */
export const heldRoleView = pgView('held_role', {
  user_id: integer('user_id').notNull(),
  role_id: integer('role_id').notNull(),
  until: date('until'),
}).existing();
