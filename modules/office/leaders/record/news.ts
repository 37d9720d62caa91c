import type { Db } from '#kernel/server/db/db.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { closeTodo, notifyPeople } from '#modules/platform/messages/service.ts';
import type { MessageEvent } from '#modules/platform/messages/contract/preference.ts';
import { workingAmong } from '#modules/platform/people/service.ts';
import { replyState, timeText, visibleTo } from '../contract/codes.ts';
import { attendsOf, withSecretaries } from './attends.ts';
import type { Stored } from './record.ts';

type LeaderEvent = Extract<MessageEvent, `LEADER_${string}` | `TRIP_${string}`>;
const heads: Readonly<Record<LeaderEvent, string>> = {
  LEADER_NEW: '新日程',
  LEADER_CHANGED: '日程变更',
  LEADER_CANCELLED: '日程取消',
  LEADER_REPLY: '日程答复',
  LEADER_WEEK: '一周安排',
  LEADER_BRIEF: '今日日程',
  LEADER_TOMORROW: '明日日程',
  TRIP_AWAY: '外出',
};

/** Who hears of a schedule: its leaders and their secretaries; whom it names besides and who wrote it where it is not private. */
export async function hearersOf(
  tx: Db,
  row: Pick<Stored, 'id' | 'visibility' | 'contact_id' | 'escort' | 'creator_id'>,
): Promise<number[]> {
  const leaders = (await attendsOf(tx, [row.id])).get(row.id) ?? [];
  const side = await withSecretaries(
    tx,
    leaders.filter((one) => one.state < replyState.declines).map((one) => one.id),
  );
  return row.visibility === visibleTo.own
    ? side
    : [...side, row.creator_id, ...row.escort, ...(row.contact_id === null ? [] : [row.contact_id])];
}

/** What a schedule was and is now, where its time or place is another. */
export function changeText(was: Stored, is: Stored): string {
  const placed = was.address !== is.address;
  const said = (row: Stored) => `${timeText(row)}${placed && row.address ? `，${row.address}` : ''}`;
  return said(was) === said(is) ? '内容有变动，请查看' : `由 ${said(was)} 改为 ${said(is)}`;
}

/** Tells people of a schedule; whoever did it knows. */
export async function tellOf(
  tx: Db,
  row: Pick<Stored, 'id' | 'title' | 'version'>,
  event: LeaderEvent,
  content: string,
  by: number | null,
  to: readonly number[],
  urgent = false,
): Promise<void> {
  const people = (await workingAmong(tx, [...new Set(to)])).filter((one) => one !== by);
  const about = {
    module: 'leaders',
    objectId: row.id,
    event,
    occasion: String(row.version),
    webPath: `/schedule/detail/${row.id}`,
  };
  const also = urgent ? (['sms'] as const) : [];
  await notifyPeople(
    tx,
    { title: `${heads[event]}：${row.title}`, content, type: newsType.schedule, senderId: by, also, ...about },
    people,
  );
}

/** What was said of a schedule that is not so any more reaches nobody who has not read it. */
export const withdrawNews = (tx: Db, row: Pick<Stored, 'id'>): Promise<void> =>
  closeTodo(tx, { module: 'leaders', objectId: row.id, events: ['LEADER_NEW', 'LEADER_CHANGED', 'LEADER_TOMORROW'] });
