import { and, eq, isNull } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db.ts';
import { enqueueAll, type Task } from '#kernel/server/jobs.ts';
import { cancelAbout, post } from '#modules/deliveries/service.ts';
import { contactsOf, type Contact } from '#modules/people/service/phones.ts';
import { callBackTexts } from '#modules/sms/service.ts';
import type { Way } from './contract/preference.ts';
import { afterQuiet } from './quiet.ts';
import { messageTable, receiptTable } from './tables.ts';

/** A message on its way to one person outside the box. */
export interface Outgoing {
  /** The same however often it is tried. */
  key: string;
  to: Contact;
  messageId: number;
  title: string;
  content: string;
}
/** The ways this office has; each hands over in the writer's own transaction. */
export type Ways = Partial<Record<Way, (tx: Db, letter: Outgoing) => Promise<unknown>>>;

/** Somebody who wants to hear of a message by other ways too. */
export interface Wanting {
  user_id: number;
  ways: Way[];
  quiet_from: string | null;
  quiet_to: string | null;
}

const module = 'messages';
const tellOutside = 'tell outside';
interface Errand {
  message: number;
  user: number;
  ways: Way[];
}

/** Queues what is to leave the house, each person's for when they may be disturbed: at once, or not before `later`. */
export function sendOutside(tx: Db, message: number, wanting: readonly Wanting[], later?: Date): Promise<void> {
  const from = later ?? new Date();
  return enqueueAll(
    tx,
    tellOutside,
    wanting.map(({ user_id, ways, quiet_from, quiet_to }) => {
      const free = afterQuiet(from, quiet_from, quiet_to);
      return {
        payload: { message, user: user_id, ways } satisfies Errand,
        key: `outside:${message}:${user_id}`,
        // What waits for nothing leaves now, whatever the clock of this machine says.
        ...(later || free > from ? { at: free } : {}),
      };
    }),
  );
}

/** Sends one person's, unless by then it was read, recalled or needs no doing any more. */
export function outsideTask(databases: Pick<Databases, 'write'>, ways: Ways): Task<Errand> {
  return {
    name: tellOutside,
    run: ({ message, user, ways: wanted }) =>
      databases.write(async (tx) => {
        const letter = await unread(tx, message, user);
        const [to] = await contactsOf(tx, [user]);
        if (!letter || !to) return;
        for (const way of wanted)
          await ways[way]?.(tx, { key: `msg:${message}:${user}:${way}`, to, messageId: message, ...letter });
      }),
  };
}

/** Calls back what went on its way about messages, so that nothing leaves any more but what is just being carried. */
export async function callBack(tx: Db, messageIds: readonly number[]): Promise<void> {
  const about = { module, objectIds: messageIds };
  await cancelAbout(tx, about);
  await callBackTexts(tx, about);
}

/** Held, so that whoever recalls it meanwhile finds what was handed over. */
async function unread(tx: Db, message: number, user: number) {
  const [row] = await tx
    .select({ title: messageTable.title, content: messageTable.content })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.messageId))
    .where(
      and(
        eq(receiptTable.messageId, message),
        eq(receiptTable.userId, user),
        eq(receiptTable.deleted, false),
        isNull(receiptTable.read),
        isNull(receiptTable.closed),
        isNull(messageTable.recalled),
      ),
    )
    .for('share');
  return row;
}

/** By mail, to those who have an address. */
export async function byMail(tx: Db, { key, to, messageId, title, content }: Outgoing): Promise<void> {
  if (!to.email) return;
  const about = { module, objectId: messageId, userId: to.id };
  await post(tx, [{ channel: 'mail', target: to.email, title, body: { text: content || title }, key, ...about }]);
}
