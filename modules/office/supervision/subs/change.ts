import { and, eq, inArray, notInArray } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { checkState, itemState, requestState, subState } from '../contract/codes.ts';
import { lastSub, pending } from '../contract/refusals.ts';
import type { subs } from '../contract/supervise.ts';
import { clockOf } from '../record/lights.ts';
import { closeNews, peopleOf, superviseNews, type By } from '../record/news.ts';
import { barred, demand, leaderDecides, partOf, subActions } from '../record/rights.ts';
import { at, settle } from '../record/settle.ts';
import { isOpenRequest } from '../record/sub-rows.ts';
import { passSheets } from './sheets.ts';
import { requireSub, type Asker, type Item, type Sub } from '../record/visibility.ts';
import { demandStagesWithin, demandWorking, moveDue, setStages } from '../record/write.ts';
import { progressTable, requestTable, subTable } from '../tables.ts';

/** Gives a part to another owner, who signs for it anew. */
export async function handOn(by: By, item: Item, sub: Sub, to: number): Promise<void> {
  const { tx } = by;
  await demandWorking(tx, [to]);
  const person = (await peopleById(tx, [to])).get(to)!;
  const dept = person.dept_id ?? sub.dept;
  const anew = item.status === itemState.draft ? {} : { opened_at: null, opened_by: null, status: subState.issued };
  await tx
    .update(subTable)
    .set({ owner: to, dept, ...anew })
    .where(eq(subTable.id, sub.id));
  if (item.status === itemState.draft) return;
  await closeNews(by, [sub.id], 'SUP_ISSUED', 'SUP_NEAR', 'SUP_BEHIND', 'SUP_OVERDUE', 'SUP_SHEET');
  await announce(
    by.tx,
    superviseNews.SUP_ISSUED,
    [item, sub],
    {
      content: `由${person.alias}承办，请于 ${sub.due_at.slice(0, 16)} 前完成。`,
      by: by.user.id,
      occasion: `${to}-${sub.version}`,
    },
    [to, sub.owner, item.supervisor],
  );
  await passSheets(by, item, { ...sub, owner: to, dept });
}

/** Changes a part. After issue, the owner is changed by the supervisor, or by the head of its department within it. */
export async function changeSub(by: By, asker: Asker, id: number, body: BodyOf<typeof subs.update>) {
  const { tx, audit } = by;
  const { item, sub } = await requireSub(tx, asker, id, true);
  const part = partOf(asker, item);
  const actions = subActions(item, sub, asker, part);
  const { version, stages, owner, due_at, due_reason = '', ...rest } = body;
  checkVersion('子任务', sub, version, sub);
  const sent = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const moves = owner !== undefined && owner !== sub.owner;
  const inside = moves && !part.supervises ? (await peopleById(tx, [owner])).get(owner)?.dept_id === sub.dept : true;
  const alone = moves && Object.keys(sent).length === 0 && !stages && !due_at;
  demand(actions, alone && inside ? (item.status === itemState.draft ? 'update' : 'hand_on') : 'update', sub);
  if (moves && sub.status === subState.toCheck) throw pending(`“${sub.title}”反馈的审核`);
  const rule = await clockOf(tx);
  await demandWorking(tx, body.co_users ?? []);
  if (due_at) {
    const kept = (leaderDecides(item, rule) && !part.leads) || barred(item, sub, asker.ids);
    if (item.status !== itemState.draft && kept) demand([], 'move_due', sub);
    await moveDue(by, { item, sub }, due_at, due_reason);
  }
  await tx
    .update(subTable)
    .set({ ...sent, ...touched(subTable) })
    .where(eq(subTable.id, id));
  if (stages) await setStages(tx, id, stages);
  if (stages || due_at) await demandStagesWithin(tx, id, due_at ?? sub.due_at);
  if (moves) await handOn(by, item, { ...sub, due_at: due_at ?? sub.due_at }, owner);
  const logged = {
    任务: body.title ?? sub.title,
    ...(moves ? { 责任人: owner } : {}),
    ...(due_at ? { 时限: due_at, 原因: due_reason } : {}),
  };
  audit({
    type: '督办任务',
    id,
    title: sub.title,
    before: { 任务: sub.title, 责任人: sub.owner, 时限: sub.due_at },
    after: logged,
  });
  if (item.status !== itemState.draft) await settle(by, item.id, rule);
  return { id, status: sub.status };
}

/** Lapses undecided requests of parts that are over. */
export async function lapse({ tx, now }: Pick<By, 'tx' | 'now'>, subIds: readonly number[], opinion: string) {
  await tx
    .update(requestTable)
    .set({ state: requestState.lapsed, opinion, decided_at: at(now) })
    .where(and(inArray(requestTable.sub_id, [...subIds]), isOpenRequest));
}

/** Cancels parts: their pending reports and requests lapse. */
export async function cancelSubs(
  by: By,
  item: Item,
  rows: readonly Sub[],
  reason: string,
  last = false,
): Promise<void> {
  const { tx, now, user } = by;
  const ids = rows.map((sub) => sub.id);
  if (ids.length === 0) return;
  const kept = and(
    eq(subTable.supervise_id, item.id),
    notInArray(subTable.id, ids),
    notInArray(subTable.status, [subState.cancelled]),
  );
  if (!last && (await tx.$count(subTable, kept)) === 0) throw lastSub(rows[0]!.title);
  await tx.update(subTable).set({ status: subState.cancelled, rested_at: null }).where(inArray(subTable.id, ids));
  await tx
    .update(progressTable)
    .set({ check_state: checkState.returned, check_opinion: reason, checker: user.id, check_time: now.toISOString() })
    .where(and(inArray(progressTable.sub_id, ids), eq(progressTable.check_state, checkState.waiting)));
  await lapse(by, ids, reason);
  await closeNews(
    by,
    ids,
    'SUP_ISSUED',
    'SUP_NEAR',
    'SUP_BEHIND',
    'SUP_OVERDUE',
    'SUP_CHECK',
    'SUP_REQUEST',
    'SUP_RETURNED',
    'SUP_SHEET',
  );
  for (const sub of rows)
    await announce(
      by.tx,
      superviseNews.SUP_DECIDED,
      [item, sub],
      { content: `已取消：${reason}`, by: by.user.id, occasion: `cancelled-${sub.version}` },
      await peopleOf(by, sub),
    );
}

export async function cancelSub(by: By, asker: Asker, id: number, reason: string) {
  const { item, sub } = await requireSub(by.tx, asker, id, true);
  demand(subActions(item, sub, asker, partOf(asker, item)), 'cancel', sub);
  await cancelSubs(by, item, [sub], reason);
  by.audit({ type: '督办任务', id, title: sub.title, after: { 状态: '已取消', 原因: reason } });
  await settle(by, item.id, await clockOf(by.tx));
  return { id, status: subState.cancelled };
}

export async function removeSub(by: By, asker: Asker, id: number): Promise<void> {
  const { item, sub } = await requireSub(by.tx, asker, id, true);
  demand(subActions(item, sub, asker, partOf(asker, item)), 'drop', sub);
  await by.tx.delete(subTable).where(eq(subTable.id, id));
  by.audit({ type: '督办任务', id, title: sub.title, before: { 任务: sub.title } });
}
