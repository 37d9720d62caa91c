import { inSql } from '#kernel/server/db/columns.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { and, asc, desc, eq, gte, isNull, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { telephoneOf } from '#kernel/contract/words/mobile.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { handlersOf, ofTickets } from '#modules/workflow/tickets/service.ts';
import { orderStage, placeOf } from '../contract/codes.ts';
import { list, type orders as calls } from '../contract/orders.ts';
import {
  orderAssetTable,
  orderCategoryTable as c,
  orderCommentTable,
  orderEventTable as e,
  orderMaterialTable as m,
  orderTable as t,
} from '../tables.ts';
import { officePhone } from './handlers.ts';
import { categoryOf, followedBy, orders, reportedBy, type Order } from './record.ts';
import { actionsOf, hasPart, isDesk, isReporter } from './rights.ts';

type Reading = Pick<Context, 'tx' | 'now'> & { user: Viewer };
type Asked = QueryOf<typeof calls.list>;
/** Condition: overdue while its clock runs; the same for lists, counts, board and statistics. */
export const isLate = sql`(${t.due_at} < now())`;
const lightOf = ({ due_at, warn_at }: Order, now: Date) =>
  due_at === null ? 0 : momentOf(due_at) < now ? 3 : warn_at !== null && momentOf(warn_at) < now ? 2 : 1;

/** Condition: reported from outside and waiting for the desk, for users at the desk. */
export const intakes = (viewer: RecordViewer) =>
  and(isNull(t.ticket_id), eq(t.stage, orderStage.reported), eq(t.is_deleted, false), orders.reaches(viewer, 'chuli'));
/** The orders of a category; the same for the list, its badge and its counts. */
export function inCategory(tx: Db, viewer: RecordViewer, category: Asked['category']): SQL | undefined {
  if (category === 'duty') {
    // Each half uses its own index; a common condition would read all orders.
    const half = (where: SQL | undefined) => tx.select({ id: t.id }).from(t).where(where);
    const mine = half(ofTickets(tx, t.ticket_id, viewer.tickets!, 'duty'));
    return sql`${t.id} in (${mine} union all ${half(intakes(viewer))})`;
  }
  if (category === 'owner') return reportedBy(viewer.user.id);
  if (category === 'intake') return intakes(viewer);
  if (category === undefined) return undefined;
  // 全部 is the ledger of the desk, which reads by its data scope alone (decision 0312).
  return category === 'all'
    ? orders.inCategory(tx, viewer, 'scope')
    : ofTickets(tx, t.ticket_id, viewer.tickets!, category);
}
const is = (column: Parameters<typeof eq>[0], value: unknown) => (value === undefined ? undefined : eq(column, value));

export async function listed({ query: { category, ...query } }: { query: Asked }, { tx, user, now }: Reading) {
  const viewer = await orders.viewerOf(tx, user);
  const { start, end, overdue, rework, open } = query;
  const where = and(
    inCategory(tx, viewer, category),
    is(t.type_id, query.type_id),
    is(t.category_id, query.category_id),
    is(t.stage, query.stage),
    is(t.level, query.level),
    is(t.source, query.source),
    is(t.team_id, query.team_id),
    is(t.handler_id, query.handler_id),
    is(t.building, query.building),
    is(t.room, query.room),
    overdue ? isLate : undefined,
    rework ? sql`${t.reopen_count} > 0` : undefined,
    open ? sql`${t.stage} between ${inSql(orderStage.reported)} and ${inSql(orderStage.finished)}` : undefined,
    start ? gte(t.gmt_created, start) : undefined,
    end ? sql`${t.gmt_created} < ${end}::date + 1` : undefined,
  );
  const sort = { due_at: t.due_at, appoint_time: t.appoint_time, level: t.level };
  const options = { where, sort, steady: where === undefined };
  const { found, more } = await orders.list(tx, viewer, query, options, (rows) => namesOf(tx, user, rows));
  const value = found.value.map(({ row, approval }) => shown({ user, now }, row, approval?.actions ?? [], more!));
  return { ...found, value };
}

/** The names that rows refer to, in one round trip. */
async function namesOf(tx: Db, user: Viewer, rows: readonly Order[]) {
  const [people, teams, categories, unnamed] = await Promise.all([
    peopleById(
      tx,
      rows.flatMap((row) => [row.handler_id ?? [], row.reporter_id ?? []].flat()),
    ),
    deptNamesById(
      tx,
      rows.flatMap((row) => row.team_id ?? []),
    ),
    tx
      .select({ id: c.id, name: c.name })
      .from(c)
      .where(
        isAmong(
          c.id,
          rows.map((row) => row.category_id),
        ),
      ),
    followedOnly(tx, user, rows),
  ]);
  return { people, teams, categories: new Map(categories.map((row) => [row.id, row.name])), unnamed };
}

/** Orders that a user sees only because theirs was merged into them: they see the progress, but not the reporter. */
async function followedOnly(tx: Db, user: Viewer, rows: readonly Order[]): Promise<ReadonlySet<number>> {
  const scope = holds(user, 'Retrieve', list) ? scopeOf(user, 'Retrieve', list) : null;
  const reached = ({ dept_id }: Order) =>
    scope !== null && (scope.all || (dept_id !== null && scope.depts.has(dept_id)));
  const others = rows.flatMap((row) => (hasPart(user, row) || reached(row) ? [] : row.id));
  if (others.length === 0) return new Set();
  const found = await namedRows<{ id: number }>(
    tx,
    sql`select id from (${followedBy(user.id)}) f where id = any(${sql.param(others)}::int[])`,
  );
  return new Set(found.map((row) => row.id));
}

/** An order as a list row. */
const shown = (
  { user, now }: Omit<Reading, 'tx'>,
  row: Order,
  offered: readonly string[],
  { people, teams, categories, unnamed }: Awaited<ReturnType<typeof namesOf>>,
) => ({
  ...row,
  place: placeOf(row),
  category_name: categories.get(row.category_id) ?? '',
  light: lightOf(row, now),
  reporter_name: unnamed.has(row.id) ? '' : (people.get(row.reporter_id ?? 0)?.alias ?? row.contact),
  contact: unnamed.has(row.id) ? '' : row.contact,
  handler_name: people.get(row.handler_id ?? 0)?.alias ?? '',
  team_name: teams.get(row.team_id ?? 0) ?? '',
  actions: actionsOf(row, user, offered, now) as string[],
});

/** SQL: a pattern that matches words only outside of longer words and numbers. */
const byItself = (part: SQLWrapper) => sql`(case when ${part} ~ '^[0-9A-Za-z]' then '(?<![0-9A-Za-z])' else '' end
  || regexp_replace(${part}, '([][\\\\^$.|?*+(){}-])', '\\\\\\1', 'g')
  || case when ${part} ~ '[0-9A-Za-z]$' then '(?![0-9A-Za-z])' else '' end)`;

/** Rows of the ledger of materials, with their orders. */
export const ledger = {
  id: m.id,
  order_id: m.order_id,
  sn: sql<string>`coalesce(${t.sn}, '')`,
  /** The same as `placeOf`. */
  place: sql<string>`concat_ws(' ', ${sql.join(
    [t.building, t.floor, t.room].map((part) => sql`case when not ${t.place} ~ ${byItself(part)} then ${part} end`),
    sql`, `,
  )}, nullif(${t.place}, ''))`,
  name: m.name,
  spec: m.spec,
  qty: m.qty,
  price: m.price,
  amount: m.amount,
  storno_of: m.storno_of,
  is_void: sql<boolean>`exists (select from order_material s where s.storno_of = ${m.id})`,
  who: sql<string>`(select alias from app_user where id = ${m.user_id})`,
  gmt_created: m.gmt_created,
};
export const ledgerRows = (tx: Db) => tx.select(ledger).from(m).leftJoin(t, eq(t.id, m.order_id));

export async function detail({ tx, user, now }: Reading, id: number) {
  const viewer = await orders.viewerOf(tx, user);
  const row = await orders.requireVisible(tx, viewer, id);
  const known = (await orders.approvals(tx, viewer, [row])).get(id);
  const names = await namesOf(tx, user, [row]);
  const one = shown({ user, now }, row, known?.actions ?? [], names);
  const category = await categoryOf(tx, row.category_id);
  const merged = await tx.select().from(t).where(eq(t.merged_into, id)).orderBy(asc(t.id)).limit(20);
  const [into] =
    row.merged_into === null ? [] : await tx.select({ id: t.id, sn: t.sn }).from(t).where(eq(t.id, row.merged_into));
  const beside = [...merged, ...(into ? [into] : [])].map((other) => other.id);
  const theirs = and(isAmong(t.id, beside), orders.visible(tx, viewer));
  const seen = new Set(
    beside.length > 0 ? (await tx.select({ id: t.id }).from(t).where(theirs)).map((other) => other.id) : [],
  );
  const files = await fileCards(
    tx,
    [...row.photos, ...row.result_photos, ...merged.flatMap((other) => other.photos)],
    user,
  );
  const cards = (ids: readonly number[]) => ids.flatMap((file) => files.get(file) ?? []);
  const materials = await ledgerRows(tx).where(eq(m.order_id, id)).orderBy(asc(m.id)).limit(500);
  const events = await tx.select().from(e).where(eq(e.order_id, id)).orderBy(desc(e.id)).limit(200);
  const comments = await tx
    .select()
    .from(orderCommentTable)
    .where(eq(orderCommentTable.order_id, id))
    .orderBy(asc(orderCommentTable.id));
  const asks =
    row.stage >= orderStage.assigned && row.stage <= orderStage.finished && row.ticket_id !== null
      ? await handlersOf(tx, row.ticket_id)
      : [];
  const people = await peopleById(tx, [...events.flatMap((event) => event.user_id ?? []), ...asks]);
  const [asset] =
    row.asset_id === null
      ? []
      : await tx
          .select({ name: orderAssetTable.name })
          .from(orderAssetTable)
          .where(eq(orderAssetTable.id, row.asset_id));
  const works =
    isDesk(user, row) ||
    isReporter(user, row) ||
    row.creator_id === user.id ||
    asks.includes(user.id) ||
    row.handler_id === user.id;
  const earlier = row.room
    ? await tx
        .select({ id: t.id, sn: t.sn, title: t.title, gmt_created: t.gmt_created })
        .from(t)
        .where(and(eq(t.building, row.building), eq(t.room, row.room), ne(t.id, id), orders.visible(tx, viewer)))
        .orderBy(desc(t.gmt_created))
        .limit(5)
    : [];
  return {
    ...row,
    ...one,
    place: row.place,
    phone:
      row.phone_sealed === '' || names.unnamed.has(id)
        ? ''
        : works
          ? tx.services.secretBox.open(row.phone_sealed)
          : `尾号 ${row.phone_tail}`,
    asset_name: asset?.name ?? '',
    office_phone: await officePhone(tx, row.team_id),
    photo_files: cards(row.photos),
    result_files: cards(row.result_photos),
    fee_limit: category.fee_limit,
    photo_required: category.photo_required,
    merged_into: into ? { ...into, seen: seen.has(into.id) } : null,
    merged: merged.map((other) => ({
      id: other.id,
      sn: other.sn,
      seen: seen.has(other.id),
      title: other.title,
      description: other.description,
      photo_files: cards(other.photos),
    })),
    earlier,
    materials,
    materials_sum: materials.reduce((sum, line) => sum + Math.round(line.amount * 100), 0) / 100,
    comments,
    events: events.map(({ by_visitor, user_id, ...event }) => ({
      ...event,
      who: by_visitor ? '来访人' : (people.get(user_id ?? 0)?.alias ?? '系统'),
    })),
    handlers: asks.flatMap((one) => people.get(one) ?? []),
  };
}

/** The counts of the lists, each by its list's condition. */
export async function counts({ tx, user }: Reading) {
  const viewer = await orders.viewerOf(tx, user);
  const seen = orders.visible(tx, viewer);
  const n = (where: SQL | undefined) => sql`(count(*) filter (where ${where ?? sql`true`}))::int`;
  const rows = await namedRows<
    Record<'state' | 'stage' | 'count' | 'mine' | 'all' | 'duty' | 'overdue' | 'today', number>
  >(
    tx,
    sql`select ${t.state}, ${t.stage}, count(*)::int count, ${n(inCategory(tx, viewer, 'all'))} "all", ${n(inCategory(tx, viewer, 'owner'))} mine,
      ${n(inCategory(tx, viewer, 'duty'))} duty, ${n(isLate)} overdue, ${n(sql`${t.gmt_created} >= ${dayOf(houseNow())}`)} today
    from ${t} where ${seen} and (${t.stage} between ${inSql(orderStage.reported)} and ${inSql(orderStage.finished)} or ${t.gmt_created} > now() - interval '1 year' or ${t.act_state} in (${inSql(actState.draft, actState.returned, actState.withdrawn)})) group by 1, 2`,
  );
  const sum = (key: 'mine' | 'all' | 'duty' | 'overdue' | 'today') => rows.reduce((total, row) => total + row[key], 0);
  const by = (key: 'state' | 'stage') =>
    rows.reduce<Record<string, number>>(
      (sums, row) => ({ ...sums, [row[key]]: (sums[row[key]] ?? 0) + row.count }),
      {},
    );
  return {
    all: sum('all'),
    mine: sum('mine'),
    duty: sum('duty'),
    overdue: sum('overdue'),
    today: sum('today'),
    by_state: by('state'),
    by_stage: by('stage'),
  };
}

/** Open orders of the same place and category: all are counted, those the user sees are named. */
export async function similar({ query }: { query: QueryOf<typeof calls.similar> }, { tx, user }: Reading) {
  const { building, floor, room, category_id, id, phone } = query;
  const where = and(
    sql`${t.stage} between ${inSql(orderStage.reported)} and ${inSql(orderStage.hung)}`,
    eq(t.building, building),
    room ? eq(t.room, room) : eq(t.floor, floor),
    is(t.category_id, category_id),
    id === undefined ? undefined : ne(t.id, id),
    eq(t.is_deleted, false),
  );
  const asked = building !== '' && (room !== '' || floor !== '');
  const { id: at, sn, title, place, stage, gmt_created } = t;
  const value = asked
    ? await tx
        .select({ id: at, sn, title, place, stage, gmt_created })
        .from(t)
        .where(and(where, orders.visible(tx, await orders.viewerOf(tx, user))))
        .orderBy(desc(gmt_created))
        .limit(10)
    : [];
  return {
    count: asked ? await tx.$count(t, where) : 0,
    value,
    caller: phone && holds(user, 'Create', 'order/register') ? await callerOf(tx, phone) : null,
  };
}
/** The caller with a number, and the place of their last fault. */
async function callerOf(tx: Db, phone: string) {
  const [last] = await tx
    .select()
    .from(t)
    .where(eq(t.phone_mark, tx.services.secretBox.keyedHash(telephoneOf(phone))))
    .orderBy(desc(t.gmt_created))
    .limit(1);
  if (!last) return null;
  const { building, floor, room, place, category_id, contact, reporter_id } = last;
  const person = reporter_id === null ? undefined : (await peopleById(tx, [reporter_id])).get(reporter_id);
  return { id: reporter_id, name: person?.alias ?? contact, category_id, building, floor, room, place };
}
