import { and, asc, desc, eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { fileCards } from '#modules/files/service.ts';
import { deptNamesById, peopleById, type PersonCard } from '#modules/people/service.ts';
import { leadersLevel, subState } from '../contract/codes.ts';
import type { SuperviseRules } from '../contract/rules.ts';
import type { ItemDetail, ItemRow, SubRow } from '../contract/shapes.ts';
import type { items, subs } from '../contract/supervise.ts';
import { planTable, progressTable, requestTable, stageTable, subTable, superviseTable } from '../tables.ts';
import { clockOf, expectedAt, lightOf } from './lights.ts';
import { itemActions, partOf, subActions } from './rights.ts';
import {
  hasOwnSub,
  insideSub,
  ownSub,
  visible,
  visibleSub,
  whole,
  type Asker,
  type Item,
  type Sub,
} from './visibility.ts';

const t = superviseTable;
const { search: _search, ...itemColumns } = getTableColumns(t);
export { itemColumns };
export const itemLight = lightOf(t, [0, 3, 4]);
export const subLight = lightOf(subTable, [subState.finished, subState.cancelled]);
/** Parts that somebody has to do something about. */
export const openSub = sql`(${t.status} = 1 and ${subTable.status} in (0, 1, 2, 4))`;

/** Adds cards of people and names of departments to rows that say their ids: two statements however many there are. */
export async function named<Row extends object, P extends keyof Row & string, D extends keyof Row & string = never>(
  tx: Db,
  rows: readonly Row[],
  people: readonly P[],
  depts: readonly D[] = [],
) {
  const idsOf = (keys: readonly (keyof Row)[]) =>
    rows.flatMap((row) =>
      keys.flatMap((key) => [row[key] as number | number[] | null].flat()).filter((id) => id !== null),
    );
  const cards = await peopleById(tx, idsOf(people));
  const names = await deptNamesById(tx, idsOf(depts));
  const cardOf = (of: unknown) =>
    Array.isArray(of) ? of.flatMap((id: number) => cards.get(id) ?? []) : (cards.get(of as number) ?? null);
  const nameOf = (of: unknown) =>
    Array.isArray(of) ? of.flatMap((id: number) => names.get(id) ?? []) : (names.get(of as number) ?? '');
  type Card<V> = V extends number[] ? PersonCard[] : PersonCard | null;
  type Name<V> = V extends number[] ? string[] : string;
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(people.map((key) => [`${key}_info`, cardOf(row[key])])),
    ...Object.fromEntries(depts.map((key) => [`${key}_name`, nameOf(row[key])])),
  })) as (Row & { [K in P as `${K}_info`]: Card<Row[K]> } & { [K in D as `${K}_name`]: Name<Row[K]> })[];
}

const urgesOf = (of: SQL) => sql<
  number[]
>`(select array[count(*) filter (where colour = 1), count(*) filter (where colour = 2),
  count(*) filter (where colour = 3)]::int[] from supervise_sheet h where ${of})`;
const lastReport = (of: SQL) =>
  sql<
    string | null
  >`(select to_char(max(p.gmt_created), 'YYYY-MM-DD HH24:MI:SS') from supervise_progress p where ${of})`;

type ItemsAsked = QueryOf<typeof items.list>;
function filtersOf(asker: Asker, asked: ItemsAsked): SQL | undefined {
  const { category, due_from, due_to } = asked;
  const categories: Record<string, SQL | undefined> = {
    mine: eq(t.creator_id, asker.user.id),
    supervise: isAmong(t.supervisor, asker.ids),
    owner: sql`(${isAmong(t.owner, asker.ids)} or ${hasOwnSub(asker)})`,
    leader: isAmong(t.leader, asker.ids),
    dept: isAmong(t.lead_dept, asker.depts),
    public: sql`${t.is_public}`,
  };
  const same = (
    ['source', 'level', 'lead_dept', 'owner', 'supervisor', 'leader', 'source_module', 'source_id', 'status'] as const
  )
    .filter((key) => asked[key] !== undefined)
    .map((key) => eq(t[key], asked[key]!));
  return and(
    visible(asker),
    matches(t.search, asked.search_value),
    category && categories[category],
    ...same,
    due_from ? sql`${t.due_at} >= ${due_from}::date` : undefined,
    due_to ? sql`${t.due_at} < ${due_to}::date + 1` : undefined,
    asked.overdue ? sql`${itemLight} = 4` : undefined,
    asked.public === undefined ? undefined : eq(t.is_public, asked.public as boolean),
  );
}

const selectItems = (tx: Db, asker: Asker) =>
  tx
    .select({
      ...itemColumns,
      light: itemLight.as('light'),
      inside: sql<boolean>`(${whole(asker)} or ${hasOwnSub(asker)})`.as('inside'),
      owned: sql<boolean>`${hasOwnSub({ ...asker, depts: [] })}`.as('owned'),
      urges: urgesOf(sql`h.supervise_id = supervise.id`).as('urges'),
      last_report: lastReport(sql`p.supervise_id = supervise.id`).as('last_report'),
      counts: sql<
        [number, number, string | null]
      >`(select json_build_array(count(*) filter (where s.status <> 5), count(*) filter (where s.status = 3),
        to_char(min(s.next_feedback) filter (where s.status in (0, 1, 2, 4)), 'YYYY-MM-DD HH24:MI:SS')) from supervise_sub s where s.supervise_id = supervise.id)`.as(
        'counts',
      ),
    })
    .from(t);
type SelectedItem = Awaited<ReturnType<typeof selectItems>>[number];

async function shownItems(tx: Db, asker: Asker, rows: readonly SelectedItem[], now: Date) {
  const clock = await clockOf(tx);
  const full = await named(tx, rows, ['owner', 'leader', 'supervisor'], ['lead_dept']);
  return full.map(({ counts: [subs_total, subs_done, next_feedback], inside, owned, ...row }) => {
    const start = momentOf(row.start_date ? `${row.start_date} 00:00` : (row.issue_at ?? row.gmt_created));
    const plan = row.due_at
      ? { start, due: momentOf(row.due_at), progress: 0, stages: [], feedback: null, rested: null }
      : null;
    const open = row.status === 1 || row.status === 2;
    const common = {
      ...row,
      inside,
      expected: open && plan ? Math.round(expectedAt(plan, clock, now)) : 0,
      subs_total,
      subs_done,
      next_feedback,
      actions: itemActions(row, partOf(asker, row), clock, inside, owned),
    };
    if (inside) return common;
    // Whoever sees it because it is public sees its title, department, term, light and accepted percent.
    const nobody = {
      owner_info: null,
      leader_info: null,
      supervisor_info: null,
      owner: null,
      content: '',
      requirement: '',
    };
    return {
      ...common,
      ...nobody,
      source_module: null,
      source_id: null,
      source_key: '',
      urges: [],
      last_report: null,
      score: null,
      next_feedback: null,
      finish_note: '',
      attachments: [],
    };
  });
}

export async function listItems(tx: Db, asker: Asker, asked: ItemsAsked, now: Date) {
  const where = filtersOf(asker, asked);
  const filtered = and(where, asked.light === undefined ? undefined : eq(itemLight, asked.light));
  const by = { id: t.id, due_at: t.due_at, progress: t.progress, light: itemLight };
  const found = await pageOf(tx, asked, selectItems(tx, asker).where(filtered).$dynamic(), {
    by,
    first: 'id',
    descending: true,
    tie: t.id,
  });
  const value: ItemRow[] = await shownItems(tx, asker, found.value as SelectedItem[], now);
  if (asked.with_subs) {
    const below = await subsOf(
      tx,
      asker,
      isAmong(
        subTable.supervise_id,
        value.map((row) => row.id),
      ),
      now,
    );
    for (const row of value) row.subs = below.filter((sub) => sub.supervise_id === row.id);
  }
  if (asked.export) return { ...found, value };
  const counted = await tx
    .select({ light: itemLight, count: sql<number>`count(*)::int` })
    .from(t)
    .where(and(where, sql`${t.status} in (1, 2)`))
    .groupBy(sql`1`);
  return { ...found, value, lights: Object.fromEntries(counted.map((row) => [row.light, row.count])) };
}

const selectSubs = (tx: Db, asker: Asker) =>
  tx
    .select({
      sub: subTable,
      item: itemColumns,
      light: subLight.as('light'),
      inside: sql<boolean>`${insideSub(asker)}`.as('inside'),
      urges: urgesOf(sql`h.sub_id = supervise_sub.id`).as('urges'),
      last_report: lastReport(sql`p.sub_id = supervise_sub.id`).as('last_report'),
    })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id));
type SelectedSub = Awaited<ReturnType<typeof selectSubs>>[number];

export const planOf = (sub: Sub, item: Item, stages: readonly { day: string; weight: number }[]) => ({
  start: momentOf(
    sub.issued_at && item.start_date && item.start_date > sub.issued_at
      ? `${item.start_date} 00:00`
      : (sub.issued_at ?? sub.gmt_created),
  ),
  due: momentOf(sub.due_at),
  progress: Math.max(sub.progress, sub.reported),
  stages,
  feedback: sub.next_feedback ? momentOf(sub.next_feedback) : null,
  rested: sub.rested_at ? momentOf(sub.rested_at) : null,
});

export const stagesOf = (tx: Db, subIds: readonly number[]) =>
  tx.select().from(stageTable).where(isAmong(stageTable.sub_id, subIds)).orderBy(asc(stageTable.no));

async function shownSubs(tx: Db, asker: Asker, rows: readonly SelectedSub[], now: Date): Promise<SubRow[]> {
  const clock = await clockOf(tx);
  const stages = Map.groupBy(
    await stagesOf(
      tx,
      rows.map(({ sub }) => sub.id),
    ),
    (one) => one.sub_id,
  );
  const people = await named(
    tx,
    rows.map(({ sub }) => sub),
    ['owner', 'co_users'],
    ['dept'],
  );
  return rows.map(({ item, sub, inside, ...row }, at) => {
    const own = stages.get(sub.id) ?? [];
    const { co_users_info: co_info, ...shown } = people[at]!;
    const open = sub.issued_at !== null && ![subState.finished, subState.cancelled].includes(sub.status as 3);
    const common = {
      ...shown,
      ...row,
      co_info,
      inside,
      supervise_title: item.title,
      supervise_sn: item.sn,
      level: item.level,
      expected: open ? Math.round(expectedAt(planOf(sub, item, own), clock, now)) : 0,
      stages: own,
      actions: subActions(item, sub, asker, partOf(asker, item)),
    };
    if (inside) return common;
    return {
      ...common,
      owner_info: null,
      owner: null,
      co_info: [],
      co_users: [],
      content: '',
      stages: [],
      urges: [],
      last_report: null,
      next_feedback: null,
      opened_at: null,
    };
  });
}

export async function subsOf(tx: Db, asker: Asker, where: SQL, now: Date): Promise<SubRow[]> {
  const rows = await selectSubs(tx, asker)
    .where(and(where, visibleSub(asker)))
    .orderBy(asc(subTable.id));
  return shownSubs(tx, asker, rows, now);
}

/** Mine: I own it or work on it, by myself or in somebody's place. */
export const mineSub = ({ ids }: Asker): SQL =>
  sql`(${t.status} > 0 and (${isAmong(subTable.owner, ids)} or ${subTable.co_users} && ${sql.param([...ids])}::int[]))`;
export const unopenedSub = (asker: Asker): SQL =>
  sql`(${t.status} = 1 and ${subTable.status} = 0 and ${ownSub({ ...asker, depts: asker.heads })})`;
/** A report waits for its check; of what the person supervises or leads. */
export const checkable = (
  asker: Asker,
): SQL => sql`(${superviseBy(asker)} and not ${mineSub(asker)} and not ${isAmong(sql`coalesce(${t.owner}, 0)` as never, asker.ids)} and exists (
  select from ${progressTable} where ${progressTable.sub_id} = ${subTable.id} and ${progressTable.check_state} = 0))`;
/** Items somebody was named to supervise, or whose leader they are. */
export const superviseBy = ({ ids }: Asker): SQL =>
  sql`(${t.status} in (1, 2) and (${isAmong(t.supervisor, ids)} or ${isAmong(t.leader, ids)}))`;

export async function listSubs(
  tx: Db,
  asker: Asker,
  asked: Partial<QueryOf<typeof subs.list>> & Pick<QueryOf<typeof subs.list>, 'page' | 'per_page' | 'search_value'>,
  now: Date,
) {
  const where = and(
    visibleSub(asker),
    matches(t.search, asked.search_value),
    asked.status === undefined ? undefined : eq(subTable.status, asked.status),
    asked.light === undefined ? undefined : eq(subLight, asked.light),
    asked.supervise_id ? eq(subTable.supervise_id, asked.supervise_id) : undefined,
    asked.dept ? eq(subTable.dept, asked.dept) : undefined,
    asked.mine ? mineSub(asker) : undefined,
    asked.unopen ? unopenedSub(asker) : undefined,
    asked.to_check ? checkable(asker) : undefined,
  );
  const by = {
    id: subTable.id,
    due_at: subTable.due_at,
    progress: subTable.progress,
    urgent: sql`(5 - ${subLight}, ${subTable.due_at})`,
  };
  const found = await pageOf(tx, asked, selectSubs(tx, asker).where(where).$dynamic(), {
    by,
    first: 'id',
    descending: true,
    tie: subTable.id,
  });
  return { ...found, value: await shownSubs(tx, asker, found.value as SelectedSub[], now) };
}

/** All that the page of an item shows. */
export async function itemDetail(tx: Db, asker: Asker, id: number, now: Date): Promise<ItemDetail> {
  const rows = await selectItems(tx, asker).where(and(eq(t.id, id), visible(asker)));
  const inside = rows[0]!.inside;
  const [row] = await named(tx, await shownItems(tx, asker, rows, now), ['creator_id', 'finish_by'], ['co_depts']);
  const { creator_id_info: creator_info, finish_by_info: finish_info, co_depts_name: co_dept_names, ...item } = row!;
  const below = await subsOf(tx, asker, eq(subTable.supervise_id, id), now);
  const known = new Set(below.flatMap((sub) => (sub.inside ? sub.id : [])));
  const plans = inside
    ? await tx.select().from(planTable).where(eq(planTable.supervise_id, id)).orderBy(desc(planTable.id))
    : [];
  const part = partOf(asker, item as unknown as Item);
  const unopened =
    item.status === 1 && (part.supervises || part.leads)
      ? (
          await tx.execute<{
            id: number;
          }>(sql`select distinct who id from supervise_sub s, unnest(s.co_users || s.owner) who
          where s.supervise_id = ${id} and s.status in (0, 1, 2, 4) and not exists (
            select from supervise_seen n where n.supervise_id = ${id} and n.user_id = who)`)
        ).rows
      : [];
  const cards = await fileCards(tx, item.attachments, asker.user);
  return {
    ...item,
    creator_info,
    finish_info,
    co_dept_names,
    files: item.attachments.flatMap((file) => cards.get(file) ?? []),
    subs: below,
    plans: await named(
      tx,
      plans.filter((plan) => plan.sub_id === null || known.has(plan.sub_id)),
      ['by'],
    ),
    unopened: [
      ...(
        await peopleById(
          tx,
          unopened.map((one) => one.id),
        )
      ).values(),
    ],
  };
}

/** How many of what waits for somebody there are. */
export async function countSubs(tx: Db, asker: Asker) {
  const mine = mineSub(asker);
  const n = (where: SQL) => sql<number>`(count(*) filter (where ${where}))::int`;
  const [counted] = await tx
    .select({
      all: sql<number>`count(*)::int`,
      unopen: n(sql`${t.status} = 1 and ${subTable.status} = 0`),
      doing: n(sql`${t.status} = 1 and ${subTable.status} in (1, 4)`),
      finished: n(eq(subTable.status, subState.finished)),
      overdue: n(and(openSub, eq(subLight, 4))!),
      near_due: n(and(openSub, eq(subLight, 2))!),
      mine: n(openSub),
    })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(mine);
  const { rows } = await tx.execute<{
    to_check: number;
    to_check_late: number;
    requests: number;
    sheets_unread: number;
  }>(sql`select
    (select count(*)::int from ${subTable} join ${t} on ${t.id} = ${subTable.supervise_id} where ${checkable(asker)}) to_check,
    (select count(*)::int from ${progressTable} join ${subTable} on ${subTable.id} = ${progressTable.sub_id} join ${t} on ${t.id} = ${subTable.supervise_id}
      where ${progressTable.check_state} = 0 and ${progressTable.check_due} < now() and ${superviseBy(asker)}) to_check_late,
    (select count(*)::int from ${requestTable} join ${t} on ${t.id} = ${requestTable.supervise_id} where ${requestTable.state} = 1 and ${decidableBy(asker, await clockOf(tx))}) requests,
    (select count(*)::int from supervise_sheet h where h.received_at is null and h.owner = any(${sql.param([...asker.ids])}::int[])) sheets_unread`);
  return { ...counted!, ...rows[0]! };
}
/** Requests that somebody was named to decide: as supervisor or leader; more time for what is urgent, as its leader. */
export const decidableBy = (
  asker: Asker,
  rule: SuperviseRules,
): SQL => sql`(${superviseBy(asker)} and not ${isAmong(requestTable.by, asker.ids)}
  and (${requestTable.kind} <> 1 or ${t.level} < ${leadersLevel} or ${t.leader} is null or not ${rule.level3_leader} or ${isAmong(t.leader, asker.ids)}))`;
