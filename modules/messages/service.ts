import { and, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import { changed } from '#kernel/server/live/changes.ts';
import { named, namedRows, type Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { choiceOf, defaultWays, type Way } from './contract/preference.ts';
import { callBack, sendOutside, type Wanting } from './outside/outside.ts';
import { messageTable, receiptTable } from './tables.ts';

export { byMail, isStillNews, type Ways } from './outside/outside.ts';
export { redeemTicket } from './inbox/socket-ticket.ts';

export interface News {
  title: string;
  content: string;
  /** Key of `messageTypes`. */
  type: number;
  level?: number;
  senderId?: number | null;
  /** The record it is about, what happened to it, and the page that shows it. */
  module: string;
  objectId: number;
  event: string;
  /** Which happening of the event, where it comes again: the day it is due. Told of one, people are told of the next all the same. */
  occasion?: string;
  webPath: string;
  /** Nobody hears of it twice however long ago the first time was; ten minutes unless set. */
  once?: boolean;
  /** Ways the sender chose for all of them, beside those each of them chose. */
  also?: readonly Way[];
}

/** Held to the end of the transaction: two tellers of one event must see each other's rows. */
export async function holdNews(tx: Db, { module, objectId, event }: News): Promise<void> {
  const about = `msg:${module}:${objectId}:${event}`;
  await namedRows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${about}, 0))`);
}

/**
 * Tells people of something, in the writer's own transaction. Nobody hears of the same event of the same record twice
 * within ten minutes. Answers how many were told.
 */
export async function notifyPeople(tx: Db, news: News, to: readonly number[]): Promise<number> {
  const people = [...new Set(to)];
  if (people.length === 0) return 0;
  const held = holdNews(tx, news);
  const query = tx
    .select({ user_id: receiptTable.user_id })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(
      and(
        eq(messageTable.module, news.module),
        eq(messageTable.object_id, news.objectId),
        eq(messageTable.event, news.event),
        eq(messageTable.occasion, news.occasion ?? ''),
        news.once ? undefined : sql`${messageTable.gmt_created} > now() - interval '10 minutes'`,
        isNull(receiptTable.closed_at),
        sql`${receiptTable.user_id} = any(${sql.param(people)}::int[])`,
      ),
    );
  // Asked behind the lock, in the same round trip.
  const [known] = await Promise.all([named(query), held]);
  const before = new Set(known.map((row) => row.user_id));
  const fresh = people.filter((id) => !before.has(id));
  await tell(tx, news, fresh);
  return fresh.length;
}

/** Tells people of something, whatever they have heard before: whoever calls it knows that it is new to them. */
export async function tell(tx: Db, news: News, fresh: readonly number[]): Promise<void> {
  if (fresh.length === 0) return;
  const query = tx
    .insert(messageTable)
    .values({
      title: news.title.slice(0, 100),
      content: news.content,
      type: news.type,
      level: news.level ?? 0,
      sender_id: news.senderId ?? null,
      module: news.module,
      object_id: news.objectId,
      event: news.event,
      occasion: news.occasion ?? '',
      web_path: news.webPath,
      total: fresh.length,
      search: searchVector({ texts: [news.title] }),
    })
    .returning({ id: messageTable.id });
  const [row] = await named(query);
  await deliver(tx, { id: row!.id, event: news.event, level: news.level ?? 0, also: news.also ?? [] }, fresh);
}

/** News for some people, who are to hear of it once. */
export interface Reminder {
  news: News;
  to: readonly number[];
}

/** Tells each reminder to those who have not heard it: who has, of all the records, is one question. */
export async function remind(tx: Db, reminders: readonly Reminder[]): Promise<void> {
  if (reminders.length === 0) return;
  const { module, object_id: objectId, event, occasion } = messageTable;
  const each = <V>(part: (news: News) => V) => [...new Set(reminders.map(({ news }) => part(news)))];
  const known = await tx
    .select({ module, objectId, event, occasion, user_id: receiptTable.user_id })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(
      and(
        inArray(
          module,
          each((news) => news.module),
        ),
        inArray(
          objectId,
          each((news) => news.objectId),
        ),
        inArray(
          event,
          each((news) => news.event),
        ),
        isNull(receiptTable.closed_at),
      ),
    );
  const copy = (of: Pick<News, 'module' | 'event' | 'occasion'> & { objectId: number | null }, userId: number) =>
    [of.module, of.objectId, of.event, of.occasion ?? '', userId].join(' ');
  const heard = new Set(known.map((row) => copy(row, row.user_id)));
  for (const { news, to } of reminders)
    await notifyPeople(
      tx,
      { ...news, once: true },
      to.filter((id) => !heard.has(copy(news, id))),
    );
}

interface Delivering {
  /** Of the message. */
  id: number;
  event: string;
  level: number;
  also: readonly Way[];
}

/**
 * Puts a copy of a message into the boxes of people, and sends it by the other ways they want for such an event, or else by the
 * default ones, and by those the sender chose: now, or `later` when it is published.
 */
export async function deliver(
  tx: Db,
  { id, event, level, also }: Delivering,
  people: readonly number[],
  later?: Date,
): Promise<void> {
  const to = sql.param([...people]);
  const choice = choiceOf(event, level);
  const otherwise = sql.param((choice && defaultWays[choice]) ?? []);
  const wanted = sql`coalesce(ways, ${otherwise}::varchar[]) || ${sql.param([...also])}::varchar[]`;
  const rows = await namedRows<Wanting>(
    tx,
    sql`
    with boxed as (insert into msg_user (msg_id, user_id) select ${id}, unnest(${to}::int[]))
    select user_id, array(select distinct unnest(${wanted})) ways, quiet_from, quiet_to from unnest(${to}::int[]) known (user_id)
      left join (select user_id, ways from msg_preference where event = ${choice}) chosen using (user_id)
      left join msg_habit using (user_id)
    where ${wanted} <> '{}'`,
  );
  await sendOutside(tx, id, rows, later);
  if (!later) messagesChanged(tx, people);
}

/** Puts a number in the place of the word that stood for it in what was told of a record. */
export const reworded = (about: { module: string; objectId: number }, word: string, number: string): SQL =>
  sql`update msg set content = replace(content, ${word}, ${number}) where module = ${about.module} and object_id = ${about.objectId}`;

/** Calls back what left the box about a record, whatever its event, and has not left the house: nobody is to hear of it any more. */
export async function callBackNews(tx: Db, about: { module: string; objectId: number }): Promise<void> {
  const { id, module, object_id: objectId } = messageTable;
  const said = await tx
    .select({ id })
    .from(messageTable)
    .where(and(eq(module, about.module), eq(objectId, about.objectId)));
  await callBack(
    tx,
    said.map((row) => row.id),
  );
}

/**
 * Takes a to-do message, of one record or several, away from people once there is nothing to do any more; from everybody unless
 * told. `but`: not what was told of this occasion.
 */
export async function closeTodo(
  tx: Db,
  about: { module: string; objectId: number | readonly number[]; events: readonly string[]; but?: string },
  people?: readonly number[],
): Promise<void> {
  const known = tx
    .select({ id: messageTable.id })
    .from(messageTable)
    .where(
      and(
        eq(messageTable.module, about.module),
        inArray(messageTable.object_id, [about.objectId].flat()),
        inArray(messageTable.event, [...about.events]),
        about.but === undefined ? undefined : ne(messageTable.occasion, about.but),
      ),
    );
  const closed = await tx
    .update(receiptTable)
    .set({ closed_at: sql`now()` })
    .where(
      and(
        inArray(receiptTable.msg_id, known),
        isNull(receiptTable.closed_at),
        people && inArray(receiptTable.user_id, [...people]),
      ),
    )
    .returning({ user_id: receiptTable.user_id });
  messagesChanged(
    tx,
    closed.map((row) => row.user_id),
  );
}

/** Which records of a module messages of such events ask a person about, that were not taken away since. */
export async function askedAbout(
  tx: Db,
  { module, events }: { module: string; events: readonly string[] },
  person: number,
): Promise<number[]> {
  const rows = await tx
    .selectDistinct({ id: messageTable.object_id })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(
      and(
        eq(receiptTable.user_id, person),
        isNull(receiptTable.closed_at),
        eq(receiptTable.is_deleted, false),
        eq(messageTable.module, module),
        inArray(messageTable.event, [...events]),
      ),
    );
  return rows.flatMap((row) => row.id ?? []);
}

/** Says whose boxes changed, so that their windows ask anew. */
export function messagesChanged(tx: Db, people: readonly number[]): void {
  changed(tx, 'msg', people);
}
