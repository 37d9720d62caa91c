import { and, desc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { BodyOf } from '#kernel/contract/call.ts';
import { moneyText } from '#kernel/contract/money/money.ts';
import { daysLater, momentText } from '#kernel/contract/moment.ts';
import { codes, invalid, Refusal, unfilled } from '#kernel/contract/refusal.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { actOnTicket, actionsOn, forceTicket } from '#modules/workflow/tickets/service.ts';
import type { Act } from '../contract/codes.ts';
import { feeState, orderStage } from '../contract/codes.ts';
import type { orders as calls } from '../contract/orders.ts';
import { feeAfterFinish, feePending, sentBy, stornoOff, takenBy } from '../contract/refusals.ts';
import type { Material } from '../contract/shapes.ts';
import { turnClock } from './clock.ts';
import { orderEventTable, orderMaterialTable as m } from '../tables.ts';
import { tellMoved } from './news.ts';
import { categoryOf, costOf, note, orders, paceOf, type Order } from './record.ts';
import { actionsOf, isDesk, requireAction, type OrderAction } from './rights.ts';
import { dispatch, accept, edit, handle, refuseUnkept } from './write.ts';

type Body = BodyOf<typeof calls.act>;
/** The limit of days for which an order is suspended. */
const mostHung = 90;
const required = (field: string, label: string) => invalid([{ field, label, msg: unfilled }]);

/** The actions open to the user on an order that they see. */
export async function allowedOn(
  { tx, user, now }: Pick<Writing, 'tx' | 'user' | 'now'>,
  row: Order,
): Promise<OrderAction[]> {
  const pooled = row.stage === orderStage.assigned && row.handler_id === null && row.ticket_id !== null;
  const offered = pooled
    ? await actionsOn(tx, await orders.ticketsOf(tx, await orders.viewerOf(tx, user)), row.ticket_id!)
    : [];
  return actionsOf(row, user, offered, now);
}
/** The state of an order after an action, and the actions open now. */
export async function stoodOf(context: Pick<Writing, 'tx' | 'user' | 'now'>, id: number) {
  const row = (await orders.one(context.tx, id))!;
  return { state: row.state, stage: row.stage, actions: await allowedOn(context, row) };
}
/** Locks an order that the user sees, and checks its version. */
export async function openFor(context: Writing, id: number, version?: number): Promise<Order> {
  const row = await orders.requireForUpdate(context.tx, await orders.viewerOf(context.tx, context.user), id);
  checkVersion('订单', row, version, null);
  return row;
}

/** Adds used materials, or reverses a row. */
export async function use(
  { tx, user }: Writing,
  row: Order,
  lines: readonly z.output<typeof Material>[] = [],
  storno?: number,
): Promise<void> {
  if (lines.length > 0)
    await tx.insert(m).values(lines.map((line) => ({ ...line, order_id: row.id, user_id: user.id })));
  if (storno === undefined) return;
  const [known] = await tx
    .select()
    .from(m)
    .where(
      and(
        eq(m.id, storno),
        eq(m.order_id, row.id),
        sql`${m.storno_of} is null and not exists (select from order_material s where s.storno_of = ${storno})`,
      ),
    );
  if (!known) throw stornoOff();
  const { name, spec, qty, price } = known;
  await tx.insert(m).values({ name, spec, price, qty: -qty, storno_of: storno, order_id: row.id, user_id: user.id });
}

async function take(context: Writing, row: Order): Promise<void> {
  if (row.stage === orderStage.taken && row.handler_id === context.user.id) return;
  if (row.handler_id !== null && row.handler_id !== context.user.id) {
    const who = (await peopleById(context.tx, [row.handler_id])).get(row.handler_id);
    throw takenBy(row.sn, who?.alias ?? '他人');
  }
  requireAction(row, await allowedOn(context, row), 'take');
  if (row.handler_id === null) return void (await actOnTicket(context, row.ticket_id!, { type: 'accept' }));
  await stand(context, row, 30);
  await note(context, row.id, 'take', context.user.id);
}
/** Sets a stage that the ticket does not have: accepted by the handler, or work begun. */
async function stand({ tx, now, audit }: Writing, row: Order, stage: 30 | 40): Promise<Order> {
  const accept_at = row.accept_at ?? now.toISOString();
  const next = await orders.set(tx, row, {
    stage,
    accept_at,
    ...(row.stage <= orderStage.assigned
      ? turnClock({ ...row, accept_at }, stage, now, await paceOf(tx, row.category_id, row.level))
      : {}),
  });
  audit(orders.standing(row, next));
  return next;
}

/** The handler suspends or resumes the ticket; the desk does so in the handler's place. */
async function pause(context: Writing, row: Order, type: 'suspend' | 'resume', suggestion: string): Promise<void> {
  const action = { type, suggestion };
  if (row.handler_id === context.user.id) return void (await actOnTicket(context, row.ticket_id!, action));
  await forceTicket(context, row.ticket_id!, action, { owner: context.user.id });
}

type Doing = (context: Writing, row: Order, body: Body, words: string) => Promise<unknown>;
const doings: Record<Act, Doing> = {
  edit: (context, row, body) => edit(context, row, body),
  take,
  accept: (context, row) => accept(context, row),
  assign: async (context, row, { handlers }, words) => dispatch(context, row, handlers ?? [], words),
  async refuse(context, row, _body, suggestion) {
    if (!suggestion) throw required('words', '说明');
    await handle(context, row.ticket_id!, 'desk', 'start', { suggestion, as: 'another' });
  },
  async release(context, row, _body, suggestion) {
    if (!suggestion) throw required('words', '说明');
    const offered = await actionsOn(
      context.tx,
      await orders.ticketsOf(context.tx, await orders.viewerOf(context.tx, context.user)),
      row.ticket_id!,
    );
    if (offered.includes('release')) return actOnTicket(context, row.ticket_id!, { type: 'release', suggestion });
    return handle(context, row.ticket_id!, 'repair', 'desk', { suggestion });
  },
  async start(context, row, _body, words) {
    await stand(context, row, 40);
    await note(context, row.id, 'start', context.user.id, words);
  },
  async progress(context, row, { appoint_time, photos }, words) {
    if (!words && appoint_time === undefined) throw required('words', '说明');
    const moved = appoint_time === undefined ? '' : `预约改为 ${appoint_time?.slice(0, 16) ?? '待定'}。`;
    if (moved && !words) throw required('words', '改约原因');
    if (appoint_time) refuseUnkept(appoint_time);
    if (photos?.length) throw invalid([{ field: 'photos', label: '照片', msg: '照片请在完工时提交' }]);
    await note(context, row.id, 'progress', context.user.id, `${moved}${words}`);
    if (!moved) return;
    const next = await orders.set(context.tx, row, { appoint_time: appoint_time ?? null });
    await tellMoved(context.tx, next, context.user.id, `${moved.slice(0, -1)}：${words}`);
  },
  async hang(context, row, { hang_kind, hang_until }, words) {
    if (!words) throw required('words', '说明');
    if (!hang_kind) throw required('hang_kind', '挂起原因');
    if (!hang_until) throw required('hang_until', '预计恢复时间');
    if (hang_until <= momentText(context.now))
      throw invalid([
        { field: 'hang_until', label: '预计恢复时间', msg: `${hang_until.slice(0, 16)} 已经过去，请选择以后的时间` },
      ]);
    const last = momentText(daysLater(context.now, mostHung));
    if (hang_until > last)
      throw invalid([
        {
          field: 'hang_until',
          label: '预计恢复时间',
          msg: `最多挂起 ${mostHung} 天，请选择 ${last.slice(0, 16)} 以前的时间`,
        },
      ]);
    await orders.set(context.tx, row, { hang_kind, hang_until, hang_reason: words });
    await pause(context, row, 'suspend', words);
  },
  resume: (context, row, _body, words) => pause(context, row, 'resume', words),
  async material(context, row, { materials, storno }) {
    if (!materials?.length && storno === undefined) throw required('materials', '材料');
    await use(context, row, materials, storno);
    const { cost, materials: used } = await costOf(context.tx, row);
    const { fee_limit } = await categoryOf(context.tx, row.category_id);
    // An approver agrees to the cost that was asked for.
    if (row.fee_state === feeState.asked && materials?.length && cost > row.fee_asked)
      throw feePending(row.fee_asked, cost);
    // After completion, no material may raise the cost above the approved amount.
    if (
      row.stage === orderStage.finished &&
      materials?.length &&
      cost > fee_limit &&
      !(row.fee_state === feeState.agreed && cost <= row.fee_asked)
    )
      throw feeAfterFinish(cost, used, fee_limit);
    await note(
      context,
      row.id,
      'material',
      context.user.id,
      materials?.map((one) => `${one.name} ${one.qty}`).join('、') ?? '冲销一行',
    );
  },
  async fee(context, row, { fee }, suggestion) {
    if (fee === undefined) throw required('fee', '费用（元）');
    const next = await orders.set(context.tx, row, { fee, fee_state: feeState.none });
    await note(context, row.id, 'fee', context.user.id, `${moneyText(fee)} 元${suggestion && `：${suggestion}`}`);
    const { fee_limit } = await categoryOf(context.tx, row.category_id);
    const { cost, materials } = await costOf(context.tx, next);
    if (cost > fee_limit)
      await handle(context, row.ticket_id!, 'repair', 'fee', {
        suggestion: `费用 ${moneyText(cost)} 元${materials > 0 ? `（含材料 ${moneyText(materials)} 元）` : ''}。${suggestion}`,
        fields: { handlers: [context.user.username] },
      });
  },
};

/** The sender and recipients of an order, for those who send it without having seen that. */
async function sentBefore(tx: Db, row: Order) {
  const e = orderEventTable;
  const [sent] = await tx
    .select({ by: e.user_id })
    .from(e)
    .where(and(eq(e.order_id, row.id), eq(e.kind, 'dispatch')))
    .orderBy(desc(e.id))
    .limit(1);
  const people = await peopleById(tx, [sent?.by ?? 0, row.handler_id ?? 0]);
  const named = (id: number | null | undefined, else_: string) => people.get(id ?? 0)?.alias ?? else_;
  return sentBy(row.sn, named(sent?.by, '系统'), named(row.handler_id, '班组'));
}

/** Sends many orders to the same handlers, each separately and in ascending order of id; one that is refused does not stop the others. */
export async function assignMany(context: Writing, { ids, handlers, words }: BodyOf<typeof calls.assignMany>) {
  const value = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const body = { action: 'assign', handlers, words } as Body;
    const refused = await savepoint(context.tx, () => act(context, id, body)).then(
      () => null,
      (error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      },
    );
    value.push({ id, ok: !refused, code: refused?.code ?? codes.ok, msg: refused?.message ?? '已派单' });
  }
  return { value };
}

/** Runs an action on an order. One that is done already is answered as done. */
export async function act(context: Writing, id: number, { action, version, ...body }: Body) {
  const row = await openFor(context, id, action === 'assign' ? undefined : version);
  const settled =
    (action === 'start' && row.stage === orderStage.working) || (action === 'take' && row.stage === orderStage.taken);
  if (settled && row.handler_id === context.user.id) return stoodOf(context, id);
  if (action !== 'take' && !(action === 'accept' && isDesk(context.user, row)))
    requireAction(row, await allowedOn(context, row), action as OrderAction);
  if (action === 'assign' && row.stage >= orderStage.assigned && row.version !== version)
    throw await sentBefore(context.tx, row);
  await doings[action](context, row, { action, ...body } as Body, body.words ?? '');
  if (action !== 'edit')
    context.audit({ type: '订单', id, title: row.sn, after: { 操作: action, 说明: body.words ?? '' } });
  return stoodOf(context, id);
}
