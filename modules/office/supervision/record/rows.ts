import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { itemState, subState } from '../contract/codes.ts';
import type { ItemDetail, ItemRow } from '../contract/shapes.ts';
import type { items } from '../contract/supervise.ts';
import { planTable, subTable, superviseTable } from '../tables.ts';
import { itemColumns, itemLight, itemLitAs, lastReport, named, urgesOf } from './columns.ts';
import { clockOf, expectedAt } from './lights.ts';
import { itemActions, partOf } from './rights.ts';
import { subsOf } from './sub-rows.ts';
import { didSome, hasOwnSub, inside as insideOf, saying, visible, type Asker } from './visibility.ts';

const t = superviseTable;
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
  const same = (['source', 'level', 'lead_dept', 'status'] as const)
    .filter((key) => asked[key] !== undefined)
    .map((key) => eq(t[key], asked[key]!));
  // Fields that only insiders see can only be filtered by insiders.
  const known = (['owner', 'supervisor', 'leader', 'source_module', 'source_id'] as const)
    .filter((key) => asked[key] !== undefined)
    .map((key) => and(eq(t[key], asked[key]!), insideOf(asker)));
  return and(
    visible(asker),
    saying(asker, asked.search_value),
    category && categories[category],
    ...same,
    ...known,
    due_from ? sql`${t.due_at} >= ${due_from}::date` : undefined,
    due_to ? sql`${t.due_at} < ${due_to}::date + 1` : undefined,
    asked.overdue ? itemLitAs(4) : undefined,
    asked.public === undefined ? undefined : eq(t.is_public, asked.public as boolean),
  );
}

const selectItems = (tx: Db, asker: Asker) =>
  tx
    .select({
      ...itemColumns,
      light: itemLight.as('light'),
      inside: sql<boolean>`${insideOf(asker)}`.as('inside'),
      did: sql<boolean>`${didSome(asker)}`.as('did'),
      urges: urgesOf(sql`h.supervise_id = supervise.id`).as('urges'),
      last_report: lastReport(sql`p.supervise_id = supervise.id`).as('last_report'),
      counts: sql<
        [number, number, string | null]
      >`(select json_build_array(count(*) filter (where s.status <> ${inSql(subState.cancelled)}), count(*) filter (where s.status = ${inSql(subState.finished)}),
        to_char(min(s.next_feedback) filter (where s.status in (${inSql(subState.issued, subState.running, subState.toCheck, subState.returned)})), 'YYYY-MM-DD HH24:MI:SS')) from supervise_sub s where s.supervise_id = supervise.id)`.as(
        'counts',
      ),
    })
    .from(t);
type SelectedItem = Awaited<ReturnType<typeof selectItems>>[number];

async function shownItems(tx: Db, asker: Asker, rows: readonly SelectedItem[], now: Date) {
  const [clock, full] = await Promise.all([
    clockOf(tx),
    named(tx, rows, ['owner', 'leader', 'supervisor'], ['lead_dept']),
  ]);
  return full.map(({ counts: [subs_total, subs_done, next_feedback], inside, did, ...row }) => {
    const start = momentOf(row.start_date ? `${row.start_date} 00:00` : (row.issue_at ?? row.gmt_created));
    const plan = row.due_at
      ? { start, due: momentOf(row.due_at), progress: 0, stages: [], feedback: null, rested: null }
      : null;
    const open = row.status === itemState.running || row.status === itemState.applied;
    const common = {
      ...row,
      inside,
      expected: open && plan ? Math.round(expectedAt(plan, clock, now)) : 0,
      subs_total,
      subs_done,
      next_feedback,
      actions: itemActions(row, partOf(asker, row), clock, inside, did),
    };
    if (inside) return common;
    // A viewer who sees it only because it is public gets title, department, due time, light and accepted percent.
    const nobody = {
      owner_info: null,
      leader_info: null,
      supervisor_info: null,
      owner: null,
      leader: null,
      supervisor: null,
      creator_id: null,
      finish_by: null,
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
  const filtered = and(where, asked.light === undefined ? undefined : itemLitAs(asked.light));
  const by = { id: t.id, due_at: t.due_at, progress: t.progress, light: itemLight };
  const page = pageOf(tx, asked, selectItems(tx, asker).where(filtered).$dynamic(), {
    by,
    first: 'id',
    descending: true,
    tie: t.id,
  });
  const lit = tx
    .select({ light: itemLight, count: sql<number>`count(*)::int` })
    .from(t)
    .where(and(where, sql`${t.status} in (${inSql(itemState.running, itemState.applied)})`))
    .groupBy(sql`1`);
  const [found, counted] = await Promise.all([page, asked.export ? [] : lit]);
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
  return { ...found, value, lights: Object.fromEntries(counted.map((row) => [row.light, row.count])) };
}

/** The fields of an item's page. */
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
  const part = partOf(asker, item);
  const unopened =
    item.status === itemState.running && (part.supervises || part.leads)
      ? (
          await tx.execute<{
            id: number;
          }>(sql`select distinct who id from supervise_sub s, unnest(s.co_users || s.owner) who
          where s.supervise_id = ${id} and s.status in (${inSql(subState.issued, subState.running, subState.toCheck, subState.returned)}) and not exists (
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
