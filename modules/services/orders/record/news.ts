import { sql } from 'drizzle-orm';
import { houseNow } from '#kernel/server/process/clock.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce, hearersIn } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { textNumbers } from '#modules/platform/sms/service.ts';
import { placeOf, type EventKind } from '../contract/codes.ts';
import { orderTable } from '../tables.ts';
import type { Order } from './record.ts';

/** The news about orders, by their level. */
export const orderNews = newsKinds({
  module: 'orders',
  type: newsType.order,
  group: '报修',
  page: (id) => `/order/detail/${id}`,
  of: ({ id, title, level }: Pick<Order, 'id' | 'title' | 'level'>) => ({ id, title, level }),
  kinds: {
    ORDER_NEW: { name: '有新的访客报修', head: '新报修' },
    ORDER_ASSIGNED: { name: '我的报修有进展', head: '报修进展' },
    ORDER_FINISH: { name: '我的报修已完工', head: '报修已完工' },
    ORDER_REWORK: { name: '报修人要求返工', head: '返工' },
    ORDER_LOWSCORE: { name: '报修评价低于 3 分', head: '低分评价' },
    ORDER_SAID: { name: '报修人留言、评价', head: '报修人留言' },
    ORDER_DUE: { name: '订单临近、超过时限', head: '订单时限', again: 'never' },
  },
});
export const deskRole = 'order_desk';
/** The desk, which receives reports. */
export const desk = { role: deskRole } as const;

/** Sends a text message to the number of the report, if it belongs to nobody of the house. */
async function textOutside(tx: Db, row: Order, said: string): Promise<void> {
  const { secretBox } = tx.services;
  if (row.reporter_id !== null || row.phone_sealed === '') return;
  const to = [{ mobile: secretBox.open(row.phone_sealed), name: row.contact }];
  await textNumbers(
    tx,
    { template: 'message', to, params: { title: `报修 ${row.sn} ${said}` }, module: 'orders', objectId: row.id },
    tx.services,
    houseNow(),
  );
}

/** Notifies people who need not act; those who have to act are notified by the ticket. */
export async function tellOf(
  tx: Db,
  row: Order,
  kind: EventKind,
  {
    by,
    words,
    holders,
    visited = false,
  }: { by: number | null; words: string; holders: readonly number[]; visited?: boolean },
): Promise<void> {
  const people = [...new Set([row.reporter_id ?? row.creator_id, row.handler_id, ...holders])].flatMap(
    (one) => one ?? [],
  );
  changed(tx, 'order', people);
  const who =
    (await peopleById(tx, row.handler_id === null ? [] : [row.handler_id])).get(row.handler_id ?? 0)?.alias ??
    '维修人员';
  const when = row.appoint_time ? `，预约 ${row.appoint_time.slice(5, 16)}` : '';
  const news: Partial<Record<EventKind, [keyof typeof orderNews, string]>> = {
    dispatch: ['ORDER_ASSIGNED', `已派给${who}${when}`],
    take: ['ORDER_ASSIGNED', `${who}已接单${when}`],
    hang: ['ORDER_ASSIGNED', `暂时挂起，预计 ${row.hang_until?.slice(0, 16) ?? ''} 恢复：${row.hang_reason}`],
    finish: ['ORDER_FINISH', `${who}已完工：${row.result}。请确认`],
    refuse: ['ORDER_ASSIGNED', `已退回：${words}`],
    close: ['ORDER_ASSIGNED', `已关闭${words && `：${words}`}`],
  };
  if (kind === 'withdraw' && visited) {
    const content = `${row.sn} 已由来访人撤回${words && `：${words}`}，不用再办`;
    await announce(tx, orderNews.ORDER_ASSIGNED, row, { content, by: null, occasion: kind }, [desk, row.handler_id]);
    return;
  }
  const said = news[kind];
  if (kind === 'rework') {
    const to = (await hearersIn(tx, [desk])).filter((one) => !holders.includes(one));
    const content = `${placeOf(row)} 的报修人要求返工：${words}`;
    await announce(tx, orderNews.ORDER_REWORK, row, { content, by, occasion: String(row.reopen_count) }, to);
  }
  if (!said) return;
  const [event, content] = said;
  const to = [row.reporter_id].filter((one) => one === null || !holders.includes(one));
  await announce(
    tx,
    orderNews[event],
    row,
    { content: `${row.sn} ${content}`, by, occasion: `${kind} ${row.version}` },
    to,
  );
  await textOutside(tx, row, content);
  // Reporters of merged orders are notified about their own order, which asks nothing of them.
  const outcome = content.replace(/。请确认$/, '');
  for (const other of await mergedInto(tx, row.id)) {
    const also = [other.reporter_id].filter((one) => one !== row.reporter_id && !holders.includes(one ?? 0));
    const told = `${other.sn}（已并入 ${row.sn}）${outcome}`;
    const said = { content: told, by, occasion: `${kind} ${row.id} ${row.version}` };
    await announce(tx, orderNews[event], other, said, also);
    await textOutside(tx, other, outcome);
  }
}

/** Notifies the reporters, also those of merged orders, and the handler of a changed appointment. */
export async function tellMoved(tx: Db, row: Order, by: number, said: string): Promise<void> {
  for (const one of [row, ...(await mergedInto(tx, row.id))]) {
    const to = [one.reporter_id, ...(one === row ? [row.handler_id] : [])];
    const told = { content: `${one.sn} ${said}`, by, occasion: `appoint ${row.version}` };
    await announce(tx, orderNews.ORDER_ASSIGNED, one, told, to);
    await textOutside(tx, one, said);
  }
}

/** Orders merged into one, directly or through others. */
async function mergedInto(tx: Db, id: number): Promise<Order[]> {
  const below = sql`
    with recursive below as (
      select id from repair_order where merged_into = ${id}
      union select o.id from repair_order o join below on o.merged_into = below.id)
    select id from below`;
  const rows = await tx
    .select()
    .from(orderTable)
    .where(sql`${orderTable.id} in (${below})`);
  return rows as Order[];
}

/** The overseers of an order: the desk and the head of its team. */
export const overseers = ({ team_id }: Pick<Order, 'team_id'>) => [desk, { dept: team_id, part: 'head' }] as const;
