import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import type { Context } from '#kernel/server/implement.ts';
import { pageOf } from '#kernel/server/paging.ts';
import { matches, searchVector } from '#kernel/server/search.ts';
import { scopeOf, type Viewer } from '#kernel/server/viewer.ts';
import { peopleById } from '#modules/people/service.ts';
import { broadcastFrom, nobodyChosen, notYourMessage, recalledBefore, tooWide, type messages } from './contract.ts';
import { publishLater } from './publish.ts';
import { recipientsOf } from './recipients.ts';
import { callBack } from './outside.ts';
import { callBackNews, closeTodo, deliver, messagesChanged } from './service.ts';
import { messageTable, receiptTable } from './tables.ts';

const notice = 8;
const namesShown = 50;
type Audit = Context['audit'];

/** Sends a notice to people, departments, roles or everybody; widely only with the right that reaches everybody. */
export async function send(
  { tx, user, now, audit }: Pick<Context<typeof messages.send>, 'tx' | 'user' | 'now' | 'audit'>,
  body: BodyOf<typeof messages.send>,
) {
  const people = await recipientsOf(tx, body);
  if (people.length === 0) throw nobodyChosen();
  if (people.length > broadcastFrom && !scopeOf(user, 'Create', 'msg/send').all)
    throw tooWide(people.length, broadcastFrom);
  const [row] = await tx
    .insert(messageTable)
    .values({
      title: body.title,
      content: body.content,
      type: notice,
      level: body.level,
      senderId: user.id,
      needReceipt: body.need_receipt,
      ...(body.publish_at ? { published: body.publish_at } : {}),
      total: people.length,
      search: searchVector({ texts: [body.title, body.content] }),
    })
    .returning({ id: messageTable.id });
  const at = body.publish_at ? momentOf(body.publish_at) : now;
  const later = at > now ? at : undefined;
  await deliver(tx, { id: row!.id, event: 'NOTICE' }, people, later);
  if (later) await publishLater(tx, row!.id, later);
  audit({ type: '通知', id: row!.id, title: body.title, after: { 标题: body.title, 接收人数: people.length } });
  return { id: row!.id, total: people.length };
}

/** Notices one sent oneself, newest first, with how far they were read. */
export async function sent(tx: Db, user: Viewer, query: QueryOf<typeof messages.sent>) {
  const select = tx
    .select()
    .from(messageTable)
    .where(
      and(
        eq(messageTable.senderId, user.id),
        eq(messageTable.type, notice),
        matches(messageTable.search, query.search_value),
      ),
    )
    .$dynamic();
  const page = await pageOf(tx, query, select, {
    by: { publish_at: messageTable.published },
    first: 'publish_at',
    descending: true,
    tie: messageTable.id,
  });
  const ids = page.value.map((row) => row.id);
  const read = await readingOf(tx, ids);
  const waiting = await unreadOf(tx, ids);
  const names = await peopleById(tx, [...waiting.values()].flat());
  const value = page.value.map((row) => ({
    id: row.id,
    title: row.title,
    content: row.content,
    type: row.type,
    level: row.level,
    sender_name: user.alias,
    need_receipt: row.needReceipt,
    publish_at: row.published,
    recall_at: row.recalled,
    total: row.total,
    read: read.get(row.id)?.read ?? 0,
    confirmed: read.get(row.id)?.confirmed ?? 0,
    unread_names: (waiting.get(row.id) ?? []).flatMap((id) => names.get(id)?.alias ?? []),
    actions: row.recalled ? [] : ['recall'],
  }));
  return { ...page, value };
}

async function readingOf(tx: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { read: number; confirmed: number }>();
  const rows = await tx
    .select({
      id: receiptTable.messageId,
      read: sql<number>`count(${receiptTable.read})::int`,
      confirmed: sql<number>`count(${receiptTable.confirmed})::int`,
    })
    .from(receiptTable)
    .where(inArray(receiptTable.messageId, [...ids]))
    .groupBy(receiptTable.messageId);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Who has not read each message, the first fifty of each. */
async function unreadOf(tx: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await tx.execute<{ id: number; people: number[] }>(sql`
    select m.id, array(
      select user_id from msg_user where msg_id = m.id and read_time is null order by user_id limit ${namesShown}) people
    from unnest(${sql.param([...ids])}::int[]) m(id)`);
  return new Map(rows.map((row) => [row.id, row.people]));
}

/** Nobody sees a recalled message any more; who has read it stays known. */
export async function recall(tx: Db, user: Viewer, id: number, audit: Audit) {
  const [row] = await tx.select().from(messageTable).where(eq(messageTable.id, id)).for('update');
  if (!row || !(row.senderId === user.id || (await reaches(tx, user, id)))) throw absent('该消息');
  if (row.senderId !== user.id && !user.superAdmin) throw notYourMessage();
  if (row.recalled) throw recalledBefore(row.recalled);
  await tx
    .update(messageTable)
    .set({ recalled: sql`now()` })
    .where(eq(messageTable.id, id));
  const left = await tx
    .select({ userId: receiptTable.userId })
    .from(receiptTable)
    .where(and(eq(receiptTable.messageId, id), isNull(receiptTable.read)));
  messagesChanged(
    tx,
    left.map((one) => one.userId),
  );
  await closeTodo(tx, { module: 'messages', objectId: id, events: ['CHASE'] });
  await callBack(tx, [id]);
  await callBackNews(tx, { module: 'messages', objectId: id });
  audit({ type: '通知', id, title: row.title, before: { 状态: '已发布' }, after: { 状态: '已撤回' } });
  return { id };
}

/** A stranger to a message is not told that there is one. */
async function reaches(tx: Db, user: Viewer, id: number): Promise<boolean> {
  if (user.superAdmin) return true;
  const [mine] = await tx
    .select({ id: receiptTable.id })
    .from(receiptTable)
    .where(and(eq(receiptTable.messageId, id), eq(receiptTable.userId, user.id)));
  return mine !== undefined;
}
