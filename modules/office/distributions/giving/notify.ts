import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { nameInNews } from '#modules/office/documents/service.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { callBackNews, closeTodo, notifyPeople, type News } from '#modules/platform/messages/service.ts';
import { urge as urgePeople } from '#modules/platform/messages/service/nudges.ts';

export const module = 'distributions';
/** Hours. */
const urgeEvery = 2;
const events = ['DIST', 'URGE', 'DIST_UNREAD'];

export interface Announcement {
  id: number;
  sender_id: number;
  note: string;
  need_receipt: boolean;
  deadline: string | null;
  document: { title: string; secret_level: number };
}
const ways = (sms: boolean) => (sms ? (['sms'] as const) : []);

export function newsOf(dist: Announcement, event: string, title: string, said = ''): News {
  const until = dist.deadline ? `请于 ${dist.deadline.slice(0, 16)} 前${dist.need_receipt ? '签收' : '阅读'}。` : '';
  const words = [dist.document.secret_level > secretLevel.none ? '' : said, until].filter(Boolean).join('\n');
  return {
    title: `${title}：${nameInNews(dist.document)}`,
    content: words || (dist.need_receipt ? '请打开查看并签收。' : '请打开阅读。'),
    type: newsType.document,
    module,
    objectId: dist.id,
    event,
    senderId: dist.sender_id,
    webPath: `/document/dist/detail/${dist.id}`,
  };
}

/** Tells everybody who got a document, by text message too where its sender wants that. */
export async function announce(tx: Db, dist: Announcement, people: readonly number[], sms: boolean): Promise<void> {
  changed(tx, 'document', people);
  await notifyPeople(tx, { ...newsOf(dist, 'DIST', '公文分发', dist.note), also: ways(sms) }, people);
}

/** What an urging is about. */
export const urgingOf = (distId: number) => ({ module, objectId: distId, event: 'URGE' });

/** Urges those who have not read it, each at most once in two hours; answers whom. */
export function urgeReaders(
  tx: Db,
  dist: Announcement,
  { people, content, senderId, sms }: { people: readonly number[]; content: string; senderId: number; sms: boolean },
): Promise<number[]> {
  const news = {
    ...newsOf(dist, 'URGE', '请尽快阅读', content),
    level: newsLevel.important,
    senderId,
    also: ways(sms),
  };
  return urgePeople(tx, '催读', { ...news, ...urgingOf(dist.id) }, people, { hours: urgeEvery });
}

/** That the deadline is near. */
export const deadlineNear = (dist: Announcement) => ({
  ...newsOf(dist, 'DIST_UNREAD', '阅读期限将到'),
  level: newsLevel.important,
  senderId: null,
});

/** It was recalled: what was said of it and has not left the house does not leave any more. */
export const calledBack = (tx: Db, distId: number): Promise<void> => callBackNews(tx, { module, objectId: distId });

/** People have nothing to do with it any more: they read it, or it was recalled. */
export async function settled(tx: Db, distId: number, people: readonly number[]): Promise<void> {
  changed(tx, 'document', people);
  await closeTodo(tx, { module, objectId: distId, events }, people);
}
