import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, inArray, isNull, notInArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, enqueueAll, type Task } from '#kernel/server/jobs/jobs.ts';
import { cancelAbout, post } from '#modules/platform/deliveries/service.ts';
import { contactsOf, type Contact } from '#modules/platform/people/service/phones.ts';
import { callBackTexts, textedSince } from '#modules/platform/sms/service.ts';
import { oneTextADay } from '../contract.ts';
import type { Way } from '../contract/kinds.ts';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import { messageTable, receiptTable } from '../tables.ts';

/** A message to one person outside the box. */
export interface Outgoing {
  /** The same on every try. */
  key: string;
  to: Contact;
  messageId: number;
  title: string;
  content: string;
  /** The page of its subject. */
  web_path: string;
  /** Further parts of a text message: the organisation's own names in the title, the reason, and the page's address. */
  besides?: { own: readonly string[]; reason: string };
}
/** The configured channels; each posts in the caller's transaction. */
export type Ways = Partial<Record<Way, (tx: Db, unreadMessage: Outgoing) => Promise<unknown>>>;

/** A person who wants a message by other channels too. */
export interface Wanting {
  user_id: number;
  ways: Way[];
  quiet_from: string | null;
  quiet_to: string | null;
}

const module = 'messages';
const notifyOutside = 'tell outside';
interface Errand {
  message: number;
  user: number;
  ways: Way[];
  /** The person's own quiet hours. */
  quiet: [from: string, to: string] | null;
}

const keyOf = (message: number, user: number) => `outside:${message}:${user}`;

/** Queues external messages, for each person outside their quiet hours: at once, or not before `later`. */
export function sendOutside(tx: Db, message: number, wanting: readonly Wanting[], later?: Date): Promise<void> {
  const from = later ?? houseNow();
  return enqueueAll(
    tx,
    notifyOutside,
    wanting.map(({ user_id, ways, quiet_from, quiet_to }) => {
      const free = afterQuiet(from, quiet_from, quiet_to);
      return {
        payload: {
          message,
          user: user_id,
          ways,
          quiet: quiet_from === null || quiet_to === null ? null : [quiet_from, quiet_to],
        } satisfies Errand,
        key: keyOf(message, user_id),
        // Without a delay it is sent now, whatever this machine's clock says.
        ...(later || free > from ? { at: free } : {}),
      };
    }),
  );
}

/**
 * Sends one person's message, unless it was read, recalled or done meanwhile. Each channel posts separately: a failure does not hold back the others,
 * and all are tried again, since each recognises what it has posted.
 */
export function outsideTask(databases: Pick<Databases, 'write'>, ways: Ways): Task<Errand> {
  return {
    name: notifyOutside,
    title: '按提醒设置发短信、邮件',
    async run(errand, { now }) {
      const { message, user, ways: wanted, quiet } = errand;
      // A job may run late, when the person's quiet hours have begun.
      const free = quiet ? afterQuiet(now, ...quiet) : now;
      if (free > now)
        return databases.write(async (tx) => {
          if (await unread(tx, message, user))
            await enqueue(tx, notifyOutside, errand, { key: keyOf(message, user), at: free });
        });
      const failed: unknown[] = [];
      for (const way of wanted)
        await databases
          .write(async (tx) => {
            const unreadMessage = await unread(tx, message, user);
            const [to] = await contactsOf(tx, [user]);
            if (way === 'sms' && unreadMessage && (await textedToday(tx, unreadMessage.type, user))) return;
            if (unreadMessage && to)
              await ways[way]?.(tx, { key: `msg:${message}:${user}:${way}`, to, messageId: message, ...unreadMessage });
          })
          .catch((error: unknown) => failed.push(error));
      if (failed.length > 0) throw failed[0];
    },
  };
}

/** Withdraws external messages, except those just being sent. */
export async function callBack(tx: Db, messageIds: readonly number[]): Promise<void> {
  const joint = await stillTelling(tx, messageIds);
  const about = { module, objectIds: messageIds.filter((id) => !joint.has(id)) };
  await cancelAbout(tx, about);
  await callBackTexts(tx, about);
}

/** Those of some messages that carried others in their text and that somebody has not read: their validity is checked when they are sent. */
async function stillTelling(tx: Db, messageIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (messageIds.length === 0) return new Set();
  const first = alias(receiptTable, 'first');
  const rows = await tx
    .select({ id: first.msg_id })
    .from(first)
    .innerJoin(receiptTable, eq(receiptTable.user_id, first.user_id))
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(
      and(
        inArray(first.msg_id, [...messageIds]),
        sql`${first.msg_id} = any(${receiptTable.told_with})`,
        notInArray(receiptTable.msg_id, [...messageIds]),
        waits,
      ),
    );
  return new Set(rows.map((row) => row.id));
}

const waits = and(
  eq(receiptTable.is_deleted, false),
  isNull(receiptTable.read_time),
  isNull(receiptTable.closed_at),
  isNull(messageTable.recall_at),
);
const waitsFor = (message: number, user: number) =>
  and(eq(receiptTable.msg_id, message), eq(receiptTable.user_id, user), waits);

/** True if a person had their text message for this type today; concurrent messages are checked one after the other. */
async function textedToday(tx: Db, type: number, person: number): Promise<boolean> {
  if (!oneTextADay.includes(type)) return false;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`text of the day:${type}:${person}`}, 0))`);
  const { id, gmt_created } = messageTable;
  const objectIds = sql`select ${id} from ${messageTable} join ${receiptTable} on ${receiptTable.msg_id} = ${id}
    where ${messageTable.type} = ${type} and ${receiptTable.user_id} = ${person} and ${gmt_created} > now() - interval '7 days'`;
  return textedSince(tx, { module, objectIds, person, since: sql`date_trunc('day', now())` });
}

/** Locked, so that a concurrent recall finds what was posted. */
export async function unread(tx: Db, message: number, user: number) {
  const [row] = await tx
    .select({
      type: messageTable.type,
      title: messageTable.title,
      content: messageTable.content,
      web_path: messageTable.web_path,
    })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(waitsFor(message, user))
    .for('share');
  return row;
}

/** A message sent by another channel: its record and its recipient. */
export interface OutsideMessage {
  module: string;
  object_id: number | null;
  user_id: number | null;
}

/** True if a posted message is still valid: not if it and all messages sent with it were read, recalled or closed since. */
export async function isStillNews(db: Db, about: OutsideMessage): Promise<boolean> {
  if (about.module !== module || about.object_id === null || about.user_id === null) return true;
  const rows = await db
    .select({ id: receiptTable.id })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(
      and(
        eq(receiptTable.user_id, about.user_id),
        sql`(${receiptTable.msg_id} = ${about.object_id} or ${about.object_id}::int = any(${receiptTable.told_with}))`,
        waits,
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Sends mail to people with an address; it links to the subject if a public `origin` is configured. */
export async function byMail(
  tx: Db,
  { key, to, messageId, title, content, web_path: webPath }: Outgoing,
  origin: string | null,
): Promise<void> {
  if (!to.email) return;
  const about = { module, objectId: messageId, userId: to.id };
  const way = origin === null ? '' : `\n\n在系统中查看：${origin}${webPath || '/msg'}`;
  const body = { text: `${content || title}${way}` };
  await post(tx, [{ channel: 'mail', target: to.email, title, body, key, ...about }]);
}
