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
  varchar,
} from 'drizzle-orm/pg-core';
import { recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';

export const menuTable = pgTable(
  'menu',
  {
    ...recordColumns(),
    parentId: integer('parent_id'),
    name: varchar('name', { length: 30 }).notNull(),
    path: varchar('web_path', { length: 200 }).notNull(),
    /** Page component, e.g. `system/user`; empty for a heading. */
    component: varchar('component', { length: 100 }).notNull().default(''),
    icon: varchar('icon', { length: 50 }).notNull().default(''),
    visible: boolean('visible').notNull().default(true),
    order: integer('order_id').notNull().default(0),
    mobile: boolean('is_mobile').notNull().default(false),
    link: boolean('is_link').notNull().default(false),
    affix: boolean('affix').notNull().default(false),
    meta: jsonb('meta').$type<{ show?: boolean; noCache?: boolean }>(),
    /** Of a row that the product brings: its name there, by which it is known again wherever it was moved. */
    builtIn: varchar('built_in', { length: 100 }),
  },
  (t) => [
    foreignKey({ columns: [t.parentId], foreignColumns: [t.id], name: 'menu_parent' }),
    unique('menu_path_unique').on(t.parentId, t.path).nullsNotDistinct(),
    unique('menu_built_in_unique').on(t.builtIn),
    index('menu_component').on(t.component),
    check('menu_not_own_parent', sql`${t.parentId} <> ${t.id}`),
  ],
);

export const buttonTable = pgTable(
  'button',
  {
    ...recordColumns(),
    name: varchar('name', { length: 20 }).notNull(),
    code: varchar('code', { length: 20 }).notNull(),
    icon: varchar('icon', { length: 50 }).notNull().default(''),
    order: integer('order_id').notNull().default(0),
  },
  (t) => [unique('button_code_unique').on(t.code)],
);

/** Which codes a menu offers, and so what a role may be granted there. */
export const menuButtonTable = pgTable(
  'menu_button',
  {
    ...recordColumns(),
    menuId: integer('menu_id')
      .notNull()
      .references(() => menuTable.id, { onDelete: 'cascade' }),
    buttonId: integer('button_id')
      .notNull()
      .references(() => buttonTable.id),
    name: varchar('name', { length: 20 }).notNull(),
    order: integer('order_id').notNull().default(0),
  },
  (t) => [unique('menu_button_unique').on(t.menuId, t.buttonId), index('menu_button_button').on(t.buttonId)],
);

export const roleTable = pgTable(
  'role',
  {
    ...recordColumns(),
    name: varchar('name', { length: 30 }).notNull(),
    code: varchar('code', { length: 30 }).notNull(),
    description: varchar('description', { length: 200 }).notNull().default(''),
    /** 1 everything, 2 chosen departments, 3 own departments, 4 own and below, 5 own rows. */
    dataScope: smallint('data_scope').notNull().default(5),
    system: boolean('is_system').notNull().default(false),
    order: integer('order_id').notNull().default(0),
    search: searchColumn(),
  },
  (t) => [
    unique('role_name_unique').on(t.name),
    unique('role_code_unique').on(t.code),
    searchIndex('role_search', t.search),
    check('role_data_scope', sql`${t.dataScope} between 1 and 5`),
  ],
);

/** The chosen departments of a role whose scope is 2; the key to `dept` is added by hand in a migration, departments lie above. */
export const roleScopeDeptTable = pgTable(
  'role_scope_dept',
  {
    roleId: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    deptId: integer('dept_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.roleId, t.deptId] }), index('role_scope_dept_dept').on(t.deptId)],
);

/** Menus a role sees. */
export const roleMenuTable = pgTable(
  'role_menu',
  {
    roleId: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    menuId: integer('menu_id')
      .notNull()
      .references(() => menuTable.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.roleId, t.menuId] }), index('role_menu_menu').on(t.menuId)],
);

/** Codes a role holds. */
export const roleButtonTable = pgTable(
  'role_menu_button',
  {
    roleId: integer('role_id')
      .notNull()
      .references(() => roleTable.id, { onDelete: 'cascade' }),
    menuButtonId: integer('menu_button_id')
      .notNull()
      .references(() => menuButtonTable.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.roleId, t.menuButtonId] }), index('role_menu_button_button').on(t.menuButtonId)],
);
