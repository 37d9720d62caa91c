import { and, eq, inArray, lte, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayOf, momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { attachAll } from '#modules/platform/files/service.ts';
import { announce, callBackNews } from '#modules/platform/messages/service.ts';
import { checkState, itemState, subState } from '../contract/codes.ts';
import { dueWrong, notFinished, noteNeeded, openSubs, ownProposal, reasonNeeded } from '../contract/refusals.ts';
import type { items } from '../contract/supervise.ts';
import { cancelSubs } from '../subs/change.ts';
import { opinionTable, progressTable, stageTable, subTable, superviseTable } from '../tables.ts';
import { nextFeedback, type Clock } from './lights.ts';
import { peopleOf, superviseNews, type By } from './news.ts';
import { demand, leaderDecides, openItem } from './rights.ts';
import { at, readItem, settle } from './settle.ts';
import { module, type Asker, type Item, type Sub } from './visibility.ts';
import { moveDue } from './write.ts';

const { finished, cancelled } = subState;
const isOpen = (sub: Sub) => sub.status !== finished && sub.status !== cancelled;
async function everybody(by: By, item: Item, subs: readonly Sub[]): Promise<(number | null)[]> {
  const people: (number | null)[] = [item.owner, item.supervisor, item.leader, item.creator_id];
  for (const sub of subs) people.push(...(await peopleOf(by, sub)));
  return people;
}
const logOf = (by: By, item: Item, status: number, more: object) =>
  by.audit({
    type: '督办事项',
    id: item.id,
    title: item.title,
    before: { 状态: itemState.label(item.status) },
    after: { 状态: itemState.label(status), ...more },
  });
const setItem = ({ tx }: By, id: number, set: Partial<typeof superviseTable.$inferInsert>) =>
  tx
    .update(superviseTable)
    .set({ ...set, version: sql`${superviseTable.version} + 1` })
    .where(eq(superviseTable.id, id));

const tell = (by: By, item: Item, to: readonly (number | null)[], content: string, occasion: string) =>
  announce(by.tx, superviseNews.SUP_FINISHED, [item, null], { content, by: by.user.id, occasion }, to);

/** Records the words of a step as an opinion of the user. */
async function note(by: By, item: Item, type: number, content: string, fileIds: readonly number[] = []): Promise<void> {
  await by.tx.insert(opinionTable).values({ supervise_id: item.id, type, content, author: by.user.id });
  await attachAll(by.tx, { fileIds, module, recordId: `item-${item.id}`, user: by.user });
  if (fileIds.length > 0) await setItem(by, item.id, { attachments: [...item.attachments, ...fileIds] });
}

/** The finished parts among those named. */
function finishedAmong(subs: readonly Sub[], named: readonly number[]): Sub[] {
  if (named.some((id) => !subs.some((sub) => sub.id === id))) throw absent('所选的子任务');
  const chosen = subs.filter((sub) => named.includes(sub.id));
  const other = chosen.find((sub) => sub.status !== finished);
  if (other) throw notFinished(other.title);
  return chosen;
}

/** Returns finished parts: with the percent accepted before, and with stages that need evidence open again. */
async function giveBack(by: By, item: Item, subs: readonly Sub[], reason: string): Promise<void> {
  const { tx } = by;
  for (const sub of subs) {
    const [last] = await tx
      .select({ before: progressTable.before })
      .from(progressTable)
      .where(
        and(
          eq(progressTable.sub_id, sub.id),
          eq(progressTable.is_finish, true),
          eq(progressTable.check_state, checkState.accepted),
        ),
      )
      .orderBy(sql`${progressTable.id} desc`)
      .limit(1);
    const progress = Math.min(99, last?.before ?? 0);
    await tx
      .update(subTable)
      .set({ status: subState.returned, progress, reported: progress, done_at: null })
      .where(eq(subTable.id, sub.id));
    await tx
      .update(stageTable)
      .set({ done_at: null })
      .where(and(eq(stageTable.sub_id, sub.id), eq(stageTable.evidence, true)));
    await announce(
      by.tx,
      superviseNews.SUP_RETURNED,
      [item, sub],
      { content: `退回整改：${reason}`, by: by.user.id, occasion: `again-${item.version}` },
      await peopleOf(by, sub),
    );
  }
}

export async function applyFinish(
  by: By,
  asker: Asker,
  id: number,
  { content, files }: BodyOf<typeof items.applyFinish>,
) {
  const { item, subs, actions } = await openItem(by.tx, asker, id);
  demand(actions, 'apply_finish', item);
  const open = subs.filter(isOpen).map((sub) => sub.title);
  await note(by, item, 3, `申请办结：${content}${open.length > 0 ? `（未完成：${open.join('、')}）` : ''}`, files);
  await setItem(by, id, { status: itemState.applied, applied_at: at(by.now) });
  await tell(by, item, [item.supervisor, item.leader], `主办部门申请办结：${content}`, `applied-${item.version}`);
  logOf(by, item, itemState.applied, { 完成情况: content });
  return { id, status: itemState.applied };
}

/** 办结: agreed, or returned. For an urgent item the supervisor proposes and the leader completes it. */
export async function finish(by: By, asker: Asker, id: number, body: BodyOf<typeof items.finish>) {
  const { tx, now, user } = by;
  const { item, subs, actions, part, rule } = await openItem(tx, asker, id);
  demand(actions, 'finish', item);
  const { result, finish_note, score = null, reason } = body;
  if (result === 2) {
    if (reason === '') throw reasonNeeded('退回办结');
    const again = finishedAmong(subs, body.subs);
    await setItem(by, id, { status: itemState.running, finish_by: null, applied_at: null, score: null });
    await note(by, item, part.leads ? 1 : 2, `退回继续办理：${reason}`);
    await giveBack(by, item, again, reason);
    await tell(by, item, await everybody(by, item, subs), `办结申请已退回：${reason}`, `back-${item.version}`);
    logOf(by, item, itemState.running, { 原因: reason });
    await settle(by, id, rule);
    return { id, status: itemState.running };
  }
  if (finish_note === '') throw noteNeeded();
  const open = subs.filter(isOpen);
  const titles = open.map((sub) => sub.title);
  if (open.length > 0 && !part.leads) throw openSubs(titles, '须由批示领导说明原因后办结，或先完成、取消这些任务');
  if (open.length > 0 && reason === '') throw openSubs(titles, '请填写仍要办结的原因');
  // A proposed score stays unless another is given.
  const said = { finish_note, score: score ?? item.score, finish_by: user.id };
  if (leaderDecides(item, rule) && !part.leads) {
    await setItem(by, id, said);
    await tell(by, item, [item.leader], `${user.alias}提请办结，请批示：${finish_note}`, `propose-${item.version}`);
    logOf(by, item, item.status, { 提请办结: finish_note, 评分: said.score });
    return { id, status: item.status };
  }
  // The proposer, if standing in for the leader, may not complete it: that takes a second person.
  if (leaderDecides(item, rule) && item.leader !== user.id && item.finish_by === user.id) throw ownProposal();
  const done = subs.flatMap((sub) => (sub.done_at === null ? [] : momentOf(sub.done_at).getTime()));
  const last = open.length > 0 || done.length === 0 ? now.getTime() : Math.max(...done);
  await setItem(by, id, {
    ...said,
    status: itemState.finished,
    finish_at: at(now),
    finished_late: last > momentOf(item.due_at!).getTime(),
  });
  // The percent at completion is kept; cancelling the open parts does not change it.
  await cancelSubs(by, item, open, `事项办结：${reason}`, true);
  await callBackNews(tx, { module, objectId: id });
  await tell(by, item, await everybody(by, item, subs), `已办结：${finish_note}`, `finished-${item.reopened}`);
  logOf(by, item, itemState.finished, { 办结说明: finish_note, 评分: said.score, ...(reason ? { 原因: reason } : {}) });
  return { id, status: itemState.finished };
}

export async function terminate(by: By, asker: Asker, id: number, { reason, files }: BodyOf<typeof items.terminate>) {
  const { item, subs, actions } = await openItem(by.tx, asker, id);
  demand(actions, 'terminate', item);
  await setItem(by, id, { status: itemState.ended });
  await cancelSubs(by, item, subs.filter(isOpen), `事项终止：${reason}`, true);
  await note(by, item, 2, `终止：${reason}`, files);
  await callBackNews(by.tx, { module, objectId: id });
  await tell(by, item, await everybody(by, item, subs), `已终止：${reason}`, 'ended');
  logOf(by, item, itemState.ended, { 原因: reason });
  return { id, status: itemState.ended };
}

/** Restarts the plan of returned parts now: stages of past days move to the new due day. */
async function beginAnew(
  { tx, now }: By,
  item: Item,
  subs: readonly Sub[],
  clock: Clock,
  due_at: string,
): Promise<void> {
  const ids = subs.map((sub) => sub.id);
  await tx
    .update(subTable)
    .set({ issued_at: at(now), next_feedback: at(nextFeedback(item.feedback_cycle, now, clock)) })
    .where(inArray(subTable.id, ids));
  await tx
    .update(stageTable)
    .set({ day: due_at.slice(0, 10) })
    .where(and(inArray(stageTable.sub_id, ids), lte(stageTable.day, dayOf(now))));
}

/** 回头看: reopens a finished item with a new due time, and the parts to be redone. */
export async function reopen(
  by: By,
  asker: Asker,
  id: number,
  { reason, due_at, subs: named }: BodyOf<typeof items.reopen>,
) {
  const { tx, now } = by;
  const { item, subs, actions, rule } = await openItem(tx, asker, id);
  demand(actions, 'reopen', item);
  if (momentOf(due_at) <= now) throw dueWrong('回头看', due_at.slice(0, 16), '已经过去');
  const again = named.length > 0 ? finishedAmong(subs, named) : subs.filter((sub) => sub.status === finished);
  await callBackNews(tx, { module, objectId: id });
  await setItem(by, id, {
    status: itemState.running,
    finish_at: null,
    finish_by: null,
    applied_at: null,
    score: null,
    reopened: item.reopened + 1,
  });
  const running = await readItem(tx, id);
  if (momentOf(due_at) > momentOf(item.due_at!))
    await moveDue(by, { item: running, sub: null }, due_at, `回头看：${reason}`);
  const moved = await readItem(tx, id);
  for (const sub of again) await moveDue(by, { item: moved, sub }, due_at, `回头看：${reason}`);
  await beginAnew(by, moved, again, rule, due_at);
  await giveBack(by, moved, again, reason);
  await note(by, moved, 2, `回头看：${reason}`);
  logOf(by, item, itemState.running, { 原因: reason, 时限: due_at });
  await settle(by, id, rule);
  return { id, status: itemState.running };
}
