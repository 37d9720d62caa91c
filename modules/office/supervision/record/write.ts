import { and, eq, gt, inArray, isNotNull, notInArray, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { titled } from '#kernel/contract/titles.ts';
import { numberLast } from '#kernel/server/db/numbering.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { attachAll } from '#modules/platform/files/service.ts';
import { link, linkModule } from '#modules/platform/links/service.ts';
import { absent, invalid, unfilled } from '#kernel/contract/refusal.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { demandLeaders, deptNamesById, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { itemState, leadersLevel, subState } from '../contract/codes.ts';
import { dueWrong, incomplete, notWorking, reasonNeeded, stageLate, stagesWrong } from '../contract/refusals.ts';
import { ItemChange, type ItemInput, type SubInput } from '../contract/shapes.ts';
import type { items } from '../contract/supervise.ts';
import { issueSheets } from '../subs/sheets.ts';
import { planTable, stageTable, subTable, superviseTable } from '../tables.ts';
import { clockOf, nextFeedback, type Clock } from './lights.ts';
import { peopleOf, superviseNews, type By } from './news.ts';
import { demand, leaderDecides, openItem, refuseBoth } from './rights.ts';
import { at, readItem, settle } from './settle.ts';
import { module, type Asker, type Item, type Sub } from './visibility.ts';

/** Refuses people who have left, by name. */
export async function demandWorking(tx: Db, ids: readonly (number | null | undefined)[]): Promise<void> {
  const asked = [...new Set(ids.filter((id): id is number => id !== null && id !== undefined))];
  const there = new Set(await workingAmong(tx, asked));
  const gone = asked.filter((id) => !there.has(id));
  if (gone.length === 0) return;
  const known = await peopleById(tx, gone);
  throw notWorking(gone.map((id) => known.get(id)?.alias ?? `编号 ${id}`).join('、'));
}

const searchOf = (sn: string, { title, content }: { title: string; content: string }) =>
  searchVector({ codes: [sn], texts: [title, content] });

/** Refuses ids of departments that never existed; the database refuses deleted ones by name. */
async function demandDept(tx: Db, id: number | null | undefined): Promise<void> {
  if (typeof id === 'number' && !(await deptNamesById(tx, [id])).has(id)) throw absent('主办部门');
}

/** Refuses a start after the due time. */
function demandOrder(start: string | null | undefined, due: string | null | undefined): void {
  if (start && due && start > due.slice(0, 10))
    throw invalid([{ field: 'start_date', label: '开始日期', msg: `${start} 晚于时限 ${due.slice(0, 16)}，请修改` }]);
}

/** Creates an item with its parts, or returns the one already made of the same decision. */
export async function create(
  by: By,
  { subs, from, ...input }: ItemInput,
): Promise<{ id: number; sn: string; existed: boolean }> {
  const { tx, user, now, audit } = by;
  const source = from ? { source_module: from.module, source_id: from.id, source_key: from.key } : {};
  if (from) {
    const seen = await linkModule(tx, from.module)?.seen(tx, user, [from.id]);
    if (!seen?.has(from.id)) throw absent('来源事项');
  }
  demandOrder(input.start_date, input.due_at);
  await demandWorking(tx, [input.owner, input.leader, input.supervisor]);
  await demandDept(tx, input.lead_dept);
  await demandLeaders(tx, [input.leader], '作为批示领导');
  const sn = numberLast(tx, {
    prefix: 'DB',
    period: dayOf(now).replaceAll('-', ''),
    digits: 4,
    table: superviseTable,
    search: (number) => searchOf(number, input),
  });
  const [made] = await tx
    .insert(superviseTable)
    .values({
      ...input,
      ...source,
      sn,
      supervisor: input.supervisor ?? user.id,
      lead_dept: input.lead_dept ?? subs[0]?.dept ?? user.depts[0] ?? null,
      creator_id: user.id,
      search: searchOf(sn, input),
    })
    .onConflictDoNothing()
    .returning();
  if (!made) {
    const { id, sn: known, source_module, source_id, source_key, is_deleted } = superviseTable;
    const same = and(
      eq(source_module, from!.module),
      eq(source_id, from!.id),
      eq(source_key, from!.key),
      eq(is_deleted, false),
    );
    const [before] = await tx.select({ id, sn: known }).from(superviseTable).where(same);
    return { ...before!, existed: true };
  }
  const item = made;
  refuseBoth(item, await clockOf(tx));
  await attachAll(tx, { fileIds: input.attachments, module, recordId: `item-${item.id}`, user });
  for (const sub of subs) await addSub(by, item, sub);
  if (from) await link(tx, { from: { module, id: item.id }, to: from, type: 'source', userId: user.id });
  audit({ type: '督办事项', id: item.id, title: item.title, after: titled(ItemChange, input) });
  return { id: item.id, sn, existed: false };
}

/** Adds a part to an item; of a running item it is issued at once. */
export async function addSub(by: By, item: Item, { stages, dept, ...input }: SubInput): Promise<Sub> {
  const { tx } = by;
  await demandWorking(tx, [input.owner, ...input.co_users]);
  const owner = (await peopleById(tx, [input.owner])).get(input.owner);
  const [sub] = await tx
    .insert(subTable)
    .values({ ...input, supervise_id: item.id, dept: dept ?? owner?.dept_id ?? item.lead_dept! })
    .returning();
  await setStages(tx, sub!.id, stages);
  await demandStagesWithin(tx, sub!.id, sub!.due_at);
  if (item.status === itemState.running) await issueSubs(by, item, [sub!], await clockOf(tx));
  return sub!;
}

export async function setStages(tx: Db, sub_id: number, stages: SubInput['stages']): Promise<void> {
  const sum = stages.reduce((all, one) => all + one.weight, 0);
  if (stages.length > 0 && sum !== 100) throw stagesWrong(sum);
  const before = await tx.select().from(stageTable).where(eq(stageTable.sub_id, sub_id));
  await tx.delete(stageTable).where(eq(stageTable.sub_id, sub_id));
  const done = new Map(before.map((one) => [one.title, one.done_at]));
  if (stages.length > 0)
    await tx
      .insert(stageTable)
      .values(stages.map((one, no) => ({ ...one, sub_id, no: no + 1, done_at: done.get(one.title) ?? null })));
}

/** Refuses stages after the due time of their part. */
export async function demandStagesWithin(tx: Db, sub_id: number, due_at: string): Promise<void> {
  const late = await tx
    .select({ title: stageTable.title, day: stageTable.day })
    .from(stageTable)
    .where(and(eq(stageTable.sub_id, sub_id), gt(stageTable.day, due_at.slice(0, 10))))
    .orderBy(stageTable.no)
    .limit(1);
  if (late[0]) throw stageLate(late[0].title, late[0].day, due_at.slice(0, 16));
}

export const dueAfterItem = (title: string, due: string) =>
  refuseOn('supervise_due_within', () => dueWrong(`“${title}”`, due, '晚于事项的时限'));
const demandWithin = (title: string, due: string, item: Item) => {
  if (item.due_at !== null && momentOf(due) > momentOf(item.due_at))
    throw dueWrong(`“${title}”`, due.slice(0, 16), `晚于事项的时限 ${item.due_at.slice(0, 16)}`);
};

/** Issues parts to their owners: fixes the first plan, and writes each a white sheet. */
async function issueSubs(by: By, item: Item, subs: readonly Sub[], clock: Clock): Promise<void> {
  const { tx, now, user } = by;
  for (const sub of subs) {
    if (momentOf(sub.due_at) <= now) throw dueWrong(`“${sub.title}”`, sub.due_at.slice(0, 16), '已经过去');
    demandWithin(sub.title, sub.due_at, item);
  }
  await demandWorking(
    tx,
    subs.map((sub) => sub.owner),
  );
  await tx
    .update(subTable)
    .set({
      issued_at: at(now),
      first_due_at: sql`${subTable.due_at}`,
      next_feedback: at(nextFeedback(item.feedback_cycle, now, clock)),
    })
    .where(
      inArray(
        subTable.id,
        subs.map((sub) => sub.id),
      ),
    );
  await tx.insert(planTable).values(
    subs.map((sub) => ({
      supervise_id: item.id,
      sub_id: sub.id,
      due_at: sub.due_at,
      reason: '首次计划',
      by: user.id,
    })),
  );
  await issueSheets(by, item, subs, {
    colour: 0,
    content: item.requirement || item.content || item.title,
    answer_by: null,
  });
  for (const sub of subs)
    await announce(
      by.tx,
      superviseNews.SUP_ISSUED,
      [item, sub],
      { content: `请于 ${sub.due_at.slice(0, 16)} 前完成。`, by: by.user.id, occasion: String(sub.owner) },
      await peopleOf(by, sub),
    );
}

export async function issue(by: By, asker: Asker, id: number): Promise<Item> {
  const { tx, now, audit, user } = by;
  const { item, subs, actions, rule } = await openItem(tx, asker, id);
  demand(actions, 'issue', item);
  refuseBoth(item, rule);
  const { title, due_at } = item;
  const lacks = [
    ...(due_at === null ? ['没有时限'] : momentOf(due_at) <= now ? [`时限 ${due_at.slice(0, 16)} 已经过去`] : []),
    ...(item.lead_dept === null ? ['没有主办部门'] : []),
    ...(subs.length === 0 ? ['没有子任务'] : []),
    ...(item.level >= leadersLevel && item.leader === null && rule.level3_leader ? ['紧急事项没有批示领导'] : []),
  ];
  if (lacks.length > 0) throw incomplete(lacks);
  await tx
    .update(superviseTable)
    .set({ status: itemState.running, issue_at: at(now), first_due_at: due_at })
    .where(eq(superviseTable.id, id));
  await tx.insert(planTable).values({ supervise_id: id, due_at: due_at!, reason: '首次计划', by: user.id });
  await issueSubs(by, { ...item, status: itemState.running }, subs, rule);
  audit({ type: '督办事项', id, title, after: { 交办: `${subs.length} 项子任务`, 时限: due_at } });
  return settle(by, id, rule);
}

/** Moves the due time of an item, with the reason; before issue it is a plain change. */
export async function moveDue(
  by: By,
  of: { item: Item; sub: Sub | null },
  due_at: string,
  reason: string,
): Promise<void> {
  const { tx, user } = by;
  const { item, sub } = of;
  const row = sub ?? item;
  if (momentOf(due_at).getTime() === (row.due_at ? momentOf(row.due_at).getTime() : 0)) return;
  const table = sub ? subTable : superviseTable;
  if (item.status !== itemState.draft) {
    if (reason === '') throw reasonNeeded('调整时限');
    if (momentOf(due_at) <= by.now) throw dueWrong(`“${row.title}”`, due_at.slice(0, 16), '已经过去');
    await tx
      .insert(planTable)
      .values({ supervise_id: item.id, sub_id: sub?.id ?? null, due_from: row.due_at, due_at, reason, by: user.id });
  }
  if (sub) demandWithin(sub.title, due_at, item.status === itemState.draft ? { ...item, due_at: null } : item);
  else if (item.status !== itemState.draft) {
    const later = sql`${subTable.due_at} > ${due_at}::timestamptz`;
    const [first] = await tx
      .select()
      .from(subTable)
      .where(and(eq(subTable.supervise_id, item.id), notInArray(subTable.status, [subState.cancelled]), later))
      .limit(1);
    if (first)
      throw dueWrong(
        `事项“${item.title}”`,
        due_at.slice(0, 16),
        `早于子任务“${first.title}”的时限 ${first.due_at.slice(0, 16)}`,
      );
  }
  await tx.update(table).set({ due_at }).where(eq(table.id, row.id));
}

/** Refuses others to change the level or the leader of an item on which the leader decides, unless the leader has left. */
async function demandRank(
  { tx }: By,
  item: Item,
  { level = item.level, leader = item.leader }: { level?: number; leader?: number | null },
) {
  if (level >= leadersLevel && leader === item.leader) return;
  if ((await workingAmong(tx, [item.leader!])).length > 0) demand([], 'rank', item);
}

/** Changes an item; its parts stay as they are. */
export async function update(by: By, asker: Asker, id: number, body: BodyOf<typeof items.update>): Promise<Item> {
  const { tx, audit, user } = by;
  const { item, actions, rule, part } = await openItem(tx, asker, id);
  demand(actions, 'update', item);
  const { version, due_reason = '', due_at, ...asked } = body;
  checkVersion('督办事项', item, version, item);
  const sent = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Partial<
    typeof asked
  >;
  if (asked.start_date || due_at)
    demandOrder(asked.start_date === undefined ? item.start_date : asked.start_date, due_at ?? item.due_at);
  await demandWorking(tx, [asked.owner, asked.leader, asked.supervisor]);
  await demandDept(tx, asked.lead_dept);
  const needed = {
    supervisor: '督办人',
    ...(item.status === itemState.draft ? {} : { lead_dept: '主办部门', due_at: '时限' }),
  };
  const missing = Object.entries(needed).filter(([key]) => body[key as keyof typeof needed] === null);
  if (missing.length > 0) throw invalid(missing.map(([field, label]) => ({ field, label, msg: unfilled })));
  if (item.status !== itemState.draft && leaderDecides(item, rule) && !part.leads) await demandRank(by, item, asked);
  refuseBoth({ ...item, ...(sent as object) }, rule);
  if (asked.leader !== item.leader) await demandLeaders(tx, [asked.leader], '作为批示领导');
  if (due_at) {
    const kept = (leaderDecides(item, rule) && !part.leads) || part.owns;
    if (item.status !== itemState.draft && kept) demand([], 'move_due', item);
    await moveDue(by, { item, sub: null }, due_at, due_reason);
  }
  const title = asked.title ?? item.title;
  await tx
    .update(superviseTable)
    .set({
      ...(sent as object),
      supervisor: asked.supervisor ?? item.supervisor,
      ...(due_at === null ? { due_at } : {}),
      search: searchOf(item.sn, { title, content: asked.content ?? item.content }),
    })
    .where(eq(superviseTable.id, id));
  if (asked.feedback_cycle !== undefined && asked.feedback_cycle !== item.feedback_cycle)
    await tx
      .update(subTable)
      .set({ next_feedback: at(nextFeedback(asked.feedback_cycle, by.now, rule)) })
      .where(
        and(
          eq(subTable.supervise_id, id),
          isNotNull(subTable.issued_at),
          notInArray(subTable.status, [subState.finished, subState.cancelled]),
        ),
      );
  if (asked.attachments) await attachAll(tx, { fileIds: asked.attachments, module, recordId: `item-${id}`, user });
  const logged = { ...sent, ...(due_at ? { due_at } : {}) };
  const kept = Object.fromEntries(Object.keys(logged).map((key) => [key, item[key as keyof Item]]));
  audit({ type: '督办事项', id, title, before: titled(ItemChange, kept), after: titled(ItemChange, logged) });
  return item.status === itemState.draft ? readItem(tx, id) : settle(by, id, rule);
}

export async function remove(by: By, asker: Asker, id: number): Promise<void> {
  const { item, actions } = await openItem(by.tx, asker, id);
  demand(actions, 'delete', item);
  await by.tx.update(superviseTable).set({ is_deleted: true }).where(eq(superviseTable.id, id));
  by.audit({ type: '督办事项', id, title: item.title, before: { 事项: item.title } });
}
