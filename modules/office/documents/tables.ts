import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { onOff } from '#kernel/contract/titles.ts';
import { deletable, inSql, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/platform/files/tables.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { redheadTable } from '#modules/platform/letterheads/tables.ts';
import { ticketTable } from '#modules/workflow/tickets/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { workflowTable } from '#modules/workflow/workflows/tables.ts';
import { bookState } from './contract/settings.ts';
import type { Party } from './contract/shapes.ts';
import { docKind, docLevel, docType, secretLevel } from './contract/shapes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const person = (name: string) => integer(name).references(() => userTable.id);
const now = sql`now()`;

/** A number or name normalized in width, spaces and kind of brackets. */
export const sameNumber = (text: SQLWrapper): SQL<string> =>
  sql<string>`translate(upper(normalize(${text}, NFKC)), ' 〔〕[]【】()〈〉<>《》〖〗{}「」『』❲❳⟦⟧〘〙〚〛', '')`;

/** Numbers like `校发〔2026〕1号`, counted anew each year; those of orders, `第1号`, are counted across years. */
export const numberRuleTable = pgTable(
  'number_rule',
  {
    ...recordColumns(),
    ...deletable(),
    agency_code: varchar('agency_code', { length: 20 }).notNull(),
    scope: line('scope', 100),
    start_no: integer('start_no').notNull().default(1),
    /** 1 `校发〔2026〕1号`, 2 `第1号`. */
    style: smallint('style').notNull().default(1),
    status: smallint('status').notNull().default(1),
  },
  (t) => [
    uniqueIndex('number_rule_agency_unique')
      .on(sameNumber(t.agency_code))
      .where(sql`not ${t.is_deleted}`),
    check('number_rule_style', sql`${t.style} in (1, 2)`),
    check('number_rule_start', sql`${t.start_no} between 1 and 99999`),
    check('number_rule_status', sql`${t.status} in (${inSql(onOff.off, onOff.on)})`),
  ],
);

export const documentCategoryTable = pgTable(
  'document_category',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 30 }).notNull(),
    code: varchar('code', { length: 10 }).notNull(),
    doc_kind: smallint('doc_kind').notNull(),
    parent: integer('parent'),
    order_id: integer('order_id').notNull().default(0),
    workflow_id: integer('workflow_id').references(() => workflowTable.id),
    number_rule_id: integer('number_rule_id').references(() => numberRuleTable.id),
    redhead_id: integer('redhead_id').references(() => redheadTable.id),
    retention: smallint('retention'),
    status: smallint('status').notNull().default(1),
  },
  (t) => [
    uniqueIndex('document_category_code_unique')
      .on(t.code)
      .where(sql`not ${t.is_deleted}`),
    foreignKey({ name: 'document_category_parent', columns: [t.parent], foreignColumns: [t.id] }),
    check('document_category_kind', sql`${t.doc_kind} between ${inSql(docKind.sending)} and ${inSql(docKind.memo)}`),
    check('document_category_retention', sql`${t.retention} between 1 and 3`),
    check('document_category_status', sql`${t.status} in (${inSql(onOff.off, onOff.on)})`),
    check('document_category_not_own_parent', sql`${t.parent} <> ${t.id}`),
  ],
);

/** An official document. The ticket holds its position in the workflow; columns that lists filter by are copied here in the same transaction. */
export const documentTable = pgTable(
  'document',
  {
    ...recordColumns(),
    ...deletable(),
    creator_id: person('creator_id').notNull(),
    /** The creator's department at creation; the data scope uses it. */
    dept_id: integer('dept_id').references(() => deptTable.id),
    /** Null only within the creating transaction. */
    ticket_id: integer('ticket_id').references(() => ticketTable.id),
    act_state: smallint('act_state').notNull().default(0),
    is_refused: boolean('is_refused').notNull().default(false),
    submitted_at: moment('submitted_at'),
    finished_at: moment('finished_at'),
    /** Reached its end; a document given up on its way is closed without being approved. */
    approved: boolean('approved').notNull().default(false),
    /** Revoked after approval. */
    is_void: boolean('is_void').notNull().default(false),
    /** In a state, before its end, from which it may be distributed. */
    issued: boolean().notNull().default(false),
    /** The time of the first distribution. */
    given_at: moment(),
    doc_kind: smallint('doc_kind').notNull(),
    category_id: integer('category_id').references(() => documentCategoryTable.id),
    doc_type: smallint('doc_type').notNull().default(99),
    title: varchar('title', { length: 200 }).notNull(),
    summary: line('summary', 500),
    keywords: line('keywords', 100),
    number_rule_id: integer('number_rule_id').references(() => numberRuleTable.id),
    /** The number reserved for it; null for the next one. */
    reserved_no: integer('reserved_no'),
    doc_number: line('doc_number', 60),
    receipt_no: line('receipt_no', 30),
    from_org: line('from_org', 100),
    from_number: line('from_number', 60),
    received_date: date('received_date'),
    from_copies: integer('from_copies'),
    level: smallint('level').notNull().default(0),
    secret_level: smallint('secret_level').notNull().default(0),
    secret_period: line('secret_period', 10),
    copy_no: line('copy_no', 6),
    publicity: smallint('publicity'),
    publicity_reason: line('publicity_reason', 200),
    issue_org: line('issue_org', 100),
    joint_orgs: jsonb('joint_orgs').$type<string[]>().notNull().default([]),
    /** The signers of these, by name. */
    joint_issuers: jsonb('joint_issuers').$type<string[]>().notNull().default([]),
    main_send: jsonb('main_send').$type<Party[]>().notNull().default([]),
    copy_send: jsonb('copy_send').$type<Party[]>().notNull().default([]),
    leader_assigned: boolean('leader_assigned').notNull().default(false),
    issuer: person('issuer'),
    sign_date: date('sign_date'),
    body_html: text('body_html').notNull().default(''),
    body_file: integer('body_file').references(() => fileTable.id),
    redhead_id: integer('redhead_id').references(() => redheadTable.id),
    /** The finished document as PDF; made with its number, frozen at its end. */
    final_file: integer('final_file').references(() => fileTable.id),
    final_frozen: boolean('final_frozen').notNull().default(false),
    attachments: integer('attachments').array().notNull().default([]),
    written_date: date('written_date'),
    annotation: line('annotation', 200),
    contact_name: line('contact_name', 20),
    contact_phone: line('contact_phone', 20),
    print_org: line('print_org', 100),
    print_date: date('print_date'),
    print_copies: integer('print_copies'),
    due_at: moment('due_at'),
    /** The deadline that an incoming letter asks for. */
    due_asked: moment('due_asked'),
    /** Words of a report that seem to ask for something and that its author confirmed to be no request. */
    meant: text('meant').array().notNull().default([]),
    lead_dept: integer('lead_dept').references(() => deptTable.id),
    co_depts: integer('co_depts').array().notNull().default([]),
    propose_opinion: text('propose_opinion').notNull().default(''),
    leader_opinion: text('leader_opinion').notNull().default(''),
    handle_result: text('handle_result').notNull().default(''),
    reply_to_id: integer('reply_to_id'),
    /** An answer to a request by other means than a letter. */
    answer_note: line('answer_note', 500),
    /** The hash of the signed body; while it is set, the body cannot change. */
    body_sha256: char('body_sha256', { length: 64 }),
    search: searchColumn(),
  },
  (t) => {
    const alive = sql`not ${t.is_deleted}`;
    return [
      uniqueIndex('document_ticket_unique').on(t.ticket_id),
      uniqueIndex('document_receipt_unique')
        .on(t.receipt_no)
        .where(sql`${t.receipt_no} <> ''`),
      // Includes the columns that the list of all filters by, so that its total is counted from the index alone.
      index('document_newest').on(t.gmt_created, t.id, t.act_state).where(alive),
      index('document_by_kind').on(t.doc_kind, t.gmt_created, t.id).where(alive),
      index('document_by_dept').on(t.dept_id, t.gmt_created, t.id).where(alive),
      index('document_by_creator').on(t.creator_id, t.gmt_created, t.id).where(alive),
      index('document_by_sender')
        .on(sameNumber(t.from_number), sameNumber(t.from_org))
        .where(sql`${t.from_number} <> ''`),
      searchIndex('document_search', t.search),
      index('document_by_reply_to')
        .on(t.reply_to_id, t.id)
        .where(sql`${t.reply_to_id} is not null`),
      foreignKey({ name: 'document_reply_to', columns: [t.reply_to_id], foreignColumns: [t.id] }),
      check('document_kind', sql`${t.doc_kind} between ${inSql(docKind.sending)} and ${inSql(docKind.memo)}`),
      check(
        'document_type',
        sql`${t.doc_type} between ${inSql(docType.resolution)} and ${inSql(docType.minutes)} or ${t.doc_type} = ${inSql(docType.other)}`,
      ),
      check(
        'document_act_state',
        sql`${t.act_state} between ${inSql(actState.draft)} and ${inSql(actState.finishAsked)}`,
      ),
      check('document_level', sql`${t.level} between ${inSql(docLevel.usual)} and ${inSql(docLevel.most)}`),
      check(
        'document_secret_level',
        sql`${t.secret_level} between ${inSql(secretLevel.none)} and ${inSql(secretLevel.top)}`,
      ),
      check(
        'document_secret_whole',
        sql`${t.secret_level} = ${inSql(secretLevel.none)} or (${t.secret_period} <> '' and ${t.copy_no} ~ '^[0-9]{6}$')`,
      ),
      check('document_publicity', sql`${t.publicity} between 1 and 3`),
      check('document_dates', sql`${t.written_date} <= ${t.print_date}`),
      check(
        'document_issued',
        sql`not ${t.issued} or (${t.act_state} = ${inSql(actState.ongoing)} and ${t.body_sha256} is not null and ${t.doc_number} <> '')`,
      ),
      check('document_print_copies', sql`${t.print_copies} between 1 and 9999`),
    ];
  },
);

/** Every number of a rule that was given, reserved, entered late or voided; none is ever given twice. */
export const numberBookTable = pgTable(
  'number_book',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    rule_id: integer('rule_id')
      .notNull()
      .references(() => numberRuleTable.id),
    year: smallint('year').notNull(),
    seq: integer('seq').notNull(),
    document_id: integer('document_id').references(() => documentTable.id),
    /** 1 given to a document, 2 reserved, 3 void, 4 entered late for a paper issued outside. */
    state: smallint('state').notNull().default(1),
    /** The title of a paper entered late. */
    title: line('title', 200),
    made_by: person('made_by'),
    reason: line('reason', 200),
    voided_by: person('voided_by'),
    voided_at: moment('voided_at'),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('number_book_unique').on(t.rule_id, t.year, t.seq),
    uniqueIndex('number_book_one_a_document')
      .on(t.document_id)
      .where(sql`${t.state} = ${inSql(bookState.given)}`),
    check('number_book_year', sql`${t.year} between 2000 and 2999`),
    check('number_book_seq', sql`${t.seq} > 0`),
    check('number_book_state', sql`${t.state} between ${inSql(bookState.given)} and ${inSql(bookState.entered)}`),
    check('number_book_said', sql`${t.state} = ${inSql(bookState.given)} or ${t.reason} <> ''`),
    check('number_book_voided', sql`(${t.state} = ${inSql(bookState.voided)}) = (${t.voided_at} is not null)`),
    check('number_book_entered', sql`${t.state} <> ${inSql(bookState.entered)} or ${t.title} <> ''`),
  ],
);

export const documentCollectTable = pgTable(
  'document_collect',
  {
    user_id: person('user_id').notNull(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id, { onDelete: 'cascade' }),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.document_id] })],
);

export const documentLevelLogTable = pgTable(
  'document_level_log',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    document_id: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    user_id: person('user_id').notNull(),
    before: smallint('before').notNull(),
    after: smallint('after').notNull(),
    reason: varchar('reason', { length: 200 }).notNull(),
    gmt_created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    index('document_level_log_by_document').on(t.document_id, t.id),
    check('document_level_log_levels', sql`${t.before} <> ${t.after} and ${t.after} between 0 and 2`),
  ],
);
