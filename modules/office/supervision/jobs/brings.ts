import { and, asc, desc, eq, gte, lt, sql } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { mostEntries, type Feeds } from '#modules/platform/feeds/service.ts';
import type { Card, LinkModule } from '#modules/platform/links/service.ts';
import { demandLeaders } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import type { Once, Waits } from '#modules/platform/waits/service.ts';
import { checkState, itemState, labelOf, lightMeanings, sheetColour } from '../contract/codes.ts';
import { notAllowed } from '../contract/refusals.ts';
import { superviseRules } from '../contract/rules.ts';
import { addressOf } from '../record/news.ts';
import { partOf, refuseBoth } from '../record/rights.ts';
import { itemColumns, runningSub, subLight } from '../record/columns.ts';
import { checkable, decidableBy, isOpenRequest, isUnanswered, mineSub, todoSub } from '../record/sub-rows.ts';
import {
  askerOf,
  idsOf,
  inside,
  requireItem,
  requireSub,
  saying,
  visible,
  type Asker,
  type Item,
} from '../record/visibility.ts';
import { handOn } from '../subs/change.ts';
import { planTable, progressTable, requestTable, sheetTable, subTable, superviseTable } from '../tables.ts';

const t = superviseTable;
const ofSubs = sql`from ${subTable} join ${t} on ${t.id} = ${subTable.supervise_id}`;
const titled = sql`case when ${subTable.title} = ${t.title} then ${t.title} else ${subTable.title} || '（' || ${t.title} || '）' end`;
const ofReports = sql`from ${progressTable} join ${subTable} on ${subTable.id} = ${progressTable.sub_id} join ${t} on ${t.id} = ${subTable.supervise_id}`;
const ofRequests = sql`from ${requestTable} join ${subTable} on ${subTable.id} = ${requestTable.sub_id} join ${t} on ${t.id} = ${subTable.supervise_id}`;
/** The link of the item; for items with two kinds of waiting rows, `about` names the kind. */
const linkOf = (row: { about: string | null }) => addressOf(Number(row.about?.split(' ')[0]));

const whoAsks = async (tx: Db, viewer: Viewer, once: Once) => ({
  ids: await once('supervision: who asks', () => idsOf(tx, viewer)),
});
/** Sheets that ask for an answer: those written to the person, and red ones not signed for, for the head of the department. */
const ofSheets = sql`from ${sheetTable} join ${subTable} on ${subTable.id} = ${sheetTable.sub_id} join ${t} on ${t.id} = ${subTable.supervise_id}`;
const asksAnswer = sql`${runningSub} and ${isUnanswered}`;
const redUnsigned = sql`${runningSub} and ${sheetTable.colour} = ${inSql(sheetColour.red)} and ${sheetTable.received_at} is null`;
/** Tones of the lights, by number. */
export const lightTones = ['success', 'success', 'processing', 'warning', 'error'] as const;
/** My parts and sheets to answer; and of items I supervise, reports to check and requests to decide. */
export const superviseWaits: Waits[] = [
  {
    key: 'supervise',
    page: 'supervise/task',
    path: '/supervise/task?tab=todo',
    title: '督办任务',
    mine: async (tx, viewer, once) =>
      sql`select ${subTable.id}, ${titled}, ${subTable.due_at}, ${t.id}::text, ${subTable.issued_at}, ${t.supervisor} ${ofSubs} where ${todoSub} and ${mineSub(await whoAsks(tx, viewer, once))}`,
    async lightsOf(tx, rows) {
      const ids = rows.map((row) => row.id);
      const lit = await tx.select({ id: subTable.id, light: subLight }).from(subTable).where(isAmong(subTable.id, ids));
      return new Map(
        lit.map(({ id, light }) => [id, { word: labelOf(lightMeanings, light), tone: lightTones[light]! }]),
      );
    },
    everybodys: async () =>
      sql`select who, ${subTable.due_at} ${ofSubs} cross join lateral unnest(${subTable.co_users} || ${subTable.owner}) who where ${todoSub}`,
    linkOf,
  },
  {
    key: 'supervise-check',
    page: 'supervise/list',
    path: '/supervise/list?tab=check',
    title: '待我审核的督办',
    async mine(tx, viewer, once) {
      const asker = await whoAsks(tx, viewer, once);
      const rule = await tx.services.settings.of(superviseRules);
      return sql`select ${progressTable.id}, '审核：' || ${titled}, ${progressTable.check_due}, ${t.id} || ' 1', ${progressTable.gmt_created}, ${subTable.owner} ${ofReports}
          where ${progressTable.check_state} = ${inSql(checkState.waiting)} and ${checkable(asker)}
        union all select ${requestTable.id}, '申请：' || ${titled}, ${subTable.due_at}, ${t.id} || ' 2', ${requestTable.gmt_created}, ${requestTable.by} ${ofRequests}
          where ${isOpenRequest} and ${decidableBy(asker, rule)}`;
    },
    everybodys:
      async () => sql`select ${t.supervisor}, ${progressTable.check_due} ${ofReports} where ${progressTable.check_state} = ${inSql(checkState.waiting)}
      union all select ${t.supervisor}, ${subTable.due_at} ${ofRequests} where ${isOpenRequest}`,
    linkOf,
  },
  {
    key: 'supervise-sheet',
    page: 'supervise/task',
    path: '/supervise/task?tab=sheet',
    title: '待签收、答复的督办单',
    async mine(tx, viewer, once) {
      const { ids } = await whoAsks(tx, viewer, once);
      const heads = sql`${subTable.dept} in (select dept_id from dept_person where user_id = any(${sql.param(ids)}::int[]) and part in ('leader', 'approver'))`;
      return sql`select ${sheetTable.id}, '督办单：' || ${titled}, ${sheetTable.answer_by}, ${t.id}::text, ${sheetTable.gmt_created}, ${sheetTable.issuer} ${ofSheets}
        where ${asksAnswer} and ${isAmong(subTable.owner, ids)} or ${redUnsigned} and ${heads}`;
    },
    everybodys: async () => sql`select ${subTable.owner}, ${sheetTable.answer_by} ${ofSheets} where ${asksAnswer}
      union all select p.user_id, ${sheetTable.answer_by} ${ofSheets} join lateral (select distinct user_id from dept_person
        where dept_id = ${subTable.dept} and part in ('leader', 'approver') and user_id <> ${subTable.owner}) p on true where ${redUnsigned}`,
    linkOf,
  },
];

/** Open parts and items of a person who leaves. */
const held = (tx: Db, person: number) =>
  tx
    .select({ id: subTable.id, title: t.sn, note: sql<string>`'责任人'`, at: subTable.due_at, item: t.id })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(and(runningSub, eq(subTable.owner, person)))
    .orderBy(asc(subTable.due_at));
const heldItems = (tx: Db, person: number, as: 'supervisor' | 'leader') =>
  tx
    .select({
      id: t.id,
      title: t.sn,
      note: sql<string>`${as === 'leader' ? '批示领导' : '督办人'}::text`,
      at: t.due_at,
    })
    .from(t)
    .where(
      and(
        sql`${t.status} in (${inSql(itemState.draft, itemState.running, itemState.applied)}) and not ${t.is_deleted}`,
        eq(t[as], person),
      ),
    )
    .orderBy(asc(t.id));
const mayHand = (asker: Asker, item: Item) => {
  if (!partOf(asker, item).supervises)
    throw notAllowed(`“${item.title}”`, itemState.label(item.status), '移交', '督办人');
};
export const superviseLeaves: Leaves[] = [
  {
    key: 'supervision',
    title: '督办任务',
    openOf: async (tx, person, limit) => heldOf(await held(tx, person), limit),
    handOver: async (tx, from, to, { user, now }, only) =>
      eachHanded(await held(tx, from.id), only, async (row) => {
        const asker = await askerOf(tx, user);
        const { item, sub } = await requireSub(tx, asker, row.id, true);
        mayHand(asker, item);
        await handOn({ tx, user, now, audit: () => undefined }, item, sub, to.id);
      }),
  },
  {
    key: 'supervision_items',
    title: '督办事项',
    openOf: async (tx, person, limit) => heldOf(await heldItems(tx, person, 'supervisor'), limit),
    handOver: async (tx, from, to, { user }, only) =>
      eachHanded(await heldItems(tx, from.id, 'supervisor'), only, async (row) => {
        const asker = await askerOf(tx, user);
        const { item } = await requireItem(tx, asker, row.id, true);
        mayHand(asker, item);
        refuseBoth({ ...item, supervisor: to.id }, await tx.services.settings.of(superviseRules));
        await tx.update(t).set({ supervisor: to.id }).where(eq(t.id, row.id));
      }),
  },
  {
    key: 'supervision_leaders',
    title: '督办批示',
    openOf: async (tx, person, limit) => heldOf(await heldItems(tx, person, 'leader'), limit),
    handOver: async (tx, from, to, { user }, only) =>
      eachHanded(await heldItems(tx, from.id, 'leader'), only, async (row) => {
        const asker = await askerOf(tx, user);
        const { item } = await requireItem(tx, asker, row.id, true);
        if (!partOf(asker, item).leads) mayHand(asker, item);
        refuseBoth({ ...item, leader: to.id }, await tx.services.settings.of(superviseRules));
        await demandLeaders(tx, [to.id], '作为批示领导');
        await tx.update(t).set({ leader: to.id }).where(eq(t.id, row.id));
      }),
  },
];

/** Due days of my parts. */
export const superviseFeeds: Feeds = {
  supervision: {
    name: '督办时限',
    async entries(tx, user, from, to) {
      const { id, title, due_at, version, gmt_modified } = subTable;
      const rows = await tx
        .select({ id, title, due_at, version, gmt_modified, item: t.id })
        .from(subTable)
        .innerJoin(t, eq(t.id, subTable.supervise_id))
        .where(and(mineSub(await askerOf(tx, user)), runningSub, gte(due_at, from), lt(due_at, dayAfter(to, 1))))
        .orderBy(asc(due_at), asc(id))
        .limit(mostEntries + 1);
      return rows.map((row) => ({
        id: row.id,
        title: `督办：${row.title}`,
        start: row.due_at,
        end: row.due_at,
        version: row.version,
        modified: row.gmt_modified,
        path: addressOf(row.item),
      }));
    },
  },
};

const cardOf = (row: { id: number; title: string; sn: string; status: number }): Card => ({
  id: row.id,
  title: row.title,
  sn: row.sn,
  state: itemState.label(row.status),
  page: addressOf(row.id),
});
const { id, title, sn, status } = t;
export const superviseLinks: LinkModule = {
  name: '督办事项',
  async seen(tx, viewer, ids) {
    const rows = await tx
      .select({ id, title, sn, status })
      .from(t)
      .where(and(isAmong(id, ids), visible(await askerOf(tx, viewer))));
    return new Map(rows.map((row) => [row.id, cardOf(row)]));
  },
  async changeable(tx, viewer, ids) {
    const asker = await askerOf(tx, viewer);
    const rows = await tx
      .select(itemColumns)
      .from(t)
      .where(and(isAmong(id, ids), visible(asker)));
    return rows.filter((row) => partOf(asker, row).supervises).map((row) => row.id);
  },
  // An item stores its own source, so the link is kept.
  keeps: async (tx, link) =>
    link.type === 'source' &&
    link.from.module === 'supervision' &&
    (await tx.$count(t, and(eq(id, link.from.id), eq(t.source_module, link.to.module), eq(t.source_id, link.to.id)))) >
      0,
  async find(tx, viewer, words) {
    const asker = await askerOf(tx, viewer);
    const where = and(visible(asker), saying(asker, words));
    return (await tx.select({ id, title, sn, status }).from(t).where(where).orderBy(desc(id)).limit(10)).map(cardOf);
  },
  /** The dates of issue, moves and end, for everybody who sees the item; the acting people only for those who may read its details. */
  async happened(tx, ids, most, viewer) {
    const known = inside(await askerOf(tx, viewer));
    const { rows } = await tx.execute<{ id: number; at: string; who: string; what: string }>(sql`
      select e.id, to_char(e.at, 'YYYY-MM-DD HH24:MI:SS') at, coalesce(u.alias, '') who, e.what from (
        select id, issue_at at, supervisor by, '督办事项交办' what from supervise where issue_at is not null
        union all select id, finish_at, finish_by, '督办事项办结' from supervise where finish_at is not null
        union all select supervise_id, gmt_created, by, '督办时限改为 ' || to_char(due_at, 'YYYY-MM-DD') from ${planTable} where due_from is not null and sub_id is null
      ) e left join app_user u on u.id = e.by and exists (select from ${t} where ${t.id} = e.id and ${known}) where e.id = any(${sql.param([...ids])}::int[]) order by e.at desc limit ${most}`);
    return rows;
  },
};
