import { cutTo } from '#kernel/contract/words/cut.ts';
import { eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { seenDocument } from '#modules/office/documents/service.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { announce, closeTodo, newsOf } from '#modules/platform/messages/service.ts';
import { urging } from '#modules/platform/messages/service/news.ts';
import { urge } from '#modules/platform/messages/service/nudges.ts';
import { isNobody, type Audience } from '#modules/platform/people/contract/audience.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { audienceOf, checkAudience, namesIn, peopleIn } from '#modules/platform/people/service/audience.ts';
import type { documentNotices } from './contract.ts';
import {
  beyondReach,
  nobodyMeant,
  nobodyUnread,
  secretNotAnnounced,
  timePast,
  timesCrossed,
} from './contract/refusals.ts';
import { readersOf, type Seen } from './rows.ts';
import { page } from './visibility.ts';
import { documentNoticeTable } from './tables.ts';

type Body = BodyOf<typeof documentNotices.publish>;
type Stored = typeof documentNoticeTable.$inferSelect;
export const module = 'notices';
const events = ['DOC_NOTICE', 'URGE'];
/** In hours. */
const urgeEvery = 2;
export const publishTask = 'publish document notice';

/** Stores a notice; its audience is notified now, or at its time of publication. */
export async function publish(tx: Db, user: Viewer, body: Body, now: Date): Promise<number> {
  const at = checkTimes(body, now);
  await checkAudience(tx, body.recipients);
  await checkReach(tx, user, body.recipients);
  if (body.document_id) {
    const { doc } = await seenDocument(tx, user, body.document_id);
    if (doc.secret_level > secretLevel.none) throw secretNotAnnounced();
  }
  const [row] = await tx
    .insert(documentNoticeTable)
    .values({
      creator_id: user.id,
      dept_id: user.depts[0] ?? null,
      title: body.title,
      content: body.content,
      document_id: body.document_id ?? null,
      audience: namesIn(body.recipients),
      top: body.top,
      need_receipt: body.need_receipt,
      // Not earlier than the transaction's own time, so that it is published once people are notified.
      publish_at: at ? at.toISOString() : sql`now()`,
      expire_at: body.expire_at ?? null,
      search: searchVector({ texts: [body.title, body.content] }),
    })
    .returning();
  if (!row) throw new Error('the notice was not written');
  if (at) await enqueue(tx, publishTask, { id: row.id }, { key: `document notice:${row.id}`, at });
  else if ((await announceNotice(tx, row)) === 0) throw nobodyMeant();
  return row.id;
}

/** The time of publication; null for at once. */
function checkTimes({ publish_at, expire_at }: Body, now: Date): Date | null {
  const at = publish_at ? momentOf(publish_at) : null;
  if (publish_at && at! <= now) throw timePast('发布时间', publish_at);
  if (expire_at && momentOf(expire_at) <= now) throw timePast('失效时间', expire_at);
  if (expire_at && at && momentOf(expire_at) <= at) throw timesCrossed(expire_at, publish_at!);
  return at;
}

/** Refuses departments and people outside the publisher's scope. */
async function checkReach(tx: Db, user: Viewer, audience: Audience): Promise<void> {
  if (isNobody(audience)) throw nobodyMeant();
  const reach = scopeOf(user, 'Create', page);
  if (reach.all) return;
  const { all, depts, roles, users } = audience;
  const people = await peopleById(tx, users);
  const inside =
    !all &&
    roles.length === 0 &&
    depts.every((dept) => reach.depts.has(dept)) &&
    users.every((id) => reach.depts.has(people.get(id)?.dept_id ?? 0));
  if (!inside) throw beyondReach();
}

/** The news about notices. */
export const noticeNews = newsKinds({
  module,
  type: newsType.document,
  group: '公文',
  page: (id) => `/document/notice/detail/${id}`,
  kinds: {
    // A publisher who belongs to the audience has to read it like everybody else.
    DOC_NOTICE: { name: '公文通知', head: '公文通知', again: 'never', own: true },
    URGE: { ...urging, head: '请尽快阅读', type: newsType.document },
  },
});
const contentOf = (row: Pick<Stored, 'content'>) => cutTo(row.content, 500);

/** Notifies the audience of a notice, once; returns its size. */
export async function announceNotice(tx: Db, row: Stored): Promise<number> {
  const people = await peopleIn(tx, audienceOf(row.audience));
  await tx.update(documentNoticeTable).set({ total: people.length }).where(eq(documentNoticeTable.id, row.id));
  changed(tx, 'document', people);
  await announce(tx, noticeNews.DOC_NOTICE, row, { content: contentOf(row), by: row.creator_id }, people);
  return people.length;
}

/** Withdraws the to-dos of a notice, of these people or of everybody. */
export async function withdrawTodosOf(tx: Db, id: number, people?: readonly number[]): Promise<void> {
  if (people) changed(tx, 'document', people);
  await closeTodo(tx, { module, objectId: id, events }, people);
}

/** Urges those who have not read a notice, each at most once in two hours; returns how many. */
export async function urgeReaders(tx: Db, user: Viewer, row: Seen['row']): Promise<number> {
  const { rows } = await tx.execute<{ user_id: number }>(sql`select user_id from (${readersOf(row)}) r where late`);
  const news = newsOf(noticeNews.URGE, row, { content: contentOf(row), by: user.id });
  const late = rows.map((one) => one.user_id);
  return (await urge(tx, news, late, { name: '催读', nobody: nobodyUnread, hours: urgeEvery })).length;
}
