import { and, asc, eq, isNotNull, notInArray, sql } from 'drizzle-orm';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { itemState, subState } from '../contract/codes.ts';
import { subTable, superviseTable } from '../tables.ts';
import { marksOf, nearFrom, printOf, type Clock } from './lights.ts';
import { superviseNews, type By } from './news.ts';
import { itemColumns } from './columns.ts';
import { planOf, stagesOf } from './sub-rows.ts';
import type { Item, Sub } from './visibility.ts';

const over = [subState.finished, subState.cancelled];
export const at = (moment: Date | null) => (moment === null ? null : momentText(moment));
export const readItem = async (tx: Db, id: number): Promise<Item> =>
  (await tx.select(itemColumns).from(superviseTable).where(eq(superviseTable.id, id)))[0]!;

/** Recomputes the marks of open parts, in one statement. */
export async function markSubs(
  tx: Db,
  rows: readonly { sub: Sub; item: Item }[],
  clock: Clock,
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const stages = Map.groupBy(
    await stagesOf(
      tx,
      rows.map(({ sub }) => sub.id),
    ),
    (one) => one.sub_id,
  );
  const marked = rows.map(({ sub, item }) => {
    const marks = marksOf(planOf(sub, item, stages.get(sub.id) ?? []), clock);
    return {
      id: sub.id,
      ...Object.fromEntries(Object.entries(marks).map(([key, moment]) => [key, at(moment as Date | null)])),
    };
  });
  await tx.execute(sql`
    update supervise_sub s set red_at = m.red_at, yellow_at = m.yellow_at, blue_at = m.blue_at, marked_by = ${printOf(clock, now)}
    from jsonb_to_recordset(${JSON.stringify(marked)}::jsonb) m (id int, red_at timestamptz, yellow_at timestamptz, blue_at timestamptz)
    where s.id = m.id`);
}

/** Updates an item after a change of its parts: marks, weighted percent, and the state if all are done. The caller has locked its row. */
export async function settle(by: By, id: number, clock: Clock): Promise<Item> {
  const { tx, now } = by;
  const item = await readItem(tx, id);
  const of = eq(subTable.supervise_id, id);
  const open = await tx
    .select()
    .from(subTable)
    .where(and(of, isNotNull(subTable.issued_at), notInArray(subTable.status, over)))
    .orderBy(asc(subTable.id));
  await markSubs(
    tx,
    open.map((sub) => ({ sub, item })),
    clock,
    now,
  );
  await setParent(tx, item, clock);
  const done = item.status === itemState.running && item.issue_at !== null && open.length === 0;
  if (!done) return readItem(tx, id);
  const [finished] = await tx
    .select({ id: subTable.id })
    .from(subTable)
    .where(and(of, eq(subTable.status, subState.finished)))
    .limit(1);
  if (!finished) return readItem(tx, id);
  await tx
    .update(superviseTable)
    .set({ status: itemState.applied, applied_at: sql`now()` })
    .where(and(eq(superviseTable.id, id), eq(superviseTable.status, itemState.running)));
  const settled = await readItem(tx, id);
  await announce(
    tx,
    superviseNews.SUP_FINISHED,
    [settled, null],
    { content: '子任务已全部完成，请办结。', by: null, occasion: `applied-${settled.version}` },
    [item.supervisor, item.leader],
  );
  return settled;
}

/** The item's percent, and its light: the worst of its open parts and of its own due time. */
export async function setParent(tx: Db, item: Item, clock: Clock): Promise<void> {
  const due = item.due_at === null ? null : momentOf(item.due_at);
  const red = due && at(new Date(due.getTime() + 1000));
  await tx.execute(sql`
    update supervise i set version = i.version + 1, gmt_modified = now(), progress = s.progress,
      red_at = least(${red}::timestamptz, s.red_at), yellow_at = s.yellow_at, blue_at = least(${due && at(nearFrom(due, clock))}::timestamptz, s.blue_at)
    from (${parentOf(sql`supervise_id = ${item.id}`)}) s where i.id = ${item.id}`);
}
/** The percent and marks that an item's parts give; the nightly check compares them with the stored ones. */
export const parentOf = (where: ReturnType<typeof sql>) => sql`
  select coalesce(round(sum(weight * progress)::numeric / nullif(sum(weight), 0)), 0) progress,
    min(red_at) filter (where status <> ${inSql(subState.finished)}) red_at, min(yellow_at) filter (where status <> ${inSql(subState.finished)}) yellow_at, min(blue_at) filter (where status <> ${inSql(subState.finished)}) blue_at
  from supervise_sub where ${where} and status <> ${inSql(subState.cancelled)}`;
