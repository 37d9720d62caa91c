import { and, eq, isNull, not, sql, type SQL } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { Message } from '../contract.ts';
import { messageTable, receiptTable } from '../tables.ts';

/** True if a message is not published yet. */
export const ahead = sql<boolean>`${messageTable.publish_at} > now()`;

/** A person's visible messages: published, not recalled, not deleted by them, still relevant. */
export function inBoxOf(user: Viewer): SQL {
  return and(
    eq(receiptTable.user_id, user.id),
    eq(receiptTable.is_deleted, false),
    isNull(receiptTable.closed_at),
    isNull(messageTable.recall_at),
    not(ahead),
  )!;
}

const columns = {
  id: receiptTable.id,
  msg_id: messageTable.id,
  title: messageTable.title,
  type: messageTable.type,
  level: messageTable.level,
  sender: messageTable.sender_id,
  read_state: sql<1 | 2>`case when ${receiptTable.read_time} is null then 1 else 2 end`,
  read_time: receiptTable.read_time,
  need_receipt: messageTable.need_receipt,
  confirmed_at: receiptTable.confirmed_at,
  web_path: messageTable.web_path,
  gmt_created: messageTable.publish_at,
};

/** Rows of somebody's box. */
export function box(tx: Db, where: SQL | undefined) {
  return tx
    .select(columns)
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(where)
    .$dynamic();
}

/** Adds the senders' names to rows; without a sender, the system's. */
export async function signed<R extends { sender: number | null }>(tx: Db, rows: readonly R[]) {
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.sender ?? []),
  );
  return rows.map(({ sender, ...row }) => ({
    ...row,
    sender_name: sender === null ? '系统' : (people.get(sender)?.alias ?? ''),
  }));
}

/** One message of one's own box, in full. */
export async function messageOf(tx: Db, user: Viewer, id: number): Promise<Message & { content: string }> {
  const rows = await tx
    .select({ ...columns, content: messageTable.content })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(and(inBoxOf(user), eq(receiptTable.id, id)));
  const [message] = await signed(tx, rows);
  if (!message) throw absent('该消息');
  return message;
}
