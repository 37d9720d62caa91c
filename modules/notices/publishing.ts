import { eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { checkRecipients } from '#modules/distributions/service.ts';
import { seenDocument } from '#modules/documents/service.ts';
import { closeTodo, notifyPeople } from '#modules/messages/service.ts';
import { peopleById } from '#modules/people/service.ts';
import type { documentNotices } from './contract.ts';
import { beyondReach, nobodyMeant, secretNotAnnounced, timePast, timesCrossed } from './contract/refusals.ts';
import { audienceOf, page } from './visibility.ts';
import { documentNoticeScopeTable, documentNoticeTable } from './tables.ts';

type Body = BodyOf<typeof documentNotices.publish>;
type Stored = typeof documentNoticeTable.$inferSelect;
export const module = 'notices';
const event = 'DOC_NOTICE';
const official = 3;
export const publishTask = 'publish document notice';

const nobody = { depts: [], roles: [], users: [] };
/** Only what the scope names counts. */
export const targets = ({ scope, recipients = nobody }: Pick<Body, 'scope' | 'recipients'>) =>
  scope === 'all' ? nobody : { ...nobody, [scope]: recipients[scope] };

/** Keeps a notice; its people hear of it now, or when its time comes. */
export async function publish(tx: Db, user: Viewer, body: Body, now: Date): Promise<number> {
  const at = checkTimes(body, now);
  const to = targets(body);
  await checkRecipients(tx, to);
  await checkReach(tx, user, body, to);
  if (body.document_id) {
    const { doc } = await seenDocument(tx, user, body.document_id);
    if (doc.secret_level > 0) throw secretNotAnnounced();
  }
  const [row] = await tx
    .insert(documentNoticeTable)
    .values({
      creator_id: user.id,
      dept_id: user.depts[0] ?? null,
      title: body.title,
      content: body.content,
      document_id: body.document_id ?? null,
      scope: body.scope,
      top: body.top,
      need_receipt: body.need_receipt,
      // As late as the transaction itself, so that it is out once it is told.
      publish_at: at ? at.toISOString() : (sql`now()` as never),
      expire_at: body.expire_at ?? null,
      search: searchVector({ texts: [body.title, body.content] }),
    })
    .returning();
  if (!row) throw new Error('the notice was not written');
  const rows = [
    ...to.depts.map((deptId: number) => ({ notice_id: row.id, dept_id: deptId })),
    ...to.roles.map((roleId: number) => ({ notice_id: row.id, role_id: roleId })),
    ...to.users.map((userId: number) => ({ notice_id: row.id, user_id: userId })),
  ];
  if (rows.length > 0) await tx.insert(documentNoticeScopeTable).values(rows).onConflictDoNothing();
  if (at) await enqueue(tx, publishTask, { id: row.id }, { key: `document notice:${row.id}`, at });
  else if ((await announce(tx, row)) === 0) throw nobodyMeant();
  return row.id;
}

/** When it is to be published; null for at once. */
function checkTimes({ publish_at, expire_at }: Body, now: Date): Date | null {
  const at = publish_at ? momentOf(publish_at) : null;
  if (publish_at && at! <= now) throw timePast('发布时间', publish_at);
  if (expire_at && momentOf(expire_at) <= now) throw timePast('失效时间', expire_at);
  if (expire_at && at && momentOf(expire_at) <= at) throw timesCrossed(expire_at, publish_at!);
  return at;
}

/** Whoever does not reach everybody announces to departments and people of their own range. */
async function checkReach(
  tx: Db,
  user: Viewer,
  { scope }: Body,
  { depts, users, roles }: { depts: number[]; users: number[]; roles: number[] },
): Promise<void> {
  if (scope !== 'all' && depts.length + users.length + roles.length === 0) throw nobodyMeant();
  const reach = scopeOf(user, 'Create', page);
  if (reach.all) return;
  const people = await peopleById(tx, users);
  const inside =
    (scope === 'depts' && depts.every((dept) => reach.depts.has(dept))) ||
    (scope === 'users' && users.every((id) => reach.depts.has(people.get(id)?.dept_id ?? 0)));
  if (!inside) throw beyondReach();
}

/** Tells everybody a notice is for, once; answers how many it is for. */
export async function announce(tx: Db, row: Stored): Promise<number> {
  const { rows } = await tx.execute<{ user_id: number }>(sql`select user_id from (${await audienceOf(tx, row)}) a`);
  const people = rows.map((one) => one.user_id);
  await tx.update(documentNoticeTable).set({ total: people.length }).where(eq(documentNoticeTable.id, row.id));
  changed(tx, 'document', people);
  const news = {
    title: `公文通知：${row.title}`,
    content: row.content.slice(0, 500),
    type: official,
    module,
    objectId: row.id,
    event,
    senderId: row.creator_id,
    webPath: `/document/notice/detail/${row.id}`,
    once: true,
  };
  await notifyPeople(tx, news, people);
  return people.length;
}

/** There is nothing more to read for these people; for anybody, unless told. */
export async function withdrawTodosOf(tx: Db, id: number, people?: readonly number[]): Promise<void> {
  if (people) changed(tx, 'document', people);
  await closeTodo(tx, { module, objectId: id, events: [event] }, people);
}
