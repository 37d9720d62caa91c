import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayMs, dayOf, momentText } from '#kernel/contract/moment.ts';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { numberLast } from '#kernel/server/db/numbering.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import type { Services } from '#kernel/server/services.ts';
import { repacked } from '#modules/platform/deliveries/service.ts';
import { attachAll, detachAll } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { reworded } from '#modules/platform/messages/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { telephoneOf } from '#kernel/contract/words/mobile.ts';
import { actOnTicket, definitionOf, forceTicket, handlersOf as holdersOf } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { orderSource, orderStage, placeOf, standsAs } from '../contract/codes.ts';
import type { orders as calls } from '../contract/orders.ts';
import { acceptedBy, categoryOff, nobodyHandles, notHandlers, notNow, notOutside } from '../contract/refusals.ts';
import { OrderInput } from '../contract/report.ts';
import { turnClock } from './clock.ts';
import { orderAssetTable, orderTable } from '../tables.ts';
import { handlersOf } from './handlers.ts';
import { actionsOf } from './rights.ts';
import { approversOf, categoryOf, module, note, orders, paceOf, type Order } from './record.ts';

type Sent = Partial<BodyOf<typeof calls.create>>;
type Columns = Partial<typeof orderTable.$inferInsert>;

/** A telephone number as it is stored: sealed, searchable by its keyed hash, shown by its last digits. */
export const sealedPhone = ({ secretBox }: Pick<Services, 'secretBox'>, phone: string) => ({
  phone_sealed: phone && secretBox.seal(telephoneOf(phone)),
  phone_mark: phone && secretBox.keyedHash(telephoneOf(phone)),
  phone_tail: telephoneOf(phone).slice(-4),
});

const longest = 366 * dayMs;
/** Refuses an appointment in the past, or one so far away that the year must be wrong. */
export function refuseUnkept(appoint_time: string): void {
  const now = houseNow();
  const past = appoint_time < momentText(now);
  if (!past && appoint_time <= momentText(new Date(now.getTime() + longest))) return;
  const why = past ? '已经过去，请选择以后的时间' : '在一年以后，请核对年份';
  const msg = `${appoint_time.slice(0, 16)} ${why}`;
  throw invalid([{ field: 'appoint_time', label: '预约时间', msg }]);
}

async function requireCategory(tx: Db, id: number) {
  const row = await categoryOf(tx, id).catch(() => null);
  if (!row || row.is_deleted) throw absent('故障类别');
  if (!row.is_active) throw categoryOff(row.name);
  return row;
}
/** The columns of the sent fields, with the place of the asset and the team of the category. */
export async function columnsOf(tx: Db, sent: Sent, before: Order | null): Promise<Columns> {
  const { submit: _submit, source: _source, phone, category_id, asset_id, ...rest } = sent;
  const fields = Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => value !== undefined && key in OrderInput.shape),
  ) as Columns;
  const category =
    category_id === undefined || category_id === before?.category_id ? null : await requireCategory(tx, category_id);
  const asset = asset_id ? await assetOf(tx, asset_id) : null;
  const placed = asset && {
    building: asset.building,
    floor: asset.floor,
    room: asset.room,
    place: fields.place || asset.name,
  };
  const columns = {
    ...fields,
    ...placed,
    ...(asset_id === undefined ? {} : { asset_id }),
    ...(category ? { category_id: category.id, team_id: category.team_id } : {}),
    ...(phone === undefined ? {} : sealedPhone(tx.services, phone)),
  };
  const { appoint_time } = columns;
  if (appoint_time && appoint_time.slice(0, 16) !== before?.appoint_time?.slice(0, 16)) refuseUnkept(appoint_time);
  if (!placeOf({ ...before, ...columns } as Order))
    throw invalid([{ field: 'room', label: '地点', msg: '请填写楼宇、房间，或说明具体位置' }]);
  return columns;
}
async function assetOf(tx: Db, id: number) {
  const [row] = await tx
    .select()
    .from(orderAssetTable)
    .where(and(eq(orderAssetTable.id, id), eq(orderAssetTable.is_deleted, false)));
  if (!row) throw absent('资产');
  return row;
}

/** Attaches the sent pictures to an order and removes the others. */
export async function givePhotos(
  tx: Db,
  row: Order,
  user: { id: number },
  held: readonly number[],
  had: readonly number[],
) {
  await detachAll(tx, { fileIds: had.filter((one) => !held.includes(one)), module, recordId: row.id });
  await attachAll(tx, { fileIds: held.filter((one) => !had.includes(one)), module, recordId: row.id, user });
}

/** Numbers an order at the end of the transaction; `row` returns it as it was written. */
export function newNumber(tx: Db, now: Date, row: () => Order): string {
  const about = () => ({ module, objectId: row().id });
  return numberLast(tx, {
    prefix: 'ORD',
    period: dayOf(now).replaceAll('-', ''),
    digits: 4,
    table: orderTable,
    search: (sn) => searchVector(orders.definition.search({ ...row(), sn })),
    also: (word, sn) => [reworded(about(), word, sn), repacked(about(), word, sn)],
  });
}
const placed = (row: Order, { user, now }: Pick<Writing, 'user' | 'now'>) => ({
  id: row.id,
  sn: row.sn,
  stage: row.stage,
  actions: actionsOf(row, user, [], now) as string[],
});
const fresh = async (tx: Db, id: number) => (await orders.one(tx, id))!;

/** Reports a fault: one's own, or with `besides` that of a caller or of an incident. */
export async function report(context: Writing, { submit = true, ...sent }: Sent, besides: Columns = {}) {
  const { tx, user, now } = context;
  let made: Order | undefined;
  const columns = {
    ...(await columnsOf(tx, sent, null)),
    sn: newNumber(tx, now, () => made!),
    source: sent.source ?? orderSource.web,
    reporter_id: user.id,
    ...(sent.contact ? {} : { contact: user.alias }),
    ...besides,
  } as Columns;
  const { id } = await orders.create(context, columns, { submit }, (row) => {
    made = row;
    return givePhotos(tx, row, user, row.photos, []);
  });
  return placed(await fresh(tx, id), context);
}

/** Registers a report by telephone: a reporter of the house confirms the repair, for others the desk does. */
export async function register(context: Writing, { reporter, handlers = [], ...sent }: BodyOf<typeof calls.register>) {
  const { tx } = context;
  const person = reporter === null ? null : (await peopleById(tx, await workingAmong(tx, [reporter]))).get(reporter);
  if (reporter !== null && !person) throw absent('报修人');
  const made = await report(
    context,
    { ...sent, source: undefined },
    { source: orderSource.desk, reporter_id: reporter, ...(person?.dept_id ? { dept_id: person.dept_id } : {}) },
  );
  if (handlers.length > 0)
    await dispatch(
      context,
      await orders.requireForUpdate(tx, await orders.viewerOf(tx, context.user), made.id),
      handlers,
    );
  return placed(await fresh(tx, made.id), context);
}

/** Accepts a report from outside: it gets a ticket, created by the clerk. */
export async function accept(context: Writing, row: Order): Promise<void> {
  const { tx, user } = context;
  if (row.ticket_id !== null || row.stage !== orderStage.reported) {
    if (row.source !== orderSource.visitor) throw notOutside(row.sn);
    const who = (await peopleById(tx, [row.creator_id])).get(row.creator_id)?.alias ?? '他人';
    throw acceptedBy(row.sn, who);
  }
  const taken = await orders.set(tx, row, { creator_id: user.id });
  await orders.send(context, taken, { submit: true });
  await note(context, row.id, 'accept', user.id);
}

/** Sends an order to handlers; one that is under way returns to the desk first. */
export async function dispatch(context: Writing, row: Order, ids: readonly number[], words = ''): Promise<void> {
  const { tx, user } = context;
  const { all, team } = await handlersOf(tx, row.team_id);
  const wanted = ids.length > 0 ? all.filter((one) => ids.includes(one.id)) : team;
  if (wanted.length === 0 && ids.length === 0)
    throw nobodyHandles((await deptNamesById(tx, [row.team_id!])).get(row.team_id!) ?? '班组');
  if (wanted.length < new Set(ids).size) {
    const known = await peopleById(tx, ids);
    const others = ids.filter((one) => !wanted.some((person) => person.id === one));
    throw notHandlers(others.map((one) => known.get(one)?.alias ?? '有的人').join('、'));
  }
  if (row.ticket_id === null) await accept(context, row);
  const { ticket_id, stage } = await fresh(tx, row.id);
  if (stage > orderStage.reported || !(await holdersOf(tx, ticket_id!)).includes(user.id))
    await toDesk(context, row, ticket_id!, words || '重新派单', [user.username]);
  const fields = { handlers: wanted.map((one) => one.username), approvers: await approversOf(tx, row.team_id) };
  await handle(context, ticket_id!, 'desk', 'repair', { fields, suggestion: words });
}

/** Returns an order to the desk to be sent anew: in the handler's place, because the creator of a ticket cannot move it by force. */
export async function toDesk(
  context: Writing,
  row: Order,
  ticketId: number,
  suggestion: string,
  people: string[],
): Promise<void> {
  const at = (await definitionOf(context.tx, ticketId)).states.find((state) => state.label['order'] === 'desk');
  if (!at) throw notNow(row.sn, standsAs(row), '重新派单');
  const owner = (await holdersOf(context.tx, ticketId)).find((one) => one !== row.creator_id) ?? context.user.id;
  const by = context.user.id === 0 ? { ...context, user: null } : context;
  await forceTicket(by, ticketId, { type: 'state', state_id: at.id, people, suggestion }, { owner });
}
/** Moves the ticket from one state to another, as the holder of its task or in their place. */
export async function handle(
  context: Writing,
  ticketId: number,
  from: string,
  to: string | 'end',
  {
    fields = {},
    suggestion = '',
    as,
  }: { fields?: Record<string, unknown>; suggestion?: string; as?: 'another' | 'visitor' },
): Promise<void> {
  const definition = await definitionOf(context.tx, ticketId);
  const labelled = (id: number) => {
    const state = definition.states.find((one) => one.id === id);
    return state?.kind === 'end' ? 'end' : state?.kind === 'start' ? 'start' : state?.label['order'];
  };
  const way = definition.transitions.find((one) => labelled(one.source) === from && labelled(one.destination) === to);
  if (!way) throw notNow('', '流程已改', '这样办理');
  const action = { type: 'handle', transition_id: way.id, suggestion, fields, choose: {} } as const;
  if (as === undefined) return void (await actOnTicket(context, ticketId, action));
  const [owner] = await holdersOf(context.tx, ticketId);
  const by = as === 'visitor' ? { ...context, user: null } : context;
  await forceTicket(by, ticketId, action, { ...(owner === undefined ? {} : { owner }), name: '来访人' });
}

/** Corrects an order under way: a new level or category does not restart the clock, used minutes stay used. */
export async function edit(context: Writing, row: Order, sent: Sent & { submit?: boolean | undefined }): Promise<void> {
  const { tx, user, now, audit } = context;
  const columns = await columnsOf(tx, sent, row);
  if (row.act_state === actState.draft || row.act_state === actState.returned || row.act_state === actState.withdrawn)
    return void (await orders.save(context, row, columns, { submit: sent.submit ?? false }, (next) =>
      givePhotos(tx, next, user, next.photos, row.photos),
    ));
  if (columns.photos) await givePhotos(tx, row, user, columns.photos, row.photos);
  const next = { ...row, ...columns } as Order;
  const turned = next.level !== row.level || next.category_id !== row.category_id;
  const clock = turned ? turnClock(next, row.stage, now, await paceOf(tx, next.category_id, next.level)) : {};
  const saved = await orders.set(tx, row, { ...columns, ...clock });
  const said = { before: orders.definition.log(row).facts, after: orders.definition.log(saved).facts };
  audit({ type: '订单', id: row.id, title: `${row.sn}（${orderStage.label(row.stage)}）`, ...said });
  await note(context, row.id, 'edit', user.id);
}
