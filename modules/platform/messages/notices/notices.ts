import { and, eq, getTableColumns, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { peopleIn } from '#modules/platform/people/service/audience.ts';
import {
  broadcastFrom,
  mostTexted,
  nobodyChosen,
  newsType,
  noticeStates,
  notYourMessage,
  recalledBefore,
  timePast,
  tooManyTexts,
  tooWide,
  type messages,
} from '../contract.ts';
import { ahead, box, inBoxOf } from '../inbox/boxes.ts';
import { messageNews } from '../service/news.ts';
import { publishLater } from './publish.ts';
import { sentBy } from './sent.ts';
import { callBack } from '../outside/outside.ts';
import { callBackNews, closeTodo, deliver, messagesChanged } from '../service.ts';
import { messageTable, receiptTable } from '../tables.ts';

const minuteMs = 60_000;
type Audit = Context['audit'];

/** Sends a notice to people, departments, roles or everybody; to many only with the right that reaches everybody. */
export async function send(
  { tx, user, now, audit }: Pick<Context<typeof messages.send>, 'tx' | 'user' | 'now' | 'audit'>,
  body: BodyOf<typeof messages.send>,
) {
  const at = body.publish_at ? momentOf(body.publish_at) : now;
  // The present minute may still be chosen.
  if (at.getTime() <= now.getTime() - minuteMs) throw timePast(body.publish_at!);
  const later = at > now ? at : undefined;
  const people = await peopleIn(tx, body.recipients);
  if (people.length === 0) throw nobodyChosen();
  if (people.length > broadcastFrom && !scopeOf(user, 'Create', 'msg/send').all)
    throw tooWide(people.length, broadcastFrom);
  if (body.sms && people.length > mostTexted) throw tooManyTexts(people.length);
  const [row] = await tx
    .insert(messageTable)
    .values({
      title: body.title,
      content: body.content,
      type: newsType.notice,
      level: body.level,
      sender_id: user.id,
      need_receipt: body.need_receipt,
      ...(later ? { publish_at: body.publish_at! } : {}),
      total: people.length,
      search: searchVector({ texts: [body.title, body.content] }),
    })
    .returning({ id: messageTable.id });
  const also = body.sms ? (['sms'] as const) : [];
  await deliver(
    tx,
    { message: sql`(select ${row!.id}::int id)`, kind: messageNews.NOTICE, level: body.level, also },
    people,
    later,
  );
  if (later) await publishLater(tx, row!.id, later);
  audit({ type: '通知', id: row!.id, title: body.title, after: { 标题: body.title, 接收人数: people.length } });
  return { id: row!.id, total: people.length, publish_at: later ? momentText(later) : null };
}

/** A recalled notice is invisible; its readers stay recorded. Messages of the product itself cannot be recalled, whoever caused them. */
export async function recall(tx: Db, user: Viewer, id: number, audit: Audit) {
  const [row] = await tx
    .select({ ...getTableColumns(messageTable), ahead, own: sql<boolean>`${sentBy(user)}` })
    .from(messageTable)
    .where(eq(messageTable.id, id))
    .for('update');
  if (!row || !(row.own || (await reaches(tx, user, id)))) throw absent('该消息');
  if (!row.own) throw notYourMessage();
  if (row.recall_at) throw recalledBefore(row.recall_at);
  await tx
    .update(messageTable)
    .set({ recall_at: sql`now()` })
    .where(eq(messageTable.id, id));
  const had = await tx
    .select({ user_id: receiptTable.user_id })
    .from(receiptTable)
    .where(and(eq(receiptTable.msg_id, id), eq(receiptTable.is_deleted, false)));
  messagesChanged(
    tx,
    had.map((one) => one.user_id),
  );
  await closeTodo(tx, { module: 'messages', objectId: id, events: ['CHASE'] });
  await callBack(tx, [id]);
  await callBackNews(tx, { module: 'messages', objectId: id });
  const before = { 状态: row.ahead ? noticeStates.ahead : noticeStates.published };
  audit({ type: '通知', id, title: row.title, before, after: { 状态: noticeStates.recalled } });
  return { id };
}

/** Somebody without the message in their box is not told that it exists. */
async function reaches(tx: Db, user: Viewer, id: number): Promise<boolean> {
  if (user.superAdmin) return true;
  return (await box(tx, and(inBoxOf(user), eq(messageTable.id, id)))).length > 0;
}
