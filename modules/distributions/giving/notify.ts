import { nameInNews } from '#modules/documents/service.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { callBackNews, closeTodo, notifyPeople, type News } from '#modules/messages/service.ts';

export const module = 'distributions';
const official = 3;
const important = 1;
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
  const words = [dist.document.secret_level > 0 ? '' : said, until].filter(Boolean).join('\n');
  return {
    title: `${title}：${nameInNews(dist.document)}`,
    content: words || (dist.need_receipt ? '请打开查看并签收。' : '请打开阅读。'),
    type: official,
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

/** Reminds those who have not read it. */
export async function remind(
  tx: Db,
  dist: Announcement,
  { people, content, senderId, sms }: { people: readonly number[]; content: string; senderId: number; sms: boolean },
): Promise<void> {
  const news = { ...newsOf(dist, 'URGE', '请尽快阅读', content), level: important, senderId };
  await notifyPeople(tx, { ...news, also: ways(sms) }, people);
}

/** Says once that the deadline is near. */
export const deadlineNear = (tx: Db, dist: Announcement, people: readonly number[]): Promise<number> =>
  notifyPeople(
    tx,
    { ...newsOf(dist, 'DIST_UNREAD', '阅读期限将到'), level: important, senderId: null, once: true },
    people,
  );

/** It was recalled: what was said of it and has not left the house does not leave any more. */
export const calledBack = (tx: Db, distId: number): Promise<void> => callBackNews(tx, { module, objectId: distId });

/** People have nothing to do with it any more: they read it, or it was recalled. */
export async function settled(tx: Db, distId: number, people: readonly number[]): Promise<void> {
  changed(tx, 'document', people);
  await closeTodo(tx, { module, objectId: distId, events }, people);
}
