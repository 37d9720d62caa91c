import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Refusal } from '#kernel/contract/refusal.ts';
import { fenOf, yuanOf } from '#kernel/contract/money/money.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import type { OwnerRule } from '#modules/platform/files/service.ts';
import { headsOf, peopleById } from '#modules/platform/people/service.ts';
import {
  flowByKey,
  record,
  type ApprovalRecord,
  type RecordEvent,
  type RecordViewer,
  type RowOf,
} from '#modules/workflow/records/service.ts';
import { passed, type Turn } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { exitsOf, startOf, stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { type EventKind, feeState, orderLevel, orderStage, placeOf, standsAs } from '../contract/codes.ts';
import { feeRefused, feeUnagreed, notNow, photoNeeded, takenAlready } from '../contract/refusals.ts';
import { list } from '../contract/orders.ts';
import { movesClock, turnClock, type Pace } from './clock.ts';
import { orderCategoryTable, orderEventTable, orderMaterialTable, orderTable } from '../tables.ts';
import { leastLoaded } from './handlers.ts';
import { desk, orderNews, tellOf } from './news.ts';

export const module = 'orders';
export type Order = RowOf<typeof orderTable>;
export type Category = typeof orderCategoryTable.$inferSelect;
export type Work = Pick<Context, 'tx' | 'now' | 'audit'>;

export async function categoryOf(tx: Db, id: number): Promise<Category> {
  const [row] = await tx.select().from(orderCategoryTable).where(eq(orderCategoryTable.id, id));
  if (!row) throw new Error(`order category ${id} is missing`);
  return row;
}
/** The cost of an order: its fee and the used materials. */
export async function costOf(
  tx: Db,
  { id, fee }: Pick<Order, 'id' | 'fee'>,
): Promise<{ cost: number; materials: number }> {
  const [sum] = await tx
    .select({ materials: sql<number>`coalesce(sum(${orderMaterialTable.amount}), 0)::float` })
    .from(orderMaterialTable)
    .where(eq(orderMaterialTable.order_id, id));
  return { cost: yuanOf(fenOf(fee) + fenOf(sum!.materials)), materials: sum!.materials };
}
/** The time limits of an order by category and level. */
export async function paceOf(tx: Db, category_id: number, level: number): Promise<Pace> {
  const row = await categoryOf(tx, category_id);
  const at = level as 0;
  return {
    response: row[`response_${at}`],
    finish: row[`finish_${at}`],
    calendar: row.is_always ? null : await calendarOf(tx),
  };
}
const usernames = async (tx: Db, ids: readonly (number | null)[]) =>
  [
    ...(
      await peopleById(
        tx,
        ids.flatMap((one) => one ?? []),
      )
    ).values(),
  ].map((one) => one.username);
/** The approvers of a team's costs. */
export const approversOf = async (tx: Db, team: number | null) =>
  (team === null ? [] : await headsOf(tx, [team])).map((one) => one.username);

/** Adds an entry to an order's history. */
export const note = async (
  { tx, now }: Pick<Context, 'tx' | 'now'>,
  order_id: number,
  kind: EventKind,
  by: number | 'visitor' | null,
  words = '',
): Promise<void> =>
  void (await tx.insert(orderEventTable).values({
    order_id,
    kind,
    user_id: by === 'visitor' ? null : by,
    by_visitor: by === 'visitor',
    words,
    at: now.toISOString(),
  }));

/** The meaning of the ticket's present state, from its label. */
const placeIn = ({ state, definition }: Turn) => {
  const token = state.tokens.find((one) => one.status === 'active');
  return String((token && stateOf(definition, token.state_id).label['order']) ?? '');
};
const wordsOf = ({ turn }: RecordEvent) =>
  turn?.log.map((entry) => entry.suggestion).findLast((said) => said !== '') ?? '';

/** The stage and handler of an order, from its ticket. */
function standing(row: Order, turn: Turn, before: Order): { stage: number; handler_id?: number | null } {
  const { act_state, tasks, suspended } = turn.state;
  if (act_state === actState.finished) return { stage: row.score === null ? orderStage.confirmed : orderStage.rated };
  if (act_state === actState.closed) return { stage: orderStage.closed };
  if (act_state !== actState.ongoing && act_state !== actState.finishAsked)
    return { stage: orderStage.draft, handler_id: null };
  const at = placeIn(turn);
  if (at === 'confirm') return { stage: orderStage.finished };
  if (at === 'fee') return { stage: orderStage.working };
  if (at !== 'repair') return { stage: orderStage.reported, handler_id: null };
  const held = tasks.filter((task) => task.status === 'todo' && task.group_no === 0);
  const holder = held.length === 1 && !held[0]!.pooled ? held[0]!.assignee : null;
  if (suspended) return { stage: orderStage.hung, handler_id: holder };
  if (turn.log.some((entry) => entry.action === 'accept')) return { stage: orderStage.taken, handler_id: holder };
  const kept = holder !== null && holder === before.handler_id && before.stage >= orderStage.assigned;
  if (!kept) return { stage: orderStage.assigned, handler_id: holder };
  return { stage: before.stage >= orderStage.working ? orderStage.working : before.stage, handler_id: holder };
}

const talk: ReadonlySet<string> = new Set(['comment', 'urge', 'cc']);
/** The history entry for a change of stage. */
function kindOf(before: Order, row: Order, turn: Turn): EventKind | null {
  const [from, to] = [before.stage, row.stage];
  // Comments change no stage.
  if (turn.log.length > 0 && turn.log.every((entry) => talk.has(entry.action))) return null;
  if (from === 0) return to >= 10 && to < 90 ? 'report' : to === 90 ? 'close' : null;
  if (to === 0) return turn.state.act_state === actState.returned ? 'refuse' : 'withdraw';
  if (to === 90) return 'close';
  if (to === 70) return row.auto_confirmed ? 'auto' : 'confirm';
  if (from === 60 && to < 60) return 'rework';
  if (to === 60) return 'finish';
  if (to === 50) return 'hang';
  if (from === 50) return 'resume';
  if (to === 10) return 'release';
  if (from === 10 || to === 20) return from === to ? null : to === 20 && from > 20 ? 'release' : 'dispatch';
  if (to === 30) return 'take';
  return before.fee_state === row.fee_state ? null : 'fee';
}

/** The clock and work fields after the ticket has moved the order to a stage. */
async function follows(tx: Db, row: Order, event: RecordEvent & { turn: Turn }, before: Order) {
  const { now, turn } = event;
  const { stage, handler_id } = row;
  const at = now.toISOString();
  const rework = before.stage === orderStage.finished && stage >= orderStage.reported && stage < orderStage.finished;
  const sent = before.stage === orderStage.draft && stage > orderStage.draft && stage < orderStage.closed;
  const clock =
    rework || sent || movesClock(before.stage, stage)
      ? turnClock(
          row,
          stage,
          now,
          await paceOf(tx, row.category_id, row.level),
          rework ? 'rework' : sent ? 'sent' : undefined,
        )
      : {};
  const refused = turn.log.some(
    (entry) =>
      entry.action === 'handle' &&
      stateOf(turn.definition, entry.from_state_id).label['order'] === 'fee' &&
      !passed(turn).some((state) => state.label['order'] === 'fee'),
  );
  return {
    ...clock,
    ...(sent ? { accept_at: null, finish_at: null, finish_met: null, handler_id } : {}),
    ...(stage >= orderStage.taken && stage <= orderStage.finished && !row.accept_at ? { accept_at: at } : {}),
    ...(stage === orderStage.finished && before.stage < orderStage.finished
      ? {
          finish_at: at,
          finish_met: row.reopen_count > 0 ? row.finish_met : !row.finish_due || now <= momentOf(row.finish_due),
        }
      : {}),
    ...(rework ? { reopen_count: row.reopen_count + 1 } : {}),
    ...(stage === orderStage.confirmed && turn.log.some((entry) => entry.action === 'timer')
      ? { auto_confirmed: true }
      : {}),
    ...(placeIn(turn) === 'fee' && row.fee_state !== feeState.asked
      ? { fee_state: feeState.asked, fee_asked: (await costOf(tx, row)).cost }
      : {}),
    ...(passed(turn).some((state) => state.label['order'] === 'fee')
      ? { fee_state: feeState.agreed }
      : refused
        ? { fee_state: feeState.refused }
        : row.fee_state === feeState.asked && placeIn(turn) !== 'fee'
          ? // An administrator moved it out of the approval, so it has to be asked for again.
            { fee_state: feeState.none }
          : {}),
  };
}

/** The reason why an order with this cost cannot be finished; null if it can. */
export function whyUnfinished(
  row: Order,
  category: Category,
  { cost, materials }: Awaited<ReturnType<typeof costOf>>,
): Refusal | null {
  if (cost > category.fee_limit && !(row.fee_state === feeState.agreed && cost <= row.fee_asked))
    return row.fee_state === feeState.refused ? feeRefused(cost) : feeUnagreed(cost, materials, category.fee_limit);
  if (row.stage < orderStage.taken || row.result.length < 5)
    return notNow(row.sn, standsAs(row), '完工：须先接单，并在订单页面填写处理结果');
  return category.photo_required && row.result_photos.length === 0 ? photoNeeded(category.name) : null;
}

/** Refuses a workflow that can reach its end without passing the repair or the confirmation. */
function pastBy(definition: Definition, value: string, name: string) {
  const seen = new Set<number>();
  const open = [startOf(definition)];
  for (let at = open.pop(); at; at = open.pop()) {
    if (seen.has(at.id) || at.label['order'] === value) continue;
    seen.add(at.id);
    if (at.kind === 'end')
      return [
        { kind: 'state' as const, key: at.key, msg: `不经过含义为“${name}”的环节也能到达“${at.name}”，请调整流转` },
      ];
    const next = exitsOf(definition, at.id).flatMap((exit) => [
      exit.destination,
      ...exit.conditions.map((one) => one.target_state_id),
    ]);
    open.push(...definition.states.filter((state) => next.includes(state.id)));
  }
  return [];
}
/** Orders into which a person's own were merged, directly or through others. */
export const followedBy = (reporter: number) => sql`with recursive followed as (
    select merged_into id from repair_order where reporter_id = ${reporter} and merged_into is not null
    union select o.merged_into from repair_order o join followed f on f.id = o.id where o.merged_into is not null)
  select id from followed`;
const visitorsDo: ReadonlySet<EventKind> = new Set(['confirm', 'rework', 'close']);
const meanings = { desk: '受理派单', repair: '维修', fee: '费用审批', confirm: '报修人确认' };

/** Orders that a person reported, or registered without a reporter of the house; and their drafts. */
export const reportedBy = (id: number): SQL =>
  or(
    eq(orderTable.reporter_id, id),
    and(isNull(orderTable.reporter_id), eq(orderTable.creator_id, id)),
    and(eq(orderTable.act_state, actState.draft), eq(orderTable.creator_id, id)),
  )!;

export const orders: ApprovalRecord<typeof orderTable> = record<typeof orderTable, RecordViewer>({
  module,
  noun: '订单',
  page: (id) => `/order/detail/${id}`,
  table: orderTable,
  scope: list,
  started: { page: 'order/mine', mine: ({ user }) => reportedBy(user.id) },
  // The handler of an order reads those merged into it. Their reporters follow the remaining order, also after further merges, with its
  // words and pictures of their own report.
  related: ({ user: { id } }) =>
    sql`(${orderTable.act_state} <> ${inSql(actState.draft)} and (${orderTable.reporter_id} = ${id} or ${orderTable.merged_into} in (
      select o.id from repair_order o where o.handler_id = ${id}) or ${orderTable.id} in (${followedBy(id)})))`,
  flow: flowByKey('order', '订单'),
  fills: {
    title: (row) => row.title,
    place: placeOf,
    confirmer: (row, tx) => usernames(tx, [row.reporter_id ?? row.creator_id]),
    approvers: (row, tx) => approversOf(tx, row.team_id),
    auto_dispatch: async (row, tx) => (await leastLoaded(tx, await categoryOf(tx, row.category_id), row)) !== null,
    handlers: async (row, tx) => usernames(tx, [await leastLoaded(tx, await categoryOf(tx, row.category_id), row)]),
  },
  newest: sql`not ${orderTable.is_deleted} and ${orderTable.act_state} <> ${inSql(actState.draft)}`,
  long: ['description', 'result'],
  search: (row) => ({ codes: [row.sn], texts: [row.title, placeOf(row)], names: [row.contact] }),
  people: (ids) => sql`${orderTable.handler_id} in ${ids}`,
  on: {
    async turned(tx, row, event, before) {
      const stood = { ...row, ...standing(row, event.turn, before) };
      return { stage: stood.stage, handler_id: stood.handler_id, ...(await follows(tx, stood, event, before)) };
    },
  },
  after: {
    async turned(tx, row, event, before) {
      const happened = kindOf(before, row, event.turn);
      if (!happened) return tellSaid(tx, row, event);
      // Orders from outside are confirmed, returned or withdrawn by their visitor, not by anybody of the house.
      const visited = event.by === null && row.reporter_id === null && visitorsDo.has(happened);
      const kind = visited && happened === 'close' ? 'withdraw' : happened;
      await note({ tx, now: event.now }, row.id, kind, visited ? 'visitor' : event.by, wordsOf(event));
      await tellOf(tx, row, kind, { by: event.by, words: wordsOf(event), holders: holdersOf(event.turn), visited });
    },
  },
  async guard(row, tx, definition) {
    const category = await categoryOf(tx, row.category_id);
    const spent =
      row.stage >= orderStage.taken && row.stage < orderStage.finished
        ? await costOf(tx, row)
        : { cost: row.fee, materials: 0 };
    const leads = (to?: number) => definition.states.find((state) => state.id === to)?.label['order'];
    return (offer) => {
      if (offer.action === 'retreat' && row.accept_at !== null) return takenAlready('');
      if (offer.action === 'suspend' && (row.hang_until === null || row.hang_reason === ''))
        return notNow(row.sn, standsAs(row), '挂起：须在订单页面写明原因和恢复时间');
      if (leads(offer.state_id ?? 0) !== 'repair') return null;
      const to = leads(offer.transition?.destination);
      if (to === 'fee')
        return spent.cost > category.fee_limit ? null : feeUnagreed(spent.cost, spent.materials, category.fee_limit);
      return to === 'confirm' ? whyUnfinished(row, category, spent) : null;
    };
  },
  figure: (row) => placeOf(row),
  log: (row) => ({
    title: `${row.sn} ${row.title}`,
    sn: row.sn,
    state: orderStage.label(row.stage),
    facts: { 标题: row.title, 地点: placeOf(row), 故障情况: row.description },
  }),
  card: (row) => ({ title: row.title, sn: row.sn, state: orderStage.label(row.stage) }),
  ticket: {
    meanings: [{ key: 'order', title: '报修', values: meanings }],
    problems: async (_tx, _flow, definition) => [
      ...pastBy(definition, 'repair', meanings.repair),
      ...pastBy(definition, 'confirm', meanings.confirm),
    ],
    announcementOf: async (tx, id) => ({ unnamed: null, level: (await orders.one(tx, id))?.level ?? orderLevel.usual }),
  },
});
/** Notifies the handler, or the desk, of the reporter's comment on the ticket. */
async function tellSaid(tx: Db, row: Order, event: RecordEvent & { turn: Turn }): Promise<void> {
  const { by, turn } = event;
  const said = turn.log.find((entry) => entry.action === 'comment');
  if (!said || by !== row.reporter_id) return;
  const content = `${row.sn} 报修人：${said.suggestion}`;
  await announce(tx, orderNews.ORDER_SAID, row, { content, by, occasion: `said ${event.now.getTime()}` }, [
    row.handler_id ?? desk,
  ]);
}
const holdersOf = ({ state }: Turn) =>
  state.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee);

const own = orders.brings.owners[module]!;
/** Files of an order, for those who see it; its pictures also for those who see the order it was merged into. */
export const orderFiles: OwnerRule = {
  ...own,
  async may(user, file, tx) {
    if (await own.may(user, file, tx)) return true;
    const { merged_into, photos } = (await orders.one(tx, Number(file.recordId))) ?? {};
    const into = merged_into ?? null;
    return into !== null && photos!.includes(file.id) && own.may(user, { ...file, recordId: String(into) }, tx);
  },
};
