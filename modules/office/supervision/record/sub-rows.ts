// Parts in lists and pages, and the parts that wait for a person.
import { and, asc, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import type { QueryOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { containsWords } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import {
  checkState,
  itemState,
  leadersLevel,
  type Outcome,
  requestKind,
  sheetColour,
  subState,
} from '../contract/codes.ts';
import { superviseRules, type SuperviseRules } from '../contract/rules.ts';
import type { SubRow } from '../contract/shapes.ts';
import type { subs } from '../contract/supervise.ts';
import { progressTable, requestTable, sheetTable, stageTable, subTable, superviseTable } from '../tables.ts';
import { itemColumns, lastReport, named, openSub, runningSub, subLight, subLitAs, urgesOf } from './columns.ts';
import { clockOf, expectedAt } from './lights.ts';
import { partOf, subActions } from './rights.ts';
import { insideSub, ownSub, saying, visibleSub, type Asker, type Item, type Sub } from './visibility.ts';

const t = superviseTable;
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
  const [clock, found, people] = await Promise.all([
    clockOf(tx),
    stagesOf(
      tx,
      rows.map(({ sub }) => sub.id),
    ),
    named(
      tx,
      rows.map(({ sub }) => sub),
      ['owner', 'co_users'],
      ['dept'],
    ),
  ]);
  const stages = Map.groupBy(found, (one) => one.sub_id);
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

const counted = sql`(${subTable.issued_at} is not null and ${subTable.status} <> ${inSql(subState.cancelled)})`;
/** The outcomes of parts that statistics, the bulletin and their lists count. */
export const cameOut: Readonly<Record<Outcome, SQL>> = {
  count: counted,
  done: sql`(${counted} and ${subTable.status} = ${inSql(subState.finished)})`,
  on_time: sql`(${counted} and ${subTable.status} = ${inSql(subState.finished)} and ${subTable.done_at} <= ${subTable.due_at})`,
  late: sql`(${counted} and (${subLitAs(4)} and ${runningSub} or ${subTable.done_at} > ${subTable.due_at}))`,
};

/** Condition: I own the part or help with it, myself or in somebody's place. */
export const mineSub = ({ ids }: Pick<Asker, 'ids'>): SQL =>
  sql`(${t.status} > ${inSql(itemState.draft)} and (${isAmong(subTable.owner, ids)} or ${subTable.co_users} && ${sql.param([...ids])}::int[]))`;
/** The condition that a part's owner has something to do about it now. */
export const todoSub = sql`(${openSub} and ${subTable.status} <> ${inSql(subState.toCheck)} and ${subTable.issued_at} is not null)`;
export const unopenedSub = (asker: Asker): SQL =>
  sql`(${t.status} = ${inSql(itemState.running)} and ${subTable.status} = ${inSql(subState.issued)} and ${ownSub({ ...asker, depts: asker.heads })})`;
/** Condition: the part is not the person's own work or responsibility, which nobody may check themselves. */
const ofOthers = (asker: Pick<Asker, 'ids'>): SQL =>
  sql`(not ${mineSub(asker)} and not ${isAmong(sql`coalesce(${t.owner}, 0)`, asker.ids)})`;
/** Condition: a report waits for its check, on an item the person supervises or leads. */
export const checkable = (
  asker: Pick<Asker, 'ids'>,
): SQL => sql`(${superviseBy(asker)} and ${ofOthers(asker)} and exists (
  select from ${progressTable} where ${progressTable.sub_id} = ${subTable.id} and ${progressTable.check_state} = ${inSql(checkState.waiting)}))`;
/** Condition: the person supervises the item, or is its leader. */
export const superviseBy = ({ ids }: Pick<Asker, 'ids'>): SQL =>
  sql`(${t.status} in (${inSql(itemState.running, itemState.applied)}) and (${isAmong(t.supervisor, ids)} or ${isAmong(t.leader, ids)}))`;

/** Parts that match the words by their own title and owner, by their item's title and number, or by the item's text and people. */
const showingOrSaying = (asker: Asker, words: string): SQL | undefined =>
  saysOrShows(
    words,
    (word) =>
      or(saying(asker, word), containsWords(sql`${subTable.title} || ' ' || ${t.title} || ' ' || ${t.sn}`, word)),
    (ids) => and(insideSub(asker), sql`${subTable.owner} in ${ids}`),
  );

export async function listSubs(
  tx: Db,
  asker: Asker,
  asked: Partial<QueryOf<typeof subs.list>> & Pick<QueryOf<typeof subs.list>, 'page' | 'per_page' | 'search_value'>,
  now: Date,
) {
  const where = and(
    visibleSub(asker),
    showingOrSaying(asker, asked.search_value),
    asked.status === undefined ? undefined : eq(subTable.status, asked.status),
    asked.supervise_id ? eq(subTable.supervise_id, asked.supervise_id) : undefined,
    asked.dept ? eq(subTable.dept, asked.dept) : undefined,
    asked.due_from ? sql`${subTable.due_at} >= ${asked.due_from}::date` : undefined,
    asked.due_to ? sql`${subTable.due_at} < ${asked.due_to}::date + 1` : undefined,
    asked.outcome && cameOut[asked.outcome],
    asked.mine ? mineSub(asker) : undefined,
    asked.todo ? todoSub : undefined,
    asked.unopen ? unopenedSub(asker) : undefined,
    asked.to_check ? checkable(asker) : undefined,
  );
  const lightIs = asked.light === undefined ? undefined : subLitAs(asked.light);
  const by = {
    id: subTable.id,
    due_at: subTable.due_at,
    progress: subTable.progress,
    urgent: sql`(5 - ${subLight}, ${subTable.due_at})`,
  };
  const page = pageOf(tx, asked, selectSubs(tx, asker).where(and(where, lightIs)).$dynamic(), {
    by,
    first: 'id',
    descending: true,
    tie: subTable.id,
  });
  const lit = tx
    .select({ light: subLight, count: sql<number>`count(*)::int` })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(and(where, runningSub, sql`${subTable.issued_at} is not null`))
    .groupBy(sql`1`);
  // `countSubs` counts the user's own.
  const counts = !(asked.mine || asked.unopen);
  const [found, counted] = await Promise.all([page, counts ? lit : []]);
  const value = await shownSubs(tx, asker, found.value as SelectedSub[], now);
  const lights = Object.fromEntries(counted.map((row) => [row.light, row.count]));
  return counts ? { ...found, value, lights } : { ...found, value };
}

/** The numbers of rows that wait for the user. */
export async function countSubs(tx: Db, asker: Asker) {
  const mine = mineSub(asker);
  const n = (where: SQL) => sql<number>`(count(*) filter (where ${where}))::int`;
  const rule = await tx.services.settings.of(superviseRules);
  const own = tx
    .select({
      all: sql<number>`count(*)::int`,
      unopen: n(sql`${t.status} = ${inSql(itemState.running)} and ${subTable.status} = ${inSql(subState.issued)}`),
      doing: n(
        sql`${t.status} = ${inSql(itemState.running)} and ${subTable.status} in (${inSql(subState.running, subState.returned)})`,
      ),
      finished: n(eq(subTable.status, subState.finished)),
      overdue: n(and(runningSub, subLitAs(4))!),
      behind: n(and(runningSub, subLitAs(3))!),
      near_due: n(and(runningSub, subLitAs(2))!),
      mine: n(openSub),
    })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(mine);
  const others = tx.execute<{
    to_check: number;
    to_check_late: number;
    requests: number;
    sheets_unread: number;
  }>(sql`select checks.*,
    (select count(*)::int from ${requestTable} join ${t} on ${t.id} = ${requestTable.supervise_id} where ${isOpenRequest} and ${decidableBy(asker, rule)}) requests,
    (select count(*)::int from ${sheetTable} join ${subTable} on ${subTable.id} = ${sheetTable.sub_id} join ${t} on ${t.id} = ${subTable.supervise_id}
      where ${sheetTable.received_at} is null and ${receivedBy(asker)} and ${insideSub(asker)}) sheets_unread
    from (select (count(*) filter (where ${ofOthers(asker)}))::int to_check, (count(*) filter (where ${progressTable.check_due} < now()))::int to_check_late
      from ${progressTable} join ${subTable} on ${subTable.id} = ${progressTable.sub_id} join ${t} on ${t.id} = ${subTable.supervise_id}
      where ${progressTable.check_state} = ${inSql(checkState.waiting)} and ${superviseBy(asker)}) checks`);
  const [[counted], { rows }] = await Promise.all([own, others]);
  return { ...counted!, ...rows[0]! };
}
/** Condition: the sheet was written to the person, or its part is theirs now, as owner or as head of the department. */
export const receivedBy = ({ ids, heads }: Asker): SQL =>
  sql`(${isAmong(sheetTable.owner, ids)} or ${isAmong(sheetTable.dept, heads)} or ${isAmong(subTable.owner, ids)} or ${isAmong(subTable.dept, heads)})`;
/** Condition: the sheet asks for an answer and has none, whether signed for or not. */
export const isUnanswered: SQL = sql`(${sheetTable.colour} <> ${inSql(sheetColour.white)} and ${sheetTable.answer} = '')`;
/** Condition: the request is undecided; a lapsed one may still be decided. */
export const isOpenRequest = isNull(requestTable.decided_at);
/** Condition: the person decides the request, as supervisor or leader; more time for an urgent item, only as its leader. */
export const decidableBy = (
  asker: Pick<Asker, 'ids'>,
  rule: SuperviseRules,
): SQL => sql`(${superviseBy(asker)} and not ${isAmong(requestTable.by, asker.ids)}
  and (${requestTable.kind} <> ${inSql(requestKind.extend)} or ${t.level} < ${leadersLevel} or ${t.leader} is null or not ${rule.level3_leader} or ${isAmong(t.leader, asker.ids)}))`;
