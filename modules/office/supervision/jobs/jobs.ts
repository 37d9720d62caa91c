import { and, eq, isNotNull, ne, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { newsOf, remind } from '#modules/platform/messages/service.ts';
import { dateReminders, type DueRow } from '#modules/platform/messages/service/reminders.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { partsOfEach, secretariesOfEach } from '#modules/platform/people/service.ts';
import {
  itemState,
  requestKind,
  requestState,
  sheetColour,
  superviseLevel,
  superviseLight,
} from '../contract/codes.ts';
import { clockOf, printOf } from '../record/lights.ts';
import { lateOccasion, subModule, superviseNews, type SuperviseEvent } from '../record/news.ts';
import { itemColumns, runningSub, subLitAs } from '../record/columns.ts';
import { isOpenRequest, isUnanswered } from '../record/sub-rows.ts';
import { markSubs, parentOf, setParent } from '../record/settle.ts';
import type { Item, Sub } from '../record/visibility.ts';
import { numberOf } from '../subs/hung.ts';
import { requestTable, sheetTable, subTable, superviseTable } from '../tables.ts';

const t = superviseTable;
const portion = 200;
/** In days: lights that came on longer ago, without a message, cause none. */
const letBe = 30;
/** A reminder stage independent of the days left: once for each due day. */
const whenever = 9999;

interface Due extends DueRow {
  sub: Sub;
  item: Item;
}
/** Notifies the people of a part that its light came on; once for each due day or reporting day. */
const lit = (light: 2 | 3 | 4, event: SuperviseEvent, mark: SQL, occasion: SQL, says: (sub: Sub) => string) =>
  dateReminders<Due>({
    kind: superviseNews[event],
    module: subModule,
    days: [whenever],
    async due(tx) {
      const rows = await tx
        .select({ sub: subTable, item: itemColumns, due: sql<string>`to_char(${occasion}, 'YYYY-MM-DD')` })
        .from(subTable)
        .innerJoin(t, eq(t.id, subTable.supervise_id))
        .where(
          and(
            runningSub,
            isNotNull(subTable.issued_at),
            subLitAs(light),
            sql`${mark} > now() - make_interval(days => ${letBe})`,
          ),
        )
        .for('share', { of: subTable });
      return rows.map((row) => ({ ...row, id: row.sub.id }));
    },
    async to(tx, rows) {
      const depts = light === superviseLight.late ? rows.map(({ sub }) => sub.dept) : [];
      const { heads } = await partsOfEach(tx, depts);
      return new Map(
        rows.map(({ sub, item }) => [
          sub.id,
          [
            ...new Set([
              sub.owner,
              ...sub.co_users,
              ...heads(sub.dept),
              ...(light > superviseLight.near ? [item.supervisor] : []),
            ]),
          ],
        ]),
      );
    },
    says: ({ sub, item }) => {
      const content = `${superviseLight.label(light)}灯：${says(sub)}`;
      const { webPath: page, ...said } = newsOf(superviseNews[event], [item, sub], { content, by: null });
      return { title: said.title, content: said.content, page };
    },
  });
const near = lit(
  2,
  'SUP_NEAR',
  sql`${subTable.blue_at}`,
  sql`${subTable.due_at}`,
  (sub) => `时限 ${sub.due_at.slice(0, 16)} 临近，请抓紧办理。`,
);
const behind = lit(
  3,
  'SUP_BEHIND',
  sql`${subTable.yellow_at}`,
  sql`${subTable.yellow_at}`,
  () => '没有按时反馈或落后于计划，请反馈进展。',
);
const late = lit(
  4,
  'SUP_OVERDUE',
  sql`${subTable.red_at}`,
  sql`${subTable.due_at}`,
  (sub) => `已超过时限 ${sub.due_at.slice(0, 16)}，请尽快完成并说明原因。`,
);

/** Recomputes marks computed by another calendar or by other rules, a portion at a time; returns true if there are more. */
async function remark(tx: Db, now: Date): Promise<boolean> {
  const clock = await clockOf(tx);
  const rows = await tx
    .select({ sub: subTable, item: itemColumns })
    .from(subTable)
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(and(runningSub, isNotNull(subTable.issued_at), ne(subTable.marked_by, printOf(clock, now))))
    .orderBy(subTable.supervise_id, subTable.id)
    .limit(portion)
    .for('no key update', { of: t, skipLocked: true });
  await markSubs(tx, rows, clock, now);
  for (const item of new Map(rows.map((row) => [row.item.id, row.item])).values()) await setParent(tx, item, clock);
  return rows.length === portion;
}

/**
 * Lapses requests not decided before the due time, and notifies the leader above the decider; they may still be decided. An open objection
 * does not lapse, because it stops the clock.
 */
async function undecided(tx: Db): Promise<void> {
  const rows = await tx
    .select({ request: requestTable, sub: subTable, item: itemColumns })
    .from(requestTable)
    .innerJoin(subTable, eq(subTable.id, requestTable.sub_id))
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(and(isOpenRequest, sql`${subTable.due_at} between now() - make_interval(days => ${letBe}) and now()`));
  const over = rows.flatMap(({ request }) => (request.kind === requestKind.object ? [] : request.id));
  await tx
    .update(requestTable)
    .set({ state: requestState.lapsed })
    .where(and(isAmong(requestTable.id, over), isOpenRequest));
  const secretaries = await secretariesOfEach(
    tx,
    rows.flatMap(({ item }) => item.leader ?? []),
  );
  await remind(
    tx,
    rows.map(({ request, sub, item }) => ({
      news: newsOf(superviseNews.SUP_REQUEST, [item, sub], {
        content: '申请在时限前没有决定，请督促或直接决定。',
        occasion: lateOccasion(request.id),
        by: null,
      }),
      to: item.leader === null ? [item.supervisor] : [item.leader, ...(secretaries.get(item.leader) ?? [])],
    })),
  );
}

/** Notifies those who have the part of a sheet whose answer is overdue, the head of their department, and the writer. */
async function unanswered(tx: Db): Promise<void> {
  const rows = await tx
    .select({ sheet: sheetTable, sub: subTable, item: itemColumns })
    .from(sheetTable)
    .innerJoin(subTable, eq(subTable.id, sheetTable.sub_id))
    .innerJoin(t, eq(t.id, subTable.supervise_id))
    .where(
      and(
        isUnanswered,
        runningSub,
        sql`${sheetTable.answer_by} between now() - make_interval(days => ${letBe}) and now()`,
      ),
    );
  const { heads } = await partsOfEach(
    tx,
    rows.map(({ sub }) => sub.dept),
  );
  await remind(
    tx,
    rows.map(({ sheet, sub, item }) => ({
      news: newsOf(superviseNews.SUP_SHEET, [item, sub], {
        content: `督办单 ${numberOf(sheet)} 应于 ${sheet.answer_by!.slice(0, 16)} 前答复，现在还没有答复。`,
        occasion: lateOccasion(sheet.id),
        level: sheet.colour === sheetColour.red ? superviseLevel.important : superviseLevel.usual,
        by: null,
      }),
      to: [...new Set([sub.owner, ...heads(sub.dept), sheet.issuer])],
    })),
  );
}

/** Items whose percent or light differs from what their parts give; returns their numbers. */
export async function unlikeParts(tx: Db): Promise<string[]> {
  const { rows } = await tx.execute<{ sn: string }>(sql`
    select i.sn from supervise i cross join lateral (${parentOf(sql`supervise_id = i.id`)}) s
    where i.status in (${inSql(itemState.running, itemState.applied)}) and (i.progress <> s.progress or i.yellow_at is distinct from s.yellow_at
      or i.red_at > s.red_at or i.blue_at > s.blue_at) limit 100`);
  return rows.map((row) => row.sn);
}

const telling = 'tell of lights of supervision';
const checking = 'check percents of supervision';
export const superviseTasks = (databases: Pick<Databases, 'write'>): Task[] => [
  {
    name: telling,
    title: '督办灯况与提醒',
    async run(_payload, { now }) {
      while (await databases.write((tx) => remark(tx, now)));
      for (const one of [near, behind, late]) await databases.write((tx) => one(tx, now));
      await databases.write(undecided);
      await databases.write(unanswered);
    },
  },
  {
    name: checking,
    title: '督办进度核对',
    run: () =>
      databases.write(async (tx) => {
        const wrong = await unlikeParts(tx);
        if (wrong.length > 0)
          throw new Error(`percents of supervised items differ from their parts: ${wrong.join(', ')}`);
      }),
  },
];
export const superviseSchedules: Schedule[] = [
  { task: telling, cron: '*/10 * * * *', catchUpHours: 24 },
  { task: checking, cron: '40 2 * * *', catchUpHours: 12 },
];
