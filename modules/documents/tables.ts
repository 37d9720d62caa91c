import { sql } from 'drizzle-orm';
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
import { deletable, moment, recordColumns } from '#kernel/server/db/columns.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { fileTable } from '#modules/files/tables.ts';
import { deptTable, userTable } from '#modules/people/tables.ts';
import { redheadTable } from '#modules/letterheads/tables.ts';
import { ticketTable } from '#modules/tickets/tables.ts';
import { workflowTable } from '#modules/workflows/tables.ts';
import type { Party } from './contract/shapes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const person = (name: string) => integer(name).references(() => userTable.id);
const now = sql`now()`;

/** Numbers like `校发〔2026〕1号`, counted anew each year. */
export const numberRuleTable = pgTable(
  'number_rule',
  {
    ...recordColumns(),
    ...deletable(),
    agencyCode: varchar('agency_code', { length: 20 }).notNull(),
    scope: line('scope', 100),
    startNo: integer('start_no').notNull().default(1),
    status: smallint('status').notNull().default(1),
  },
  (t) => [
    uniqueIndex('number_rule_agency_unique')
      .on(t.agencyCode)
      .where(sql`not ${t.deleted}`),
    check('number_rule_start', sql`${t.startNo} between 1 and 99999`),
    check('number_rule_status', sql`${t.status} in (0, 1)`),
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
      .where(sql`not ${t.deleted}`),
    foreignKey({ name: 'document_category_parent', columns: [t.parent], foreignColumns: [t.id] }),
    check('document_category_kind', sql`${t.doc_kind} between 1 and 3`),
    check('document_category_retention', sql`${t.retention} between 1 and 3`),
    check('document_category_status', sql`${t.status} in (0, 1)`),
    check('document_category_not_own_parent', sql`${t.parent} <> ${t.id}`),
  ],
);

/** An official document. Where it stands in its workflow is its ticket's; what lists ask by is kept here too, by the same transaction. */
export const documentTable = pgTable(
  'document',
  {
    ...recordColumns(),
    ...deletable(),
    creatorId: person('creator_id').notNull(),
    /** The creator's department at creation: the data scope goes by it. */
    deptId: integer('dept_id').references(() => deptTable.id),
    /** Null only until the transaction that creates it ends. */
    ticketId: integer('ticket_id').references(() => ticketTable.id),
    actState: smallint('act_state').notNull().default(0),
    submitted: moment('submitted_at'),
    finished: moment('finished_at'),
    /** It came to its end; what was given up on its way is closed without. */
    approved: boolean('approved').notNull().default(false),
    /** Revoked after it was approved. */
    voided: boolean('is_void').notNull().default(false),
    docKind: smallint('doc_kind').notNull(),
    categoryId: integer('category_id').references(() => documentCategoryTable.id),
    docType: smallint('doc_type').notNull().default(99),
    title: varchar('title', { length: 200 }).notNull(),
    summary: line('summary', 500),
    keywords: line('keywords', 100),
    numberRuleId: integer('number_rule_id').references(() => numberRuleTable.id),
    docNumber: line('doc_number', 60),
    receiptNo: line('receipt_no', 30),
    fromOrg: line('from_org', 100),
    fromNumber: line('from_number', 60),
    receivedDate: date('received_date'),
    fromCopies: integer('from_copies'),
    level: smallint('level').notNull().default(0),
    secretLevel: smallint('secret_level').notNull().default(0),
    secretPeriod: line('secret_period', 10),
    copyNo: line('copy_no', 6),
    publicity: smallint('publicity'),
    publicityReason: line('publicity_reason', 200),
    issueOrg: line('issue_org', 100),
    jointOrgs: jsonb('joint_orgs').$type<string[]>().notNull().default([]),
    mainSend: jsonb('main_send').$type<Party[]>().notNull().default([]),
    copySend: jsonb('copy_send').$type<Party[]>().notNull().default([]),
    leaderAssigned: boolean('leader_assigned').notNull().default(false),
    issuerId: person('issuer'),
    signDate: date('sign_date'),
    bodyHtml: text('body_html').notNull().default(''),
    bodyFileId: integer('body_file').references(() => fileTable.id),
    redheadId: integer('redhead_id').references(() => redheadTable.id),
    /** The finished document as PDF; made when it has its number, frozen when it is over. */
    finalFileId: integer('final_file').references(() => fileTable.id),
    finalFrozen: boolean('final_frozen').notNull().default(false),
    attachmentIds: integer('attachments').array().notNull().default([]),
    writtenDate: date('written_date'),
    annotation: line('annotation', 200),
    contactName: line('contact_name', 20),
    contactPhone: line('contact_phone', 20),
    printOrg: line('print_org', 100),
    printDate: date('print_date'),
    printCopies: integer('print_copies'),
    due: moment('due_at'),
    /** When an incoming letter asks to be answered by. */
    dueAsked: moment('due_asked'),
    /** Words of a report that ask for something, of which its author says that they are no request. */
    meant: text('meant').array().notNull().default([]),
    leadDeptId: integer('lead_dept').references(() => deptTable.id),
    coDeptIds: integer('co_depts').array().notNull().default([]),
    proposeOpinion: text('propose_opinion').notNull().default(''),
    leaderOpinion: text('leader_opinion').notNull().default(''),
    handleResult: text('handle_result').notNull().default(''),
    replyToId: integer('reply_to_id'),
    /** What was answered to a request otherwise than by a letter. */
    answerNote: line('answer_note', 500),
    /** Of the body as it was signed; while it is there the body stays as it is. */
    bodySha256: char('body_sha256', { length: 64 }),
    search: searchColumn(),
  },
  (t) => {
    const alive = sql`not ${t.deleted}`;
    return [
      uniqueIndex('document_ticket_unique').on(t.ticketId),
      uniqueIndex('document_receipt_unique')
        .on(t.receiptNo)
        .where(sql`${t.receiptNo} <> ''`),
      // With what the list of all asks besides, so that its total is counted from the index alone.
      index('document_newest')
        .on(t.created, t.id, t.actState)
        .where(sql`not ${t.deleted} and ${t.ticketId} is not null`),
      index('document_by_kind').on(t.docKind, t.created, t.id).where(alive),
      index('document_by_dept').on(t.deptId, t.created, t.id).where(alive),
      index('document_by_creator').on(t.creatorId, t.created, t.id).where(alive),
      searchIndex('document_search', t.search),
      foreignKey({ name: 'document_reply_to', columns: [t.replyToId], foreignColumns: [t.id] }),
      check('document_kind', sql`${t.docKind} between 1 and 3`),
      check('document_type', sql`${t.docType} between 1 and 15 or ${t.docType} = 99`),
      check('document_act_state', sql`${t.actState} between 0 and 6`),
      check('document_level', sql`${t.level} between 0 and 2`),
      check('document_secret_level', sql`${t.secretLevel} between 0 and 3`),
      check(
        'document_secret_whole',
        sql`${t.secretLevel} = 0 or (${t.secretPeriod} <> '' and ${t.copyNo} ~ '^[0-9]{6}$')`,
      ),
      check('document_publicity', sql`${t.publicity} between 1 and 3`),
      check('document_dates', sql`${t.writtenDate} <= ${t.printDate}`),
      check('document_print_copies', sql`${t.printCopies} between 1 and 9999`),
    ];
  },
);

/** Every number of a rule that was given out or is void; none is ever given twice. */
export const numberBookTable = pgTable(
  'number_book',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    ruleId: integer('rule_id')
      .notNull()
      .references(() => numberRuleTable.id),
    year: smallint('year').notNull(),
    seq: integer('seq').notNull(),
    documentId: integer('document_id').references(() => documentTable.id),
    /** 1 given to a document, 3 void. */
    state: smallint('state').notNull().default(1),
    reason: line('reason', 200),
    voidedBy: person('voided_by'),
    voided: moment('voided_at'),
    created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    uniqueIndex('number_book_unique').on(t.ruleId, t.year, t.seq),
    uniqueIndex('number_book_one_a_document')
      .on(t.documentId)
      .where(sql`${t.state} = 1`),
    check('number_book_year', sql`${t.year} between 2000 and 2999`),
    check('number_book_seq', sql`${t.seq} > 0`),
    check('number_book_state', sql`${t.state} in (1, 3)`),
    check('number_book_void_said', sql`(${t.state} = 3) = (${t.reason} <> '' and ${t.voided} is not null)`),
  ],
);

export const documentCollectTable = pgTable(
  'document_collect',
  {
    userId: person('user_id').notNull(),
    documentId: integer('document_id')
      .notNull()
      .references(() => documentTable.id, { onDelete: 'cascade' }),
    created: moment('gmt_created').notNull().default(now),
  },
  (t) => [primaryKey({ columns: [t.userId, t.documentId] })],
);

export const documentLevelLogTable = pgTable(
  'document_level_log',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    documentId: integer('document_id')
      .notNull()
      .references(() => documentTable.id),
    userId: person('user_id').notNull(),
    before: smallint('before').notNull(),
    after: smallint('after').notNull(),
    reason: varchar('reason', { length: 200 }).notNull(),
    created: moment('gmt_created').notNull().default(now),
  },
  (t) => [
    index('document_level_log_by_document').on(t.documentId, t.id),
    check('document_level_log_levels', sql`${t.before} <> ${t.after} and ${t.after} between 0 and 2`),
  ],
);
