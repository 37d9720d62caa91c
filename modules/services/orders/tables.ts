import { sql } from 'drizzle-orm';
import {
  boolean,
  char,
  check,
  index,
  integer,
  numeric,
  pgTable,
  smallint,
  text,
  unique,
  uniqueIndex,
  varchar,
} from 'drizzle-orm/pg-core';
import { deletable, inSql, moment, plainSql, recordColumns } from '#kernel/server/db/columns.ts';
import { moneyColumn } from '#kernel/server/db/money.ts';
import { searchColumn, searchIndex } from '#kernel/server/list/search.ts';
import { deptTable, userTable } from '#modules/platform/people/tables.ts';
import { approvalColumns } from '#modules/workflow/records/tables.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { orderStage } from './contract/codes.ts';

const line = (name: string, length: number) => varchar(name, { length }).notNull().default('');
const person = (name: string) => integer(name).references(() => userTable.id);
const flag = (name: string) => boolean(name).notNull().default(false);
const number = (name: string) => integer(name).notNull();
const files = (name: string) => integer(name).array().notNull().default([]);
const placed = () => ({ building: line('building', 50), floor: line('floor', 20), room: line('room', 50) });
const ofOrder = () =>
  integer('order_id')
    .notNull()
    .references(() => orderTable.id, { onDelete: 'cascade' });

/** A kind of fault, its team, and its time limits: minutes by level. */
export const orderCategoryTable = pgTable(
  'order_category',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 30 }).notNull(),
    team_id: integer('team_id')
      .notNull()
      .references(() => deptTable.id),
    response_0: number('response_0'),
    finish_0: number('finish_0'),
    response_1: number('response_1'),
    finish_1: number('finish_1'),
    response_2: number('response_2'),
    finish_2: number('finish_2'),
    is_always: flag('is_always'),
    auto_dispatch: flag('auto_dispatch'),
    photo_required: flag('photo_required'),
    fee_limit: moneyColumn('fee_limit').notNull(),
    for_visitors: flag('for_visitors'),
    is_active: boolean('is_active').notNull().default(true),
  },
  (t) => [uniqueIndex('order_category_name').on(plainSql(sql`${t.name}`))],
);

/** A room or an asset in it; `code` is printed on its label, 80 random bits, and never changes. */
export const orderAssetTable = pgTable(
  'order_asset',
  {
    ...recordColumns(),
    ...deletable(),
    name: varchar('name', { length: 50 }).notNull(),
    ...placed(),
    category_id: integer('category_id').references(() => orderCategoryTable.id),
    asset_no: line('asset_no', 50),
    note: line('note', 200),
    code: char('code', { length: 16 }).notNull().unique('order_asset_code'),
    search: searchColumn(),
  },
  (t) => [
    uniqueIndex('order_asset_no')
      .on(t.asset_no)
      .where(sql`${t.asset_no} <> '' and not ${t.is_deleted}`),
    searchIndex('order_asset_search', t.search),
  ],
);

export const orderTable = pgTable(
  'repair_order',
  {
    ...recordColumns(),
    ...deletable(),
    ...approvalColumns(),
    /** Null for an order from outside that was not accepted yet. */
    creator_id: person('creator_id').$type<number>(),
    sn: varchar('sn', { length: 30 }).notNull().unique(),
    title: varchar('title', { length: 80 }).notNull(),
    type_id: smallint('type_id').notNull().default(1),
    category_id: integer('category_id')
      .notNull()
      .references(() => orderCategoryTable.id),
    ...placed(),
    place: line('place', 100),
    asset_id: integer('asset_id').references(() => orderAssetTable.id),
    description: text('description').notNull().default(''),
    photos: files('photos'),
    level: smallint('level').notNull().default(0),
    source: smallint('source').notNull().default(1),
    appoint_time: moment('appoint_time'),
    /** The reporter, if it is somebody of the house. */
    reporter_id: person('reporter_id'),
    contact: line('contact', 20),
    /** The number, sealed; visitors find their orders by its keyed hash. */
    phone_sealed: text('phone_sealed').notNull().default(''),
    phone_mark: line('phone_mark', 64),
    phone_tail: line('phone_tail', 4),
    team_id: integer('team_id').references(() => deptTable.id),
    handler_id: person('handler_id'),
    stage: smallint('stage').notNull().default(0),
    /** The state on the wire: 6 while the reporter is asked to confirm. */
    state: smallint('state')
      .notNull()
      .generatedAlwaysAs(sql`case when stage = ${inSql(orderStage.finished)} then 6 else act_state end`),
    /** Its time limit in minutes, the minutes used, and the time since which the clock runs; null while it is stopped. */
    limit_minutes: integer('limit_minutes').notNull().default(0),
    used_minutes: integer('used_minutes').notNull().default(0),
    runs_since: moment('runs_since'),
    sent_at: moment('sent_at'),
    response_due: moment('response_due'),
    finish_due: moment('finish_due'),
    rework_due: moment('rework_due'),
    accept_at: moment('accept_at'),
    finish_at: moment('finish_at'),
    /** True if it was repaired in time; set when it is first finished, and never changed. */
    finish_met: boolean('finish_met'),
    /** The moments of 80, 100 and 150 percent of its time limit, and the next of them. */
    warn_at: moment('warn_at'),
    due_at: moment('due_at'),
    over_at: moment('over_at'),
    next_at: moment('next_at'),
    result: text('result').notNull().default(''),
    result_photos: files('result_photos'),
    fee: moneyColumn('fee').notNull().default(0),
    fee_state: smallint('fee_state').notNull().default(0),
    /** Its expected cost with materials when approval was last asked for. */
    fee_asked: moneyColumn('fee_asked').notNull().default(0),
    hang_kind: smallint('hang_kind'),
    hang_reason: line('hang_reason', 500),
    hang_until: moment('hang_until'),
    reopen_count: integer('reopen_count').notNull().default(0),
    auto_confirmed: flag('auto_confirmed'),
    score: smallint('score'),
    /** The one addition to the rating. */
    added_score: smallint('added_score'),
    merged_into: integer('merged_into'),
    incident_id: integer('incident_id').unique('order_incident'),
  },
  (t) => [
    check(
      'order_stage',
      sql`(${t.act_state} in (${inSql(actState.draft, actState.returned, actState.withdrawn)}) and ${t.stage} = ${inSql(orderStage.draft)}) or (${t.act_state} in (${inSql(actState.ongoing, actState.finishAsked)}) and ${t.stage} in (${inSql(orderStage.reported, orderStage.assigned, orderStage.taken, orderStage.working, orderStage.hung, orderStage.finished)}))
        or (${t.act_state} = ${inSql(actState.finished)} and ${t.stage} in (${inSql(orderStage.confirmed, orderStage.rated)})) or (${t.act_state} = ${inSql(actState.closed)} and ${t.stage} = ${inSql(orderStage.closed)})`,
    ),
    check(
      'order_hang',
      sql`${t.stage} <> ${inSql(orderStage.hung)} or (${t.hang_reason} <> '' and ${t.hang_until} is not null)`,
    ),
    check(
      'order_numbers',
      sql`${t.fee} >= 0 and ${t.reopen_count} >= 0 and ${t.score} between 1 and 5 and ${t.added_score} between 1 and 5`,
    ),
    check('order_times', sql`${t.finish_at} >= ${t.accept_at}`),
    check('order_merged', sql`${t.merged_into} is null or ${t.act_state} = ${inSql(actState.closed)}`),
    index('order_newest')
      .on(t.gmt_created, t.id)
      .where(sql`not ${t.is_deleted} and ${t.act_state} <> ${inSql(actState.draft)}`),
    index('order_stage_newest')
      .on(t.stage, t.gmt_created)
      .where(sql`not ${t.is_deleted}`),
    index('order_next')
      .on(t.next_at)
      .where(sql`${t.next_at} is not null`),
    index('order_due')
      .on(t.due_at)
      .where(sql`${t.due_at} is not null`),
    index('order_hung')
      .on(t.hang_until)
      .where(sql`${t.stage} = ${inSql(orderStage.hung)}`),
    index('order_place').on(t.building, t.room, t.gmt_created),
    index('order_reporter').on(t.reporter_id, t.gmt_created),
    index('order_creator').on(t.creator_id, t.gmt_created),
    index('order_handler').on(t.handler_id, t.gmt_created),
    index('order_phone')
      .on(t.phone_mark, t.gmt_created)
      .where(sql`${t.phone_mark} <> ''`),
    index('order_merged_into')
      .on(t.merged_into)
      .where(sql`${t.merged_into} is not null`),
    searchIndex('order_search', t.search),
  ],
);

/** The history of an order; append-only. */
export const orderEventTable = pgTable(
  'order_event',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    order_id: ofOrder(),
    kind: varchar('kind', { length: 10 }).notNull(),
    /** Null for automatic events, and for those of visitors. */
    user_id: person('user_id'),
    by_visitor: flag('by_visitor'),
    words: text('words').notNull().default(''),
    at: moment('at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [index('order_event_of').on(t.order_id, t.id), index('order_event_worked').on(t.order_id, t.user_id)],
);

/** The rating, and one addition; append-only. */
export const orderCommentTable = pgTable(
  'order_comment',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    order_id: ofOrder(),
    is_addition: flag('is_addition'),
    /** Null if a visitor rates. */
    user_id: person('user_id'),
    score: smallint('score').notNull(),
    speed: smallint('speed'),
    quality: smallint('quality'),
    attitude: smallint('attitude'),
    content: line('content', 500),
    at: moment('at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    unique('order_comment_once').on(t.order_id, t.is_addition),
    check(
      'order_comment_scores',
      sql`least(${t.score}, ${t.speed}, ${t.quality}, ${t.attitude}) >= 1 and greatest(${t.score}, ${t.speed}, ${t.quality}, ${t.attitude}) <= 5`,
    ),
  ],
);

/** Used materials; a row is reversed by another with the opposite quantity. Append-only. */
export const orderMaterialTable = pgTable(
  'order_material',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    order_id: integer('order_id').references(() => orderTable.id),
    name: varchar('name', { length: 50 }).notNull(),
    spec: line('spec', 50),
    qty: numeric('qty', { precision: 12, scale: 2, mode: 'number' }).notNull(),
    price: moneyColumn('price').notNull(),
    amount: moneyColumn('amount')
      .notNull()
      .generatedAlwaysAs(sql`round(qty * price, 2)`),
    storno_of: integer('storno_of').unique('order_material_storno'),
    user_id: person('user_id').notNull(),
    gmt_created: moment('gmt_created')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('order_material_of').on(t.order_id, t.id),
    index('order_material_newest').on(t.gmt_created, t.id),
    check('order_material_sign', sql`(${t.storno_of} is null) = (${t.qty} > 0) and ${t.qty} <> 0`),
  ],
);
