import type { Db } from '#kernel/server/db/db.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { closeTodo } from '#modules/platform/messages/service.ts';
import { replyState, timeText, visibleTo } from '../contract/codes.ts';
import { attendsOf, withSecretaries } from './attends.ts';
import type { Stored } from './record.ts';

/** The news about leaders' schedules; each version is a new occasion. */
export const leaderNews = newsKinds({
  module: 'leaders',
  type: newsType.schedule,
  group: '领导日程',
  page: (id) => `/schedule/detail/${id}`,
  of: ({ id, title, version }: Pick<Stored, 'id' | 'title' | 'version'>) => ({
    id,
    title,
    occasion: String(version),
  }),
  kinds: {
    LEADER_NEW: { name: '新增与我有关的领导日程', head: '新日程' },
    LEADER_CHANGED: { name: '领导日程有变动', head: '日程变更' },
    LEADER_CANCELLED: { name: '领导日程取消', head: '日程取消' },
    LEADER_REPLY: { name: '领导答复日程', head: '日程答复' },
    LEADER_WEEK: { name: '一周安排发布', head: '一周安排', ways: [], page: () => '/schedule/index' },
    LEADER_BRIEF: {
      name: '领导当日日程简报',
      head: '今日日程',
      ways: ['sms', 'push'],
      page: () => '/schedule/index',
    },
    LEADER_TOMORROW: { name: '次日有领导日程', head: '明日日程' },
    LEADER_SOON: { name: '领导日程即将开始', head: '日程提醒', again: 'never' },
    TRIP_AWAY: { name: '领导外出与代行', head: '外出' },
  },
});

/** Sends a text message regardless of preferences: for entries that begin soon, and if the sender asks for it. */
export const texted = (is: boolean) => (is ? { also: ['sms' as const] } : {});

/** Those who take part in a schedule: its leaders and their secretaries; unless it is private, also its contact and companions. */
export async function partnersOf(
  tx: Db,
  row: Pick<Stored, 'id' | 'visibility' | 'contact_id' | 'escort'>,
): Promise<number[]> {
  const leaders = (await attendsOf(tx, [row.id])).get(row.id) ?? [];
  const side = await withSecretaries(
    tx,
    leaders.filter((one) => one.state < replyState.declines).map((one) => one.id),
  );
  return row.visibility === visibleTo.own
    ? side
    : [...side, ...row.escort, ...(row.contact_id === null ? [] : [row.contact_id])];
}

/** The people to notify of a schedule: the same and, unless it is private, its writer. */
export const hearersOf = async (
  tx: Db,
  row: Pick<Stored, 'id' | 'visibility' | 'contact_id' | 'escort' | 'creator_id'>,
): Promise<number[]> => [...(await partnersOf(tx, row)), ...(row.visibility === visibleTo.own ? [] : [row.creator_id])];

/** The former and the present time, and place if it changed. */
export function changeText(was: Stored, is: Stored): string {
  const placed = was.address !== is.address;
  const said = (row: Stored) => `${timeText(row)}${placed && row.address ? `，${row.address}` : ''}`;
  return said(was) === said(is) ? '内容有变动，请查看' : `由 ${said(was)} 改为 ${said(is)}`;
}

/** Withdraws outdated messages about a schedule from people who have not read them. */
export const withdrawNews = (tx: Db, row: Pick<Stored, 'id'>): Promise<void> =>
  closeTodo(tx, {
    module: 'leaders',
    objectId: row.id,
    events: ['LEADER_NEW', 'LEADER_CHANGED', 'LEADER_TOMORROW', 'LEADER_SOON'],
  });
