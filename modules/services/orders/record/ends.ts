import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayOf, daysLater, momentOf } from '#kernel/contract/moment.ts';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { actOnTicket, endTicket, forceTicket, holdTickets } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { feeState, orderStage, rating, standsAs } from '../contract/codes.ts';
import { finishedBare, type orders as calls } from '../contract/orders.ts';
import {
  notNow,
  notOpen,
  onlyReporter,
  ownWork,
  ratedAlready,
  ratedLate,
  sameOrder,
  takenAlready,
} from '../contract/refusals.ts';
import { orderCommentTable, orderEventTable, orderTable } from '../tables.ts';
import { allowedOn, openFor, stoodOf, use } from './acts.ts';
import { orderNews, overseers, tellOf } from './news.ts';
import { categoryOf, costOf, note, orders, whyUnfinished, type Order } from './record.ts';
import { hasPart, isReporter, lowScore, ratable, ratingDays, requireAction, type OrderAction } from './rights.ts';
import { givePhotos, handle, toDesk } from './write.ts';

type Asked = Omit<BodyOf<typeof calls.statePost>, 'remark'> & { remark?: string };
const fresh = async (tx: Db, id: number) => (await orders.one(tx, id))!;

/** The action that a state number means for an order in its present stage. */
function actionOf(row: Order, s: number): OrderAction {
  const meant: Record<number, OrderAction> = {
    1: row.stage === orderStage.hung ? 'resume' : 'rework',
    3: 'withdraw',
    4: 'confirm',
    5: 'close',
    6: 'finish',
  };
  const action = meant[s];
  if (!action) throw invalid([{ field: 's', label: '状态', msg: `不能直接改为 ${s}，请按页面上的操作办理` }]);
  return action;
}

/** Changes the state by an address without a body: a stored result stays, else the remark counts as one if it is long enough, else a default sentence. */
export async function changeByAddress(context: Writing, id: number, { s, remark }: { s: number; remark: string }) {
  const finished = s === 6 && !(await resultOf(context.tx, id)) ? resultFrom(remark) : undefined;
  return change(context, id, { s, remark, result: finished });
}
const leastResult = 5;
const resultFrom = (remark: string) => (remark.length < leastResult ? finishedBare : remark);
async function resultOf(tx: Db, id: number): Promise<string> {
  const [row] = await tx.select({ result: orderTable.result }).from(orderTable).where(eq(orderTable.id, id));
  return row && row.result.length >= leastResult ? row.result : '';
}

/** Changes the state of an order. One that has it already stays as it is, and is answered so. */
export async function change(
  context: Writing,
  id: number,
  { s, remark = '', result, result_photos, materials, fee, version }: Asked,
) {
  const { tx } = context;
  const row = await openFor(context, id, version);
  // A repetition by somebody involved is answered as done; other calls are checked as usual.
  const repeated =
    row.state === s && !(s === 1 && row.stage === orderStage.hung) && (result ?? row.result) === row.result;
  if (repeated && hasPart(context.user, row)) return stoodOf(context, id);
  const action = actionOf(row, s);
  if (action === 'withdraw' && row.accept_at !== null && row.stage < orderStage.finished) throw takenAlready('');
  const allowed = await allowedOn(context, row);
  if ((action === 'confirm' || action === 'rework') && row.stage === orderStage.finished && !allowed.includes(action))
    throw onlyReporter(action === 'confirm' ? '确认' : '返工');
  requireAction(row, allowed, action);
  if (action === 'finish') {
    if ((result ?? row.result).length < leastResult)
      throw invalid([{ field: 'result', label: '处理结果', msg: `请填写处理结果，至少 ${leastResult} 个字` }]);
    const photos = result_photos ?? row.result_photos;
    await givePhotos(tx, row, context.user, photos, row.result_photos);
    await use(context, row, materials);
    await orders.set(tx, row, {
      result: result ?? row.result,
      result_photos: photos,
      ...(fee === undefined || fee === row.fee ? {} : { fee, fee_state: feeState.none }),
    });
  }
  await settle(context, row, action, remark);
  context.audit({ ...orders.standing(row, await fresh(tx, id)), title: row.sn });
  return stoodOf(context, id);
}

/** Ends an order, or withdraws it, on its ticket; `as` is the person who confirms in the place of the task's holder. */
export async function settle(
  context: Writing,
  row: Order,
  action: OrderAction,
  remark: string,
  as?: 'visitor',
): Promise<void> {
  const { tx, user } = context;
  const ticket = row.ticket_id;
  const by = as ?? (isReporter(user, row) ? undefined : ('another' as const));
  if (action === 'finish') {
    const mine = row.handler_id === user.id;
    const done = await fresh(tx, row.id);
    // Finishing in the handler's place has the same conditions; the ticket would allow the force without them.
    const why = mine ? null : whyUnfinished(done, await categoryOf(tx, row.category_id), await costOf(tx, done));
    if (why) throw why;
    const handler = mine ? user.username : (await peopleById(tx, [row.handler_id!])).get(row.handler_id!)!.username;
    const said = { suggestion: remark, fields: { handlers: [handler] } };
    return handle(context, ticket!, 'repair', 'confirm', { ...said, ...(mine ? {} : { as: 'another' }) });
  }
  if (action === 'confirm')
    return handle(context, ticket!, 'confirm', 'end', { suggestion: remark, ...(by && { as: by }) });
  if (action === 'resume') {
    if (row.handler_id === user.id)
      return void (await actOnTicket(context, ticket!, { type: 'resume', suggestion: remark }));
    return forceTicket(context, ticket!, { type: 'resume', suggestion: remark }, { owner: user.id });
  }
  if (!remark && action !== 'withdraw') throw invalid([{ field: 'remark', label: '说明', msg: '请说明原因' }]);
  if (action === 'rework') {
    await handle(context, ticket!, 'confirm', 'repair', { suggestion: remark, ...(by && { as: by }) });
    if (row.handler_id !== null && (await workingAmong(tx, [row.handler_id])).length === 0)
      await toDesk(context, row, ticket!, '原办理人已离岗，请重新派单', []);
    return;
  }
  const visitor = as ? { ...context, user: null } : context;
  if (action === 'withdraw')
    return forceTicket(visitor, ticket!, { type: 'retreat', suggestion: remark }, { name: '来访人' });
  if (ticket !== null) return endTicket(visitor, ticket, remark);
  // An order from outside that is not accepted yet has no ticket.
  await orders.set(tx, row, {
    act_state: actState.closed,
    stage: orderStage.closed,
    due_at: null,
    next_at: null,
    runs_since: null,
  });
  const kind = as ? 'withdraw' : 'close';
  await note(context, row.id, kind, as ?? user.id, remark);
  if (as) await tellOf(tx, row, kind, { by: null, words: remark, holders: [], visited: true });
}
/** True if the same rating was sent a moment ago: a double click is no addition. */
async function saidAlready(tx: Db, order: number, { score, content }: { score: number; content: string }) {
  const c = orderCommentTable;
  const same = and(eq(c.order_id, order), eq(c.score, score), eq(c.content, content));
  return (await tx.$count(orderCommentTable, and(same, sql`${c.at} > now() - interval '1 minute'`))) > 0;
}

/** Rates a repair: by the reporter, once, with one addition; an order that waits for confirmation is confirmed by it. */
export async function rate(
  context: Writing,
  row: Order,
  { score, speed, quality, attitude, content }: BodyOf<typeof calls.comment>,
  as?: 'visitor',
): Promise<void> {
  const { tx, now, user } = context;
  if (!as && !isReporter(user, row)) throw onlyReporter('评价');
  const worked = as
    ? 0
    : await tx.$count(
        orderEventTable,
        and(
          eq(orderEventTable.order_id, row.id),
          eq(orderEventTable.user_id, user.id),
          inArray(orderEventTable.kind, ['take', 'start', 'finish', 'hang']),
        ),
      );
  if (worked > 0 || (!as && row.handler_id === user.id)) throw ownWork();
  if (!orderStage.is(row.stage, orderStage.finished, orderStage.confirmed, orderStage.rated))
    throw notNow(row.sn, standsAs(row), '评价');
  if (!ratable(row, now)) throw ratedLate(dayOf(daysLater(momentOf(row.finish_at!), ratingDays)));
  if (row.stage === orderStage.finished) await settle(context, row, 'confirm', '评价并确认', as);
  const is_addition = row.stage === orderStage.rated;
  if (is_addition && (await saidAlready(tx, row.id, { score, content }))) return;
  await tx
    .insert(orderCommentTable)
    .values({ order_id: row.id, is_addition, user_id: as ? null : user.id, score, speed, quality, attitude, content })
    .catch(refuseOn('order_comment_once', () => ratedAlready(is_addition ? '已追加过评价' : '已评价过')));
  const said = is_addition ? { added_score: score } : { stage: orderStage.rated, score };
  await orders.set(tx, await fresh(tx, row.id), said);
  context.audit({ type: '订单', id: row.id, title: row.sn, after: { 评价: rating.label(score) } });
  const by = as ? null : user.id;
  const rated = `${row.sn} ${is_addition ? '追加评价' : '评价'}为“${rating.label(score)}”`;
  await announce(
    tx,
    orderNews.ORDER_SAID,
    row,
    { content: `${rated}${content && `：${content}`}`, by, occasion: `rated ${is_addition}` },
    [row.handler_id],
  );
  if (score <= lowScore)
    await announce(
      tx,
      orderNews.ORDER_LOWSCORE,
      row,
      {
        content: `${row.sn} 评价为“${rating.label(score)}”：${content || '没有说明'}。请回访报修人`,
        by,
        occasion: String(is_addition),
      },
      overseers(row),
    );
}
export async function comment(context: Writing, id: number, body: BodyOf<typeof calls.comment>) {
  await rate(context, await openFor(context, id), body);
  return stoodOf(context, id);
}

/**
 * Closes an order as a duplicate of an open one. Both tickets are locked in ascending order of id, so that two opposite merges at once
 * close only one.
 */
export async function merge(context: Writing, id: number, { into, reason }: BodyOf<typeof calls.merge>) {
  const { tx, user } = context;
  if (into === id) throw sameOrder();
  const viewer = await orders.viewerOf(tx, user);
  const seen = [await orders.requireVisible(tx, viewer, id), await orders.requireVisible(tx, viewer, into)];
  for (const one of seen.toSorted((a, b) => (a.ticket_id ?? 0) - (b.ticket_id ?? 0)))
    if (one.ticket_id !== null) await holdTickets(tx, [one.ticket_id]);
  await tx
    .select({ id: orderTable.id })
    .from(orderTable)
    .where(inArray(orderTable.id, [id, into]))
    .orderBy(orderTable.id)
    .for('update');
  const [row, target] = [await orders.requireVisible(tx, viewer, id), await orders.requireVisible(tx, viewer, into)];
  for (const one of [row, target])
    if (one.stage < orderStage.reported || one.stage > orderStage.finished)
      throw notOpen(one.sn, orderStage.label(one.stage));
  requireAction(row, await allowedOn(context, row), 'merge');
  requireAction(target, await allowedOn(context, target), 'merge');
  await settle(context, row, 'close', `并入 ${target.sn}：${reason}`);
  await orders.set(tx, await fresh(tx, id), { merged_into: into });
  await note(context, id, 'merge', user.id, `并入 ${target.sn}：${reason}`);
  await note(context, into, 'merge', user.id, `${row.sn} 并入：${reason}`);
  context.audit({ type: '订单', id, title: row.sn, after: { 并入: target.sn, 原因: reason } });
  return { id: into };
}

/** Records that the reporter was called back. */
export async function visit(context: Writing, id: number, words: string) {
  const row = await openFor(context, id);
  if (!(await allowedOn(context, row)).includes('visit'))
    throw row.stage < orderStage.confirmed ? notNow(row.sn, standsAs(row), '回访') : absent('待回访的订单');
  await note(context, id, 'visit', context.user.id, words);
  context.audit({ type: '订单', id, title: row.sn, after: { 回访: words } });
  return { id };
}
