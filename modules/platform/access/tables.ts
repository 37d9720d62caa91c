import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { inSql, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { dataScope } from './contract/roles.ts';

export const menuTable = pgTable(
  'menu',
  {
    ...recordColumns(),
    parent_id: integer('parent_id'),
    name: varchar('name', { length: 30 }).notNull(),
    web_path: varchar('web_path', { length: 200 }).notNull(),
    /** Page component, e.g. `system/user`; empty for a heading. */
    component: varchar('component', { length: 100 }).notNull().default(''),
    icon: varchar('icon', { length: 50 }).notNull().default(''),
    visible: boolean('visible').notNull().default(true),
    order_id: integer('order_id').notNull().default(0),
    is_mobile: boolean('is_mobile').notNull().default(false),
    is_link: boolean('is_link').notNull().default(false),
    affix: boolean('affix').notNull().default(false),
    meta: jsonb('meta').$type<{ show?: boolean; noCache?: boolean }>(),
    /** For a row that the product brings: its key in the code, which identifies it wherever it was moved. */
    built_in: varchar('built_in', { length: 100 }),
  },
  (t) => [
    foreignKey({ columns: [t.parent_id], foreignColumns: [t.id], name: 'menu_parent' }),
    unique('menu_path_unique').on(t.parent_id, t.web_path).nullsNotDistinct(),
    unique('menu_built_in_unique').on(t.built_in),
    index('menu_component').on(t.component),
    check('menu_not_own_parent', sql`${t.parent_id} <> ${t.id}`),
  ],
);

export const buttonTable = pgTable(
  'button',
  {
    ...recordColumns(),
    name: varchar('name', { length: 20 }).notNull(),
    code: varchar('code', { length: 20 }).notNull(),
    icon: varchar('icon', { length: 50 }).notNull().default(''),
    order_id: integer('order_id').notNull().default(0),
  },
  (t) => [unique('button_code_unique').on(t.code)],
);

/** The codes a menu offers, which a role may be granted there. */
export const menuButtonTable = pgTable(
  'menu_button',
  {
    ...recordColumns(),
    menu_id: integer('menu_id')
      .notNull()
      .references(() => menuTable.id, { onDelete: 'cascade' }),
    button_id: integer('button_id')
      .notNull()
      .references(() => buttonTable.id),
    name: varchar('name', { length: 20 }).notNull(),
    order_id: integer('order_id').notNull().default(0),
  },
  (t) => [unique('menu_button_unique').on(t.menu_id, t.button_id), index('menu_button_button').on(t.button_id)],
);

export const roleTable = pgTable(
  'role',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    code: varchar('code', { length: 30 }).notNull(),
    description: varchar('description', { length: 200 }).notNull().default(''),
    /** 1 everything, 2 chosen departments, 3 own departments, 4 own and below, 5 own rows. */
    data_scope: smallint('data_scope').notNull().default(5),
    is_system: boolean('is_system').notNull().default(false),
    order_id: integer('order_id').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('role_name_unique').on(plainSql(sql`${t.name}`)),
    unique('role_code_unique').on(t.code),
    searchIndex('role_search', t.search),
    check('role_data_scope', sql`${t.data_scope} between ${inSql(dataScope.all)} and ${inSql(dataScope.own)}`),
  ],
);

/** The chosen departments of a role whose scope is 2; a migration adds the foreign key to `dept` by hand, because departments belong to a module above. */
export const roleScopeDeptTable = pgTable(
  'role_scope_dept',
  {
    role_id: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    dept_id: integer('dept_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.role_id, t.dept_id] }), index('role_scope_dept_dept').on(t.dept_id)],
);

/** Menus a role sees. */
export const roleMenuTable = pgTable(
  'role_menu',
  {
    role_id: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    menu_id: integer('menu_id')
      .notNull()
      .references(() => menuTable.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.role_id, t.menu_id] }), index('role_menu_menu').on(t.menu_id)],
);

/** Codes a role holds. */
export const roleButtonTable = pgTable(
  'role_menu_button',
  {
    role_id: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    menu_button_id: integer('menu_button_id')
      .notNull()
      .references(() => menuButtonTable.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.role_id, t.menu_button_id] }),
    index('role_menu_button_button').on(t.menu_button_id),
  ],
);
