import { and, eq, inArray, isNotNull, isNull, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { readState } from '../contract.ts';
import { box, inBoxOf, messageOf, signed } from './boxes.ts';
import type { messages } from '../contract.ts';
import { closeTodo, messagesChanged } from '../service.ts';
import { messageTable, receiptTable } from '../tables.ts';

type ListQuery = QueryOf<typeof messages.read>;

/** One's messages, newest first: the read ones, or all. */
export async function list(tx: Db, user: Viewer, query: ListQuery, unread = false) {
  const state = unread ? isNull(receiptTable.read_time) : query.all ? undefined : isNotNull(receiptTable.read_time);
  const type = query.type === undefined ? undefined : eq(messageTable.type, query.type);
  const one = query.notice === undefined ? undefined : eq(messageTable.id, query.notice);
  const found = saysOrShows(
    query.search_value,
    (word) => matches(messageTable.search, word),
    (ids) => sql`${messageTable.sender_id} in ${ids}`,
  );
  const page = await pageOf(tx, query, box(tx, and(inBoxOf(user), state, type, one, found)), {
    by: { gmt_created: receiptTable.publish_at },
    first: 'gmt_created',
    descending: true,
    tie: receiptTable.id,
  });
  return { ...page, value: await signed(tx, page.value) };
}

/** Counts of unread ones, by `newsType`. */
export async function countUnread(tx: Db, user: Viewer) {
  const rows = await tx
    .select({ type: messageTable.type, count: sql<number>`count(*)::int` })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(and(inBoxOf(user), isNull(receiptTable.read_time)))
    .groupBy(messageTable.type);
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    by_type: Object.fromEntries(rows.map((row) => [row.type, row.count])),
  };
}

/** All of one's messages, the unread ones, and those of today of the house's clock. */
export async function countAll(tx: Db, user: Viewer) {
  const [row] = await tx
    .select({
      total: sql<number>`count(*)::int`,
      unread: sql<number>`count(*) filter (where ${receiptTable.read_time} is null)::int`,
      today: sql<number>`count(*) filter (where ${receiptTable.publish_at} >= current_date)::int`,
    })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(inBoxOf(user));
  return row!;
}

/** One message in full; opening marks it as read. */
export async function open(tx: Db, user: Viewer, id: number) {
  const message = await messageOf(tx, user, id);
  if (message.read_time) return message;
  await tx
    .update(receiptTable)
    .set({ read_time: sql`now()` })
    .where(and(eq(receiptTable.id, id), isNull(receiptTable.read_time)));
  messagesChanged(tx, [user.id]);
  return messageOf(tx, user, id);
}

/** Marks as read, unread, or confirmed; confirming includes reading, and is final. */
export async function setRead(tx: Db, user: Viewer, id: number, body: BodyOf<typeof messages.setRead>) {
  const message = await messageOf(tx, user, id);
  const confirms = body.confirmed && message.need_receipt;
  const first = (column: AnyColumn) => sql`coalesce(${column}, now())`;
  const marks = confirms
    ? { read_time: first(receiptTable.read_time), confirmed_at: first(receiptTable.confirmed_at) }
    : body.read_state && { read_time: body.read_state === readState.read ? first(receiptTable.read_time) : null };
  if (!marks) return { id };
  await tx.update(receiptTable).set(marks).where(eq(receiptTable.id, id));
  if (confirms) await closeTodo(tx, { module: 'messages', objectId: message.msg_id, events: ['CHASE'] }, [user.id]);
  messagesChanged(tx, [user.id]);
  return { id };
}

/** Ids of copies in one's box. */
const shown = (tx: Db, user: Viewer, where: SQL | undefined) =>
  tx
    .select({ id: receiptTable.id })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(and(inBoxOf(user), where));

/** Removes messages from one's own box; others keep theirs. Returns how many were there. */
export async function remove(tx: Db, user: Viewer, ids: readonly number[]): Promise<number> {
  const gone = await tx
    .update(receiptTable)
    .set({ is_deleted: true })
    .where(inArray(receiptTable.id, shown(tx, user, inArray(receiptTable.id, [...ids]))))
    .returning({ msg_id: receiptTable.msg_id });
  // Nobody is asked to confirm a message they no longer have.
  const asked = gone.map((row) => row.msg_id);
  if (asked.length > 0) await closeTodo(tx, { module: 'messages', objectId: asked, events: ['CHASE'] }, [user.id]);
  messagesChanged(tx, [user.id]);
  return gone.length;
}

/** Marks everything visible in one's box as read, or only a type, or only the named ones. */
export async function readAll(tx: Db, user: Viewer, body: BodyOf<typeof messages.readAll>) {
  const meant = and(
    isNull(receiptTable.read_time),
    body.type === undefined ? undefined : eq(messageTable.type, body.type),
    body.ids && inArray(receiptTable.id, body.ids),
  );
  const read = await tx
    .update(receiptTable)
    .set({ read_time: sql`now()` })
    .where(inArray(receiptTable.id, shown(tx, user, meant)))
    .returning({ id: receiptTable.id });
  messagesChanged(tx, [user.id]);
  return { count: read.length };
}
