import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, plainNameColumn, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import {
  customerLevel,
  customerStatus,
  customerType,
  projectStatus,
  serviceLevel,
  visitWay,
} from './contract/codes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const ids = (name: string) => integer(name).array().notNull().default([]);
const person = (name: string) =>
  integer(name)
    .notNull()
    .references(() => userTable.id);
/** 客户; the data scope uses its department. */
export const customerTable = pgTable(
  'customer',
  {
    ...recordColumns(),
    ...deletable(),
    creator_id: person('creator_id'),
    name: varchar('name', { length: 100 }).notNull(),
    plain_name: plainNameColumn(),
    code: line('code', 30),
    /** Includes a check digit (migrations/0047-customers.sql). */
    credit_code: line('credit_code', 18),
    type: smallint('type').notNull(),
    industry: line('industry', 50),
    level: smallint('level').notNull(),
    source: line('source', 50),
    owner: person('owner'),
    dept_id: integer('dept_id')
      .notNull()
      .references(() => deptTable.id),
    phone: line('phone', 30),
    website: line('website', 200),
    address: line('address', 200),
    status: smallint('status').notNull(),
    invoice_title: line('invoice_title', 100),
    tax_no: line('tax_no', 20),
    invoice_bank: line('invoice_bank', 100),
    invoice_account: line('invoice_account', 50),
    invoice_address: line('invoice_address', 200),
    invoice_phone: line('invoice_phone', 30),
    tags: varchar('tags', { length: 20 }).array().notNull().default([]),
    remark: line('remark', 1000),
    /** Days after which its owner is reminded; 0 for never. */
    follow_days: smallint('follow_days').notNull(),
    /** Derived from its visits by a trigger. */
    last_contact_at: moment('last_contact_at'),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('customer_name')
      .on(t.plain_name)
      .where(sql`not ${t.is_deleted}`),
    uniqueIndex('customer_code')
      .on(t.code)
      .where(sql`${t.code} <> '' and not ${t.is_deleted}`),
    uniqueIndex('customer_credit_code')
      .on(t.credit_code)
      .where(sql`${t.credit_code} <> '' and not ${t.is_deleted}`),
    index('customer_dept').on(t.dept_id),
    index('customer_owner').on(t.owner),
    index('customer_tags').using('gin', t.tags),
    searchIndex('customer_search', t.search),
    check(
      'customer_kinds',
      sql`${t.type} between ${inSql(customerType.company)} and ${inSql(customerType.other)} and ${t.level} between ${inSql(customerLevel.key)} and ${inSql(customerLevel.potential)} and ${t.status} between ${inSql(customerStatus.running)} and ${inSql(customerStatus.ended)}`,
    ),
    check('customer_named', sql`${t.plain_name} <> ''`),
    check('customer_website', sql`${t.website} = '' or ${t.website} ~ '^https?://'`),
    check('customer_follow', sql`${t.follow_days} between 0 and 730`),
  ],
);

/** 项目 of a customer. Its monitoring belongs to the monitors module. */
export const projectTable = pgTable(
  'customer_project',
  {
    ...recordColumns(),
    ...deletable(),
    creator_id: person('creator_id'),
    customer_id: integer('customer_id')
      .notNull()
      .references(() => customerTable.id),
    name: varchar('name', { length: 100 }).notNull(),
    plain_name: plainNameColumn(),
    code: line('code', 30),
    manager: person('manager'),
    members: ids('members'),
    contract_no: line('contract_no', 40),
    url: line('url', 300),
    start_date: date('start_date'),
    end_date: date('end_date'),
    domain_expire: date('domain_expire'),
    status: smallint('status').notNull(),
    service_level: smallint('service_level').notNull(),
    /** True if alarms are sent as text messages. */
    sms_switch: boolean('sms_switch').notNull().default(false),
    alert_users: ids('alert_users'),
    alert_contacts: ids('alert_contacts'),
    remark: line('remark', 1000),
    search: searchColumn(),
  },
  (t) => [
    unique('customer_project_of').on(t.id, t.customer_id),
    uniqueIndex('customer_project_name')
      .on(t.customer_id, t.plain_name)
      .where(sql`not ${t.is_deleted}`),
    uniqueIndex('customer_project_code')
      .on(t.code)
      .where(sql`${t.code} <> '' and not ${t.is_deleted}`),
    index('customer_project_manager').on(t.manager),
    index('customer_project_members').using('gin', t.members),
    index('customer_project_alerts').using('gin', t.alert_users),
    searchIndex('customer_project_search', t.search),
    check(
      'customer_project_kinds',
      sql`${t.status} between ${inSql(projectStatus.running)} and ${inSql(projectStatus.ended)} and ${t.service_level} between ${inSql(serviceLevel.workingHours)} and ${inSql(serviceLevel.always)}`,
    ),
    check('customer_project_dates', sql`${t.end_date} >= ${t.start_date}`),
  ],
);

/** 联系人: people of a customer, without an account here. */
export const contactTable = pgTable(
  'customer_contact',
  {
    ...recordColumns(),
    ...deletable(),
    creator_id: person('creator_id'),
    customer_id: integer('customer_id')
      .notNull()
      .references(() => customerTable.id),
    project_id: integer('project_id'),
    name: varchar('name', { length: 30 }).notNull(),
    gender: line('gender', 1),
    post: line('post', 50),
    dept: line('dept', 50),
    /** Sealed; the keyed hash is equal for equal numbers. */
    mobile: text('mobile'),
    mobile_mark: char('mobile_mark', { length: 64 }),
    mobile_tail: char('mobile_tail', { length: 4 }),
    phone: line('phone', 30),
    email: line('email', 100),
    wechat: line('wechat', 50),
    is_primary: boolean('is_primary').notNull().default(false),
    receive_sms: boolean('receive_sms').notNull().default(false),
    remark: line('remark', 500),
    search: searchColumn(),
  },
  (t) => [
    // The project of a contact belongs to the same customer.
    foreignKey({
      columns: [t.project_id, t.customer_id],
      foreignColumns: [projectTable.id, projectTable.customer_id],
      name: 'customer_contact_project',
    }),
    uniqueIndex('customer_contact_mobile')
      .on(t.customer_id, t.mobile_mark)
      .where(sql`not ${t.is_deleted}`),
    uniqueIndex('customer_contact_primary')
      .on(t.customer_id)
      .where(sql`${t.is_primary} and not ${t.is_deleted}`),
    index('customer_contact_tail').on(t.mobile_tail),
    searchIndex('customer_contact_search', t.search),
    check('customer_contact_reached', sql`${t.mobile} is not null or ${t.phone} <> ''`),
    check('customer_contact_mobile_whole', sql`num_nulls(${t.mobile}, ${t.mobile_mark}, ${t.mobile_tail}) in (0, 3)`),
  ],
);

/** 跟进: a visit or call, which cannot change a day after it was written. */
export const visitTable = pgTable(
  'customer_visit',
  {
    ...recordColumns(),
    creator_id: person('creator_id'),
    customer_id: integer('customer_id')
      .notNull()
      .references(() => customerTable.id),
    contact_id: integer('contact_id').references(() => contactTable.id),
    way: smallint('way').notNull(),
    visited_at: moment('visited_at').notNull(),
    content: varchar('content', { length: 2000 }).notNull(),
    /** The next contact day. */
    next_date: date('next_date'),
  },
  (t) => [
    index('customer_visit_customer').on(t.customer_id, t.visited_at),
    check('customer_visit_way', sql`${t.way} between ${inSql(visitWay.onSite)} and ${inSql(visitWay.other)}`),
  ],
);
