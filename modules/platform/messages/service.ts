import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, inArray, isNull, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { changed } from '#kernel/server/live/changes.ts';
import { named, namedRows, sendAlong, type Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { choiceOf, type About, type Again, type NewsKind, type Way } from './contract/kinds.ts';
import { callBack, sendOutside, type Wanting } from './outside/outside.ts';
import { gather, type Named } from './outside/gathered.ts';
import { hearersIn, type Hearer } from './service/hearers.ts';
import { messageTable, receiptTable } from './tables.ts';

export { byMail, isStillNews, type Ways } from './outside/outside.ts';
export { pushAdapter } from './push/adapter.ts';
export { byPush } from './push/devices.ts';
export { forgetPush, makePushKeys } from './push/keys.ts';
export { redeemTicket } from './inbox/socket-ticket.ts';
export { hearersIn, type Hearer } from './service/hearers.ts';

declare module '#kernel/server/product.ts' {
  interface Product {
    news: readonly NewsKind[];
  }
  interface ModuleDefinition {
    /** What it tells people of. */
    news?: readonly Readonly<Record<string, NewsKind>>[];
  }
}

/** What is said of a record this time; what it leaves open the record says, and its kind. */
export interface Said extends Partial<Omit<About, 'title'>> {
  /** Stands before the title of the record in place of the kind's own head. */
  head?: string;
  /** The whole title, where it is none of a head and a record. */
  title?: string;
  content: string;
  /** Who did it, who knows; null where it came about by itself. */
  by: number | null;
  /** Who says it, where that is not who did it. */
  sender?: number | null;
  type?: number;
  /** Whoever did it hears of it too, though the kind does not say so: this time it asks something of them. */
  own?: boolean;
  again?: Again;
  /** Of news that come in storms: what leaves the house of them is one message a person and minute, which names each. */
  gathered?: Named;
}
/** A kind, a record and what is said of it, put together by `newsOf` alone. */
export interface News extends Omit<Said, 'id' | 'head' | 'occasion' | 'level' | 'again' | 'page' | 'within'> {
  kind: NewsKind;
  title: string;
  module: string;
  objectId: number;
  event: string;
  occasion: string;
  level: number;
  webPath: string;
  again: Again;
  also: readonly Way[];
}

export const newsOf = <R>(kind: NewsKind<R>, row: R, said: Said): News => newsAbout(kind, kind.of(row), said);

/** The same of what a record says of itself. */
export function newsAbout(kind: NewsKind, { title: name, ...about }: About, said: Said): News {
  const { id, head = kind.head, title, page, within, content, ...rest } = { ...about, ...said };
  const own = { module: kind.module, occasion: '', level: kind.level, again: kind.again, also: [] };
  return {
    ...own,
    ...rest,
    kind,
    content: within === undefined ? content : `《${within}》${content}`,
    event: kind.event,
    objectId: id,
    title: title ?? [head, name].filter(Boolean).join('：'),
    webPath: page ?? kind.page(id),
  };
}

/** Held to the end of the transaction: two tellers of one event must see each other's rows. */
export async function holdNews(tx: Db, { module, objectId, event }: News): Promise<void> {
  const about = `msg:${module}:${objectId}:${event}`;
  await namedRows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${about}, 0))`);
}

/**
 * The one way to tell people of something, in the writer's own transaction: those who work here and did not do it, each once of the
 * same event of the same record. Answers who was told.
 */
export async function announce<R>(
  tx: Db,
  kind: NewsKind<R>,
  row: R,
  said: Said,
  to: readonly Hearer[],
): Promise<number[]> {
  return tellOf(tx, newsOf(kind, row, said), await hearersIn(tx, to));
}

/** The same of news that were put together before. */
export async function tellOf(tx: Db, news: News, to: readonly number[]): Promise<number[]> {
  const { topic } = news.kind;
  const own = news.own ?? news.kind.own;
  if (topic) changed(tx, topic, [...new Set([...to, ...(news.by === null ? [] : [news.by])])]);
  const people = [...new Set(to)].filter((id) => own || id !== news.by);
  if (people.length === 0) return [];
  const anew = news.again === 'always';
  // Asked behind the lock, in the same round trip.
  const held = anew ? undefined : holdNews(tx, news);
  const [known, here] = await Promise.all([anew ? [] : heardBy(tx, news, people), wantingOf(tx, news, people), held]);
  const before = new Set(known.map((row) => row.user_id));
  const fresh = here.filter(({ user_id }) => !before.has(user_id));
  await tellThose(tx, news, fresh);
  return fresh.map((one) => one.user_id);
}

/** Who of some people heard of it, within ten minutes where they may hear of it again later. */
function heardBy(tx: Db, news: News, people: readonly number[]): Promise<{ user_id: number }[]> {
  const query = tx
    .select({ user_id: receiptTable.user_id })
    .from(receiptTable)
    .innerJoin(messageTable, eq(messageTable.id, receiptTable.msg_id))
    .where(
      and(
        eq(messageTable.module, news.module),
        eq(messageTable.object_id, news.objectId),
        eq(messageTable.event, news.event),
        eq(messageTable.occasion, news.occasion),
        news.again === 'never' ? undefined : sql`${messageTable.gmt_created} > now() - interval '10 minutes'`,
        isNull(receiptTable.closed_at),
        sql`${receiptTable.user_id} = any(${sql.param(people)}::int[])`,
      ),
    );
  return named(query);
}

async function tellThose(tx: Db, news: News, fresh: readonly Wanting[]): Promise<void> {
  if (fresh.length === 0) return;
  const message = tx
    .insert(messageTable)
    .values({
      title: cutTo(news.title, 100),
      content: news.content,
      type: news.type ?? news.kind.type,
      level: news.level,
      sender_id: news.sender === undefined ? news.by : news.sender,
      module: news.module,
      object_id: news.objectId,
      event: news.event,
      occasion: news.occasion,
      web_path: news.webPath,
      total: fresh.length,
      search: searchVector({ texts: [news.title] }),
    })
    .returning({ id: messageTable.id });
  await put(tx, message, { fresh, gathered: news.gathered });
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
    [of.module, of.objectId, of.event, of.occasion, userId].join(' ');
  const heard = new Set(known.map((row) => copy(row, row.user_id)));
  for (const { news, to } of reminders)
    await tellOf(
      tx,
      { ...news, again: 'never' },
      to.filter((id) => !heard.has(copy(news, id))),
    );
}

/** How something is told: as a kind at some level, and by which ways the sender chose beside those each chose. */
interface Sending {
  kind: NewsKind;
  level: number;
  also: readonly Way[];
}

/** Those of some people who work here, in their order, each with the ways besides the box: those they want for such news, else the usual ones, and the sender's. */
async function wantingOf(tx: Db, { kind, level, also }: Sending, people: readonly number[]): Promise<Wanting[]> {
  if (people.length === 0) return [];
  const choice = choiceOf(kind, level);
  const wanted = sql`coalesce(ways, ${sql.param([...choice.ways])}::varchar[]) || ${sql.param([...also])}::varchar[]`;
  // Nobody is queued for a push who has no device.
  const leading = sql`array(select distinct way from unnest(${wanted}) way
    where way <> 'push' or exists (select 1 from push_device p where p.user_id = known.user_id))`;
  return namedRows<Wanting>(
    tx,
    sql`
    select user_id, ${leading} ways, quiet_from, quiet_to from unnest(${sql.param([...people])}::int[]) with ordinality known (user_id, place)
      join app_user u on u.id = known.user_id and u.is_active and not u.is_deleted
      left join (select user_id, ways from msg_preference where event = ${choice.event}) chosen using (user_id)
      left join msg_habit using (user_id)
    order by place`,
  );
}

interface Putting {
  fresh: readonly Wanting[];
  later?: Date | undefined;
  gathered?: Named | undefined;
}

/** Puts a copy of a message, which is written or asked for by `message`, into the boxes of people, and sends it to those who want it elsewhere. */
async function put(tx: Db, message: SQLWrapper, { fresh, later, gathered }: Putting): Promise<void> {
  const at = later ? sql`${later.toISOString()}::timestamptz` : sql`now()`;
  const people = fresh.map((one) => one.user_id);
  const wanting = fresh.filter((one) => one.ways.length > 0);
  const boxed = namedRows<{ message: number }>(
    tx,
    sql`
    with message as ${message},
      boxed as (insert into msg_user (msg_id, user_id, publish_at) select id, unnest(${sql.param(people)}::int[]), ${at} from message)
    select message.id message from message`,
  );
  if (wanting.length === 0) await sendAlong(tx, boxed);
  else
    for (const row of await boxed)
      await (gathered ? gather(tx, row.message, wanting, gathered) : sendOutside(tx, row.message, wanting, later));
  if (!later) messagesChanged(tx, people);
}

/** Puts a copy of a message into the boxes of people, and sends it by the other ways: now, or `later` when it is published. */
export async function deliver(
  tx: Db,
  { message, ...sending }: Sending & { message: SQLWrapper },
  people: readonly number[],
  later?: Date,
): Promise<void> {
  await put(tx, message, { fresh: await wantingOf(tx, sending, people), later });
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
 * told. `but`: not what was told of this occasion; `of`: what was told of these alone.
 */
export async function closeTodo(
  tx: Db,
  about: {
    module: string;
    objectId: number | readonly number[];
    events: readonly string[];
    but?: string;
    of?: readonly string[];
  },
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
        about.of && inArray(messageTable.occasion, [...about.of]),
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
