import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent, invalid, unfilled } from '#kernel/contract/refusal.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import { workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { attachAll } from '#modules/platform/files/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { requestKind, requestState, subState } from '../contract/codes.ts';
import {
  checkedBefore,
  dueWrong,
  extendedBefore,
  notAllowed,
  ownReport,
  pending,
  tooLate,
} from '../contract/refusals.ts';
import type { requests } from '../contract/hung.ts';
import { clockOf } from '../record/lights.ts';
import { closeNews, closeRequestNews, ownOccasion, peopleOf, superviseNews, type By } from '../record/news.ts';
import { actsFor, demand, leaderDecides, partOf, subActions } from '../record/rights.ts';
import { at, readItem, settle } from '../record/settle.ts';
import { isOpenRequest } from '../record/sub-rows.ts';
import { module, requireSub, type Asker, type Sub } from '../record/visibility.ts';
import { dueAfterItem, moveDue } from '../record/write.ts';
import { requestTable, subTable } from '../tables.ts';
import { cancelSubs, handOn } from './change.ts';
import { decides, isOwn } from './hung.ts';

/** Refuses a new due time that is not later than the present one, both on request and on decision. */
function demandLater({ due_at }: Sub, due: string, now: Date): void {
  if (momentOf(due) <= now) throw dueWrong('延期后', due.slice(0, 16), '已经过去');
  if (momentOf(due) <= momentOf(due_at))
    throw dueWrong('延期后', due.slice(0, 16), `不晚于现在的时限 ${due_at.slice(0, 16)}`);
}

/** The reason stored on the item. People of other parts read it, so it names neither the part nor the request. */
const alongWithSub = '随子任务延期';

const actionOf = { 1: 'extend', 2: 'object', 3: 'reassign' } as const;
const agreed = 2;

/** 申请: more time before the due time, an objection in the first days, or another owner. */
export async function ask(
  by: By,
  asker: Asker,
  { files, ...body }: BodyOf<typeof requests.create>,
): Promise<{ id: number }> {
  const { tx, user, now, audit } = by;
  const { item, sub } = await requireSub(tx, asker, body.sub_id, true);
  const kind = body.kind as 1 | 2 | 3;
  demand(subActions(item, sub, asker, partOf(asker, item)), actionOf[kind], sub);
  const rule = await clockOf(tx);
  if (kind === requestKind.extend) {
    if (momentOf(sub.due_at) <= now) throw tooLate('延期', sub.due_at.slice(0, 16));
    const lacking = [
      ...(body.apply_due ? [] : [{ field: 'apply_due', label: '申请延至', msg: unfilled }]),
      ...(body.done_so_far ? [] : [{ field: 'done_so_far', label: '目前进展', msg: unfilled }]),
    ];
    if (lacking.length > 0 || !body.apply_due) throw invalid(lacking);
    demandLater(sub, body.apply_due, now);
    const before = await tx.$count(
      requestTable,
      and(eq(requestTable.sub_id, sub.id), eq(requestTable.kind, kind), eq(requestTable.state, agreed)),
    );
    if (before >= rule.extend_times) throw extendedBefore(rule.extend_times);
  }
  if (kind === requestKind.object) {
    const until = workingDaysAfter(momentOf(sub.issued_at!), rule.objection_days, rule.calendar);
    if (now > until) throw tooLate('异议', at(until)!.slice(0, 16));
  }
  if (kind === requestKind.reassign && (!body.to || body.to === sub.owner))
    throw invalid([{ field: 'to', label: '建议由谁承办', msg: body.to ? '已是现在的责任人，请另选' : unfilled }]);
  const by_for = actsFor(asker, [sub.owner]);
  const asked = { ...body, apply_due: kind === requestKind.extend ? body.apply_due! : null, to: body.to ?? null };
  const [row] = await tx
    .insert(requestTable)
    .values({ ...asked, supervise_id: item.id, attachments: files, by: user.id, by_for })
    .returning({ id: requestTable.id })
    .catch(refuseOn('supervise_request_one', () => pending(`“${sub.title}”已有的${requestKind.label(kind)}申请`)));
  await attachAll(tx, { fileIds: files, module, recordId: `sub-${sub.id}`, user });
  const decider = kind === requestKind.extend && leaderDecides(item, rule) ? item.leader : item.supervisor;
  await announce(
    by.tx,
    superviseNews.SUP_REQUEST,
    [item, sub],
    {
      content: `${user.alias}申请${requestKind.label(kind)}：${body.reason}`,
      by: by.user.id,
      occasion: ownOccasion(row!.id),
    },
    [decider],
  );
  audit({
    type: '督办申请',
    id: row!.id,
    title: sub.title,
    after: { 申请: requestKind.label(kind), 原因: body.reason },
  });
  if (kind === requestKind.object) {
    await tx
      .update(subTable)
      .set({ rested_at: at(now) })
      .where(eq(subTable.id, sub.id));
    await settle(by, item.id, rule);
  }
  return { id: row!.id };
}

async function decidedBefore(tx: By['tx'], id: number) {
  const [{ state, decider } = { state: requestState.lapsed, decider: null }] = await tx
    .select()
    .from(requestTable)
    .where(eq(requestTable.id, id));
  if (state === requestState.withdrawn) return checkedBefore('申请人（已撤回）');
  if (decider === null) return checkedBefore('系统（任务已结束）');
  return checkedBefore((await peopleById(tx, [decider])).get(decider)?.alias ?? '他人');
}

/** 撤回: by the requester; after an objection the clock runs again. */
export async function withdraw(by: By, asker: Asker, id: number) {
  const { tx, now, audit } = by;
  const [asked] = await tx.select().from(requestTable).where(eq(requestTable.id, id));
  if (!asked) throw absent('督办申请');
  const { item, sub, inside } = await requireSub(tx, asker, asked.sub_id, true, '督办申请');
  if (!inside && !isOwn(asker, asked)) throw absent('督办申请');
  const what = `${requestKind.label(asked.kind)}申请`;
  if (!isOwn(asker, asked)) throw notAllowed(what, requestState.label(asked.state), '撤回', '申请人');
  const [row] = await tx
    .update(requestTable)
    .set({ state: requestState.withdrawn, decided_at: at(now) })
    .where(and(eq(requestTable.id, id), isOpenRequest))
    .returning();
  if (!row) throw await decidedBefore(tx, id);
  if (row.kind === requestKind.object)
    await tx.update(subTable).set({ rested_at: null }).where(eq(subTable.id, sub.id));
  await closeRequestNews(by, sub.id, id);
  audit({ type: '督办申请', id, title: sub.title, after: { 申请: requestKind.label(row.kind), 状态: '撤回' } });
  const { status } = await settle(by, item.id, await clockOf(tx));
  return { id, status };
}

export async function decide(
  by: By,
  asker: Asker,
  id: number,
  { result, opinion, due_at, with_item }: BodyOf<typeof requests.check>,
) {
  const { tx, user, now, audit } = by;
  const [asked] = await tx.select().from(requestTable).where(eq(requestTable.id, id));
  if (!asked) throw absent('督办申请');
  const { item, sub, inside } = await requireSub(tx, asker, asked.sub_id, true, '督办申请');
  if (!inside && !isOwn(asker, asked)) throw absent('督办申请');
  const rule = await clockOf(tx);
  const what = `${requestKind.label(asked.kind)}申请`;
  if (isOwn(asker, asked)) throw ownReport(what);
  if (!decides(asker, item, asked, rule))
    throw notAllowed(what, requestState.label(asked.state), '决定申请', '督办人（紧急事项的延期由批示领导）');
  if (result === 1 && asked.to !== null && sub.status === subState.toCheck) throw pending(`“${sub.title}”反馈的审核`);
  const state = result + 1;
  const [row] = await tx
    .update(requestTable)
    .set({ state, opinion, decider: user.id, decided_at: at(now) })
    .where(and(eq(requestTable.id, id), isOpenRequest))
    .returning();
  if (!row) throw await decidedBefore(tx, id);
  if (row.kind === requestKind.object)
    await tx.update(subTable).set({ rested_at: null }).where(eq(subTable.id, sub.id));
  if (state === agreed) {
    const due = due_at ?? row.apply_due;
    if (row.kind === requestKind.extend) {
      demandLater(sub, due!, now);
      if (with_item && momentOf(due!) > momentOf(item.due_at!))
        await moveDue(by, { item, sub: null }, due!, alongWithSub);
      await moveDue(by, { item: await readItem(tx, item.id), sub }, due!, `延期：${row.reason}`).catch(
        dueAfterItem(sub.title, due!),
      );
    } else if (row.to !== null) await handOn(by, item, sub, row.to);
    else await cancelSubs(by, item, [sub], `异议成立：${opinion}`);
  }
  await closeRequestNews(by, sub.id, id);
  if (state === agreed) await closeNews(by, [sub.id], 'SUP_NEAR', 'SUP_OVERDUE');
  await announce(
    by.tx,
    superviseNews.SUP_DECIDED,
    [item, sub],
    { content: `${what}${requestState.label(state)}：${opinion}`, by: by.user.id, occasion: String(id) },
    [row.by, ...(await peopleOf(by, sub, false))],
  );
  audit({ type: '督办申请', id, title: sub.title, after: { 决定: requestState.label(state), 意见: opinion } });
  const { status } = await settle(by, item.id, rule);
  return { id, status, state };
}
