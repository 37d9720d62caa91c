import { inArray } from 'drizzle-orm';
import { momentText } from '#kernel/contract/moment.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { alternativesTo, type Booking } from '#modules/platform/bookings/service.ts';
import { announce, newsOf } from '#modules/platform/messages/service.ts';
import { askingFor, keepFor, requireRoom, resource } from '#modules/platform/rooms/service.ts';
import { endTicket, holdTickets } from '#modules/workflow/tickets/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus, meetType } from '../contract/codes.ts';
import { notInState, notInTheWay, notRanked, notWaiting, periodText } from '../contract/refusals.ts';
import { faultsOf, meetChanges, meetings, type Meet } from '../record/record.ts';
import { freeSlot, moveSlot, own } from '../record/slot.ts';
import { datesIn, type Scope } from '../repeats/scope.ts';
import { meetTable } from '../tables.ts';
import { openFor, type Asked } from './context.ts';
import { datesText, meetNews, tellOfDates, toldOf, whenWhere } from './notice.ts';
import { told } from './told.ts';

/** The person who ends or moves a meeting; null for the system. */
export type Acting = Pick<Context, 'tx' | 'now' | 'origin'> & { user: Viewer | null };

/** Closes a pending change and frees what it held. */
export async function endChange(context: Acting, row: Meet, why: string): Promise<void> {
  const waiting = (await meetChanges.pendingOf(context.tx, [row.id])).get(row.id);
  if (waiting?.ticket_id) await endTicket(context, waiting.ticket_id, why);
}

/** Cancels a meeting that is locked: frees its room in the same transaction, and notifies everybody who knew of it. */
export async function cancelMeeting(
  context: Acting,
  before: Meet,
  {
    reason,
    released = false,
    also = [],
    quiet = false,
  }: { reason: string; released?: boolean; also?: readonly number[]; quiet?: boolean },
): Promise<Meet> {
  const { tx, now, user } = context;
  const columns = { meet_status: meetStatus.cancelled, cancel_reason: reason.slice(0, 200), released };
  const row = await meetings.set(tx, before, columns);
  await endChange(context, row, reason);
  if (row.ticket_id !== null && row.act_state === actState.ongoing)
    await endTicket(context, row.ticket_id, `会议取消：${reason}`);
  await freeSlot(tx, row.id, now);
  await told(tx, 'dropped', row, { by: user?.id ?? null, why: reason, also, quiet });
  return row;
}

/** 取消: one date of a repeat or several, by those who run it or by the office. */
export async function cancel(context: Asked, id: number, { reason, scope }: { reason: string; scope: Scope }) {
  const { tx, user } = context;
  const dates = await datesIn(tx, id, scope);
  const several = dates.length > 1;
  const asked = new Map<number, Meet[]>();
  for (const date of dates) {
    const { row } = await openFor(context, date, {
      act: '取消',
      may: 'cancels',
      act_state: [1, 4],
      meet_status: [0, 1],
      when: '待审、已通过且尚未结束的会议可以取消',
    });
    if (several) for (const one of await toldOf(tx, date)) asked.set(one, [...(asked.get(one) ?? []), row]);
    const after = await cancelMeeting(context, row, { reason, quiet: several });
    context.audit({ ...meetings.standing(row, after), after: { 状态: '已取消', 原因: reason } });
  }
  await tellOfDates(tx, asked, (rows) => cancelledDates(rows, reason, user.id));
  return { meet_status: meetStatus.cancelled, cancelled: dates.length };
}

type To = Partial<Pick<Meet, 'room_id' | 'start_time' | 'end_time'>>;

/** Up to three alternatives to a meeting's room and time, in words. */
async function waysOut(context: Acting & { user: Viewer }, row: Meet): Promise<string> {
  if (row.room_id === null) return '';
  const { tx } = context;
  const room = await requireRoom(tx, row.room_id);
  const period = { start_time: row.start_time!, end_time: row.end_time! };
  const wanted = { resource, resource_id: room.id, padding: room.buffer_minutes, ...period };
  const found = await alternativesTo(tx, wanted, await askingFor(tx, room, period, context));
  const said = found.slice(0, 3).map((one) => `${one.name} ${periodText(one.start_time, one.end_time)}`);
  return said.length > 0 ? `可改用：${said.join('；')}` : '';
}

/** Takes a meeting out of its room: moves it to where the office says, or cancels it and tells its creator the alternatives. */
export async function displaceMeeting(
  context: Acting & { user: Viewer },
  row: Meet,
  { reason, to, quiet = false }: { reason: string; to?: To | undefined; quiet?: boolean },
): Promise<Meet> {
  const { tx, user } = context;
  if (!to) {
    const why = `${reason}。${await waysOut(context, row)}`;
    return cancelMeeting(context, row, { reason: why, also: [row.creator_id], quiet });
  }
  const next = { ...row, ...Object.fromEntries(Object.entries(to).filter(([, value]) => value !== undefined)) };
  const errors = faultsOf(next, context.now);
  if (errors.length > 0) throw invalid(errors);
  await endChange(context, row, reason);
  const after = await meetings.set(tx, row, to);
  await moveSlot(tx, after, context);
  await told(tx, 'moved', after, { before: row, by: user.id, why: reason, also: [row.creator_id] });
  return after;
}

/** 让位: makes room for a meeting of higher rank that wants the same time. */
export async function displace(
  context: Asked,
  id: number,
  { for_id, reason, to }: { for_id: number; reason: string; to?: To | undefined },
) {
  const asked = { act: '让位', may: 'office', when: '已通过、尚未召开的会议可以让位' } as const;
  const { row, viewer } = await openFor(context, id, asked);
  if (row.start_time! <= momentText(context.now)) throw notInState('已到开始时间', asked.act, asked.when);
  const other = await meetings.requireVisible(context.tx, viewer, for_id);
  if (other.meet_status !== meetStatus.coming || other.act_state > actState.withdrawn)
    throw notWaiting(other.title, meetings.stateOf(other));
  if (other.type_id >= row.type_id) throw notRanked(meetType.label(row.type_id), other.title);
  const overlap = row.room_id !== null && other.room_id === row.room_id && other.start_time && other.end_time;
  if (!overlap || other.end_time! <= row.start_time! || other.start_time! >= row.end_time!)
    throw notInTheWay(other.title, row.title);
  // A meeting that is not public is not named to the people of another one.
  const named = other.is_public ? `“${other.title}”` : '级别更高的会议';
  const after = await displaceMeeting(context, row, { reason: `为${named}让位：${reason}`, to });
  // The freed time is held for that meeting alone, ahead of people waiting for the room.
  const place = { room_id: other.room_id!, start_time: other.start_time!, end_time: other.end_time! };
  await keepFor(context.tx, { user_id: other.creator_id, ...place }, context.now);
  context.audit({ ...meetings.standing(row, after), after: { 让位给: other.title, 原因: reason } });
  return { id, meet_status: after.meet_status };
}

/** Drops a pending change because its room was closed; the meeting stays where it is, and the requester is notified. */
async function dropWanted(context: Asked, row: Meet, why: string): Promise<void> {
  const { tx, user } = context;
  const change = (await meetChanges.pendingOf(tx, [row.id])).get(row.id);
  await endChange(context, row, why);
  if (!change) return;
  const next = { ...row, ...(change.becomes as Partial<Meet>) };
  const said = `申请改为 ${await whenWhere(tx, next)}，不能办理。原因：${why}。会议仍为 ${await whenWhere(tx, row)}。`;
  const news = { head: '会议变更未办理', content: said, by: user?.id ?? null, occasion: `change ${change.id}` };
  await announce(tx, meetNews.MEET_CHANGE, row, news, [change.creator_id]);
}

/** Handles the closing of a room: meetings in it are displaced, and pending changes that wanted it are dropped. */
export async function displaced(rows: readonly Booking[], reason: string, context: Asked): Promise<void> {
  const { tx, user } = context;
  const inside = new Set(rows.flatMap(({ record_id, slot }) => (slot === own ? [record_id] : [])));
  const ids = [...new Set(rows.map(({ record_id }) => record_id))].toSorted((a, b) => a - b);
  await holdTicketsOf(tx, ids);
  const found = await meetings.rows(tx, inArray(meetTable.id, ids)).orderBy(meetTable.id).for('no key update');
  for (const row of found.filter(({ id }) => !inside.has(id))) await dropWanted(context, row, reason);
  const gone = Map.groupBy(
    found.filter(({ id }) => inside.has(id)),
    ({ id, series_id }) => (series_id === null ? `meeting ${id}` : `repeat ${series_id}`),
  );
  for (const dates of gone.values()) {
    const quiet = dates.length > 1;
    const hearing = new Map<number, Meet[]>();
    for (const row of dates) {
      for (const one of quiet ? new Set([...(await toldOf(tx, row.id)), row.creator_id]) : [])
        hearing.set(one, [...(hearing.get(one) ?? []), row]);
      await displaceMeeting(context, row, { reason, quiet });
    }
    await tellOfDates(tx, hearing, (of) => cancelledDates(of, reason, user.id));
  }
}

/** Locks the tickets of meetings and of their pending changes, before any of the rows: whoever decides one has its ticket first. */
async function holdTicketsOf(tx: Asked['tx'], ids: readonly number[]): Promise<void> {
  const pending = await meetChanges.pendingOf(tx, ids);
  const own = await tx
    .select({ ticket_id: meetTable.ticket_id })
    .from(meetTable)
    .where(inArray(meetTable.id, [...ids]));
  await holdTickets(
    tx,
    [...own, ...pending.values()].flatMap(({ ticket_id }) => ticket_id ?? []),
  );
}

/** News that several dates of a repeat are cancelled, with the dates. */
const cancelledDates = (rows: readonly Meet[], reason: string, by: number) =>
  newsOf(meetNews.MEET_CANCEL, rows[0]!, {
    content: `重复会议中的 ${rows.length} 次取消，原定 ${datesText(rows)}。原因：${reason}`,
    by,
  });
