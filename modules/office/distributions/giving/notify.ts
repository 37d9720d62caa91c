import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { nameInNews } from '#modules/office/documents/service.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce, callBackNews, closeTodo, newsOf } from '#modules/platform/messages/service.ts';
import { urging } from '#modules/platform/messages/service/news.ts';
import { urge as urgePeople } from '#modules/platform/messages/service/nudges.ts';
import { nobodyUnread } from '../contract/refusals.ts';

export const module = 'distributions';
/** In hours. */
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

/** The news about distributed documents. */
export const distNews = newsKinds({
  module,
  type: newsType.document,
  group: '公文',
  page: (id) => `/document/dist/detail/${id}`,
  of: (dist: Announcement) => ({ id: dist.id, title: nameInNews(dist.document) }),
  kinds: {
    // A sender who is also a recipient has to sign like everybody else.
    DIST: { name: '公文分发给我', head: '公文分发', own: true },
    DIST_UNREAD: { name: '分发的公文快到阅读期限', head: '阅读期限将到', level: newsLevel.important },
    URGE: { ...urging, head: '请尽快阅读', type: newsType.document },
  },
});

function readingText(dist: Announcement, said = ''): string {
  const until = dist.deadline ? `请于 ${dist.deadline.slice(0, 16)} 前${dist.need_receipt ? '签收' : '阅读'}。` : '';
  const words = [dist.document.secret_level > secretLevel.none ? '' : said, until].filter(Boolean).join('\n');
  return words || (dist.need_receipt ? '请打开查看并签收。' : '请打开阅读。');
}

/** Notifies all recipients, by text message too if the sender asked for it. */
export async function announceGiven(
  tx: Db,
  dist: Announcement,
  people: readonly number[],
  sms: boolean,
): Promise<void> {
  changed(tx, 'document', people);
  const said = { content: readingText(dist, dist.note), by: dist.sender_id, also: ways(sms) };
  await announce(tx, distNews.DIST, dist, said, people);
}

/** The subject of an urging. */
export const urgingOf = (distId: number) => ({ module, objectId: distId, event: 'URGE' });

/** Urges those who have not read it, each at most once in two hours; returns their ids. */
export function urgeReaders(
  tx: Db,
  dist: Announcement,
  { people, content, senderId, sms }: { people: readonly number[]; content: string; senderId: number; sms: boolean },
): Promise<number[]> {
  const said = { content: readingText(dist, content), by: senderId, also: ways(sms) };
  const rule = { name: '催读', nobody: nobodyUnread, hours: urgeEvery };
  return urgePeople(tx, newsOf(distNews.URGE, dist, said), people, rule);
}

/** The news that the deadline is near. */
export const deadlineNear = (dist: Announcement) => ({
  title: `${distNews.DIST_UNREAD.head}：${nameInNews(dist.document)}`,
  content: readingText(dist),
});

/** Withdraws the messages of a recalled distribution that have not been sent yet. */
export const calledBack = (tx: Db, distId: number): Promise<void> => callBackNews(tx, { module, objectId: distId });

/** Withdraws the to-dos of people who have read it, or whose copy was recalled. */
export async function settled(tx: Db, distId: number, people: readonly number[]): Promise<void> {
  changed(tx, 'document', people);
  await closeTodo(tx, { module, objectId: distId, events }, people);
}
