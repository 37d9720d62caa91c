import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import { workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { attachAll } from '#modules/platform/files/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { checkState, subState } from '../contract/codes.ts';
import { checkedBefore, evidenceMissing, pending, percentWrong, reasonNeeded } from '../contract/refusals.ts';
import type { progress } from '../contract/hung.ts';
import { clockOf, nextFeedback } from '../record/lights.ts';
import { closeNews, peopleOf, superviseNews, type By } from '../record/news.ts';
import { actsFor, demand, demandCheck, partOf, subActions } from '../record/rights.ts';
import { stagesOf } from '../record/sub-rows.ts';
import { at, settle } from '../record/settle.ts';
import { module, requireSub, type Asker } from '../record/visibility.ts';
import { progressTable, stageTable, subTable } from '../tables.ts';
import { lapse } from './change.ts';

/** 反馈: a progress report of a part; it counts once accepted. */
export async function report(by: By, asker: Asker, body: BodyOf<typeof progress.report>): Promise<{ id: number }> {
  const { tx, user, now, audit } = by;
  const { sub_id, files, ...said } = body;
  const { item, sub } = await requireSub(tx, asker, sub_id, true);
  demand(subActions(item, sub, asker, partOf(asker, item)), 'report', sub);
  const { percent, is_finish, reason } = said;
  if (percent < sub.progress && reason === '')
    throw reasonNeeded(`完成比例由已认可的 ${sub.progress}% 降为 ${percent}%`);
  if (is_finish !== (percent === 100))
    throw percentWrong(percent, is_finish ? '不是 100%，不能申请完成' : '应同时申请完成');
  const known = await stagesOf(tx, [sub_id]);
  const ticked = new Set(said.stages);
  const unknown = [...ticked].find((no) => !known.some((one) => one.no === no));
  if (unknown !== undefined)
    throw invalid([{ field: 'stages', label: '阶段', msg: `没有第 ${unknown} 个阶段，请重新选择` }]);
  const unproven = known.filter(
    (one) => one.evidence && one.done_at === null && (ticked.has(one.no) || is_finish) && files.length === 0,
  );
  const untold = is_finish ? known.filter((one) => one.evidence && one.done_at === null && !ticked.has(one.no)) : [];
  if (unproven.length + untold.length > 0)
    throw evidenceMissing([...new Set([...unproven, ...untold].map((one) => one.title))]);
  const clock = await clockOf(tx);
  const reporter_for = actsFor(asker, [sub.owner, ...sub.co_users]);
  const [row] = await tx
    .insert(progressTable)
    .values({
      ...said,
      supervise_id: item.id,
      sub_id,
      before: sub.progress,
      stages: known.map((one) => one.no).filter((no) => ticked.has(no)),
      attachments: files,
      reporter: user.id,
      gmt_created: at(now)!,
      reporter_for,
      check_due: at(workingDaysAfter(now, clock.check_days, clock.calendar))!,
    })
    .returning({ id: progressTable.id })
    .catch(refuseOn('supervise_progress_one', () => pending(`“${sub.title}”上次反馈的审核`)));
  await attachAll(tx, { fileIds: files, module, recordId: `sub-${sub_id}`, user });
  await tx
    .update(subTable)
    .set({
      status: is_finish ? subState.toCheck : subState.running,
      reported: percent,
      next_feedback: at(nextFeedback(item.feedback_cycle, now, clock)),
      opened_at: sub.opened_at ?? at(now),
      opened_by: sub.opened_by ?? user.id,
    })
    .where(eq(subTable.id, sub_id));
  await closeNews(by, [sub_id], 'SUP_ISSUED', 'SUP_RETURNED', 'SUP_BEHIND');
  await announce(
    by.tx,
    superviseNews.SUP_CHECK,
    [item, sub],
    {
      content: `${user.alias}反馈 ${percent}%${is_finish ? '，申请完成' : ''}，请审核。`,
      by: by.user.id,
      occasion: String(row!.id),
    },
    [item.supervisor],
  );
  audit({
    type: '督办进展',
    id: row!.id,
    title: sub.title,
    before: { 完成比例: sub.progress },
    after: { 完成比例: percent, 申请完成: is_finish },
  });
  await settle(by, item.id, clock);
  return { id: row!.id };
}

/** 审核: accepts or returns a report; once, and never one's own. */
export async function check(by: By, asker: Asker, id: number, { result, opinion }: BodyOf<typeof progress.check>) {
  const { tx, user, now, audit } = by;
  const [asked] = await tx.select().from(progressTable).where(eq(progressTable.id, id));
  if (!asked) throw absent('进展');
  const { item, sub, inside } = await requireSub(tx, asker, asked.sub_id, true, '进展');
  if (!inside) throw absent('进展');
  demandCheck(item, sub, asker, partOf(asker, item), [asked.reporter, asked.reporter_for]);
  if (result === 2 && opinion === '') throw reasonNeeded('退回进展');
  const checker_for = actsFor(asker, [item.supervisor, item.leader]);
  const [row] = await tx
    .update(progressTable)
    .set({ check_state: result, check_opinion: opinion, checker: user.id, checker_for, check_time: at(now) })
    .where(and(eq(progressTable.id, id), eq(progressTable.check_state, checkState.waiting)))
    .returning();
  if (!row) {
    const [before] = await tx
      .select({ checker: progressTable.checker })
      .from(progressTable)
      .where(eq(progressTable.id, id));
    throw checkedBefore((await peopleById(tx, [before!.checker!])).get(before!.checker!)?.alias ?? '他人');
  }
  const accepted = result === 1;
  const status = accepted
    ? row.is_finish
      ? subState.finished
      : subState.running
    : row.is_finish
      ? subState.returned
      : sub.status;
  const percent = accepted ? row.percent : sub.progress;
  await tx
    .update(subTable)
    .set({
      status,
      progress: percent,
      reported: percent,
      done_at: accepted && row.is_finish ? row.gmt_created : null,
    })
    .where(eq(subTable.id, sub.id));
  if (accepted && row.stages.length > 0)
    await tx
      .update(stageTable)
      .set({ done_at: row.gmt_created })
      .where(and(eq(stageTable.sub_id, sub.id), inArray(stageTable.no, row.stages), isNull(stageTable.done_at)));
  if (status === subState.finished) await lapse(by, [sub.id], '任务已完成');
  await closeNews(by, [sub.id], 'SUP_CHECK', ...(status === subState.finished ? (['SUP_REQUEST'] as const) : []));
  await announce(
    by.tx,
    superviseNews.SUP_RETURNED,
    [item, sub],
    {
      content: `${accepted ? `认可 ${row.percent}%` : '进展已退回'}${opinion && `：${opinion}`}`,
      by: by.user.id,
      occasion: String(id),
    },
    accepted ? [row.reporter] : [row.reporter, ...(await peopleOf(by, sub, false))],
  );
  audit({
    type: '督办进展',
    id,
    title: sub.title,
    after: { 审核: accepted ? '通过' : '退回', 意见: opinion, 状态: subState.label(status) },
  });
  await settle(by, item.id, await clockOf(tx));
  return { id, status };
}

/** The first opening by a person who has to do a part signs for it, on any device; opening an item marks it as seen. */
export async function opened(tx: By['tx'], { user, ids }: Asker, itemId: number): Promise<void> {
  await tx.execute(
    sql`insert into supervise_seen (supervise_id, user_id) values (${itemId}, ${user.id}) on conflict do nothing`,
  );
  const mine = sql`(${subTable.owner} = any(${sql.param([...ids])}::int[]) or ${user.id} = any(${subTable.co_users}))`;
  await tx
    .update(subTable)
    .set({ status: subState.running, opened_at: sql`now()`, opened_by: user.id })
    .where(
      and(
        eq(subTable.supervise_id, itemId),
        eq(subTable.status, subState.issued),
        sql`${subTable.issued_at} is not null`,
        mine,
      ),
    );
}
