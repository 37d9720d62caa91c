import { and, asc, between, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { dayAfter, mondayOf } from '#kernel/contract/moment.ts';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { picked } from '#kernel/server/generic.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context, FileReply } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { partsOf } from '#modules/platform/people/service.ts';
import { tablePdf } from '#modules/platform/typesetting/service.ts';
import type { boardCalls, Snapshot } from '../contract/board.ts';
import { busyWord, visibleTo } from '../contract/codes.ts';
import { notForAll, notPublished, weekMoved, weekPending } from '../contract/refusals.ts';
import { clashing } from '../engine/cells.ts';
import { allLeaders } from '../record/attends.ts';
import { leaderNews, texted } from '../record/news.ts';
import { fullFor, reachesAll } from '../record/visibility.ts';
import { scheduleTable, weekTable } from '../tables.ts';
import { changesSince, entriesFor, weekOf, type Found } from './board.ts';
import { weekSheet } from './paper.ts';

type Asked = Omit<Context, 'user'> & { user: Viewer };
export const printing = 'print published weeks';

const kept = [
  ...(['id', 'type_id', 'leaders', 'start_time', 'end_time', 'all_day', 'title', 'address'] as const),
  ...(['attend_type', 'visibility', 'acting'] as const),
];
/** The snapshot of a week; private entries have no words, whoever publishes. */
export const snapshotOf = (leaders: Snapshot['leaders'], rows: readonly Found[]): Snapshot => ({
  leaders: leaders.map(({ id, alias, post }) => ({ id, alias, post })),
  entries: rows
    .filter((row) => !row.cancelled)
    .map((row) => ({
      ...picked(row, kept),
      ...(row.visibility === visibleTo.own ? { title: busyWord, address: '' } : {}),
    })),
});

/** Publishes the week of a day as its next version. Serialized, and read in one statement so that it is consistent. */
export async function publish(
  { tx, user, audit }: Asked,
  { date, version = 0, force, sms }: BodyOf<typeof boardCalls.publish>,
): Promise<{ version: number }> {
  if (!reachesAll(user, 'chuli')) throw notForAll('发布一周安排');
  const week = mondayOf(date);
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`leader_week:${week}`}, 0))`);
  const [last] = await tx
    .select({ version: weekTable.version })
    .from(weekTable)
    .where(eq(weekTable.week, week))
    .orderBy(desc(weekTable.version))
    .limit(1);
  if ((last?.version ?? 0) !== version) throw weekMoved(last?.version ?? 0);
  const rows = await entriesFor(tx, user, weekOf(week));
  const clash = clashing(rows.filter((row) => !row.cancelled)).size;
  if (clash > 0 && !force) throw weekPending(clash);
  const next = version + 1;
  const snapshot = snapshotOf(await allLeaders(tx), rows);
  const [made] = await tx
    .insert(weekTable)
    .values({ week, version: next, published_by: user.id, snapshot })
    .returning({ id: weekTable.id });
  await enqueue(tx, printing, {}, { key: printing });
  const heads = (await partsOf(tx, 'all', 'leader')).map((one) => one.id);
  const title = `${week} 一周安排${next > 1 ? `（第 ${next} 版）` : ''}已发布`;
  const said = {
    title,
    content: `共 ${snapshot.entries.length} 项`,
    page: `/schedule/index?date=${week}`,
    by: user.id,
    ...texted(sms),
  };
  await announce(tx, leaderNews.LEADER_WEEK, { id: made!.id, title, version: next }, said, heads);
  changed(tx, 'leader', [everybody]);
  audit({
    type: '一周安排',
    id: made!.id,
    title: week,
    after: { 版本: next, 日程: snapshot.entries.length, 冲突: clash },
  });
  return { version: next };
}

/** Published weeks that begin between two days, with the number of changes since. */
export async function weeks({ tx, user }: Asked, { from, to }: QueryOf<typeof boardCalls.weeks>) {
  const { week, version, published_at, snapshot } = weekTable;
  const last = to < dayAfter(from, 92) ? to : dayAfter(from, 92);
  const rows = await tx
    .selectDistinctOn([week], {
      week,
      version,
      published_at,
      published_by: sql<string>`(select alias from app_user where id = ${weekTable.published_by})`,
      snapshot,
    })
    .from(weekTable)
    .where(between(week, mondayOf(from), last))
    .orderBy(asc(week), desc(version));
  if (rows.length === 0) return { value: [] };
  const span = { start_time: `${rows[0]!.week} 00:00:00`, end_time: weekOf(rows.at(-1)!.week).end_time };
  const all = await entriesFor(tx, user, span);
  return {
    value: rows.map(({ snapshot: then, ...row }) => {
      const { start_time, end_time } = weekOf(row.week);
      const now = all.filter((one) => one.start_time < end_time && one.end_time > start_time && one.full);
      return { ...row, changes: changesSince(then, now).size };
    }),
  };
}

/** Sets the pages of published weeks that have none, outside of transactions that others wait for. */
export async function printWeeks(
  read: Db,
  write: (work: (tx: Db) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  const { id, week, version, snapshot, pdf_all, pdf_open } = weekTable;
  const rows = await read
    .select({ id, week, version, snapshot })
    .from(weekTable)
    .where(or(isNull(pdf_all), isNull(pdf_open)))
    .orderBy(asc(id))
    .limit(20);
  for (const row of rows) {
    const all = await tablePdf(weekSheet(row, 'all'));
    const open = await tablePdf(weekSheet(row, 'open'));
    await write(async (tx) => {
      await tx
        .update(weekTable)
        .set({ pdf_all: all, pdf_open: open })
        .where(and(eq(id, row.id), isNull(pdf_all)));
    });
  }
}

/** Entries of a published week that the viewer could read then and may not now. */
async function closedSince(read: Db, user: Viewer, { entries }: Snapshot): Promise<Set<number>> {
  const then = new Map(entries.map((entry) => [entry.id, entry.visibility]));
  const { id, visibility } = scheduleTable;
  const rows = await read
    .select({ id, visibility })
    .from(scheduleTable)
    .where(
      and(isAmong(id, [...then.keys()]), gt(visibility, visibleTo.everybody), sql`(${fullFor(user)}) is not true`),
    );
  return new Set(rows.flatMap((row) => (row.visibility > then.get(row.id)! ? [row.id] : [])));
}

/**
 * The pages of a published week: all entries for those who reach all, else the public ones. Stored pages are used, unless the viewer may no
 * longer read an entry: then they are set anew with 忙 in its place.
 */
export async function weekPdf(
  read: Db,
  user: Viewer,
  { date, scope, version }: QueryOf<typeof boardCalls.weekPdf>,
): Promise<FileReply> {
  if (scope === 'all' && !reachesAll(user, 'Retrieve')) throw notForAll('打印全部日程');
  const monday = mondayOf(date);
  const known = version === undefined ? undefined : isAmong(weekTable.version, [version]);
  const [row] = await read
    .select()
    .from(weekTable)
    .where(and(eq(weekTable.week, monday), known))
    .orderBy(desc(weekTable.version))
    .limit(1);
  if (!row) throw notPublished(monday);
  const closed = await closedSince(read, user, row.snapshot);
  const kept = closed.size > 0 ? null : scope === 'all' ? row.pdf_all : row.pdf_open;
  const bytes = kept ?? (await tablePdf(weekSheet(row, scope, closed), user.id));
  return { type: 'application/pdf', bytes, size: bytes.length };
}
