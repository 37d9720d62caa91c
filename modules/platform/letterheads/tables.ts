import { sql } from 'drizzle-orm';
import { boolean, check, pgTable, smallint, uniqueIndex, varchar } from 'drizzle-orm/pg-core';
import { onOff } from '#kernel/contract/titles.ts';
import { deletable, inSql, plainSql, recordColumns } from '#kernel/server/db/columns.ts';

/** 红头: the letterhead of a finished document. */
export const redheadTable = pgTable(
  'redhead',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 30 }).notNull(),
    /** 发文机关标志; if empty, the document's own organisation is used. */
    org_line: varchar('org_line', { length: 60 }).notNull().default(''),
    /** 印发机关 of its documents; if empty, the office of the issuing organisation. */
    print_org: varchar({ length: 100 }).notNull().default(''),
    colour: varchar('colour', { length: 7 }).notNull(),
    line_style: smallint('line_style').notNull().default(1),
    /** Its document types; none means all. */
    doc_types: smallint('doc_types').array().notNull().default([]),
    is_default: boolean('is_default').notNull().default(false),
    status: smallint('status').notNull().default(1),
  },
  (t) => [
    uniqueIndex('redhead_name_unique')
      .on(plainSql(sql`${t.name}`))
      .where(sql`not ${t.is_deleted}`),
    uniqueIndex('redhead_one_default')
      .on(t.is_default)
      .where(sql`${t.is_default} and not ${t.is_deleted}`),
    check('redhead_colour', sql`${t.colour} ~ '^#[0-9a-f]{6}$'`),
    check('redhead_line', sql`${t.line_style} between 1 and 3`),
    check('redhead_status', sql`${t.status} in (${inSql(onOff.off, onOff.on)})`),
    check('redhead_default_in_use', sql`not ${t.is_default} or ${t.status} = ${inSql(onOff.on)}`),
  ],
);
