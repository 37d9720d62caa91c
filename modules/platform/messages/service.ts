import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, inArray, isNull, ne, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
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
    /** Its kinds of messages. */
    news?: readonly Readonly<Record<string, NewsKind>>[];
  }
}

/** A particular message about a record; missing parts come from the record and the kind. */
export interface Said extends Partial<Omit<About, 'title'>> {
  /** Replaces the kind's heading before the record's title. */
  head?: string;
  /** The full title, if it is not composed of a heading and a record. */
  title?: string;
  content: string;
  /** The actor, who knows already; null if it happened by itself. */
  by: number | null;
  /** The sender, if it is not the actor. */
  sender?: number | null;
  type?: number;
  /** The actor is told too, although the kind does not say so: this time it asks something of them. */
  own?: boolean;
  again?: Again;
  /** For messages that come in bursts: externally they are combined into one per person and minute, which names each. */
  gathered?: Named;
}
/** A kind, a record and a message about it, composed by `newsOf` only. */
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

/** The same from a record's own properties. */
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

/** Locks until the end of the transaction: two messages about one event must see each other's rows. */
export async function holdNews(tx: Db, { module, objectId, event }: News): Promise<void> {
  const about = `msg:${module}:${objectId}:${event}`;
  await namedRows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${about}, 0))`);
}

/**
 * The one way to notify people, in the caller's transaction: current staff except the actor, each once for the same event of the same record. Returns
 * who was told.
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

/** The same for a message composed before. */
export async function tellOf(tx: Db, news: News, to: readonly number[]): Promise<number[]> {
  const { topic } = news.kind;
  const own = news.own ?? news.kind.own;
  if (topic) changed(tx, topic, [...new Set([...to, ...(news.by === null ? [] : [news.by])])]);
  const people = [...new Set(to)].filter((id) => own || id !== news.by);
  if (people.length === 0) return [];
  const anew = news.again === 'always';
  // Queried behind the lock, in the same round trip.
  const held = anew ? undefined : holdNews(tx, news);
  const [known, here] = await Promise.all([anew ? [] : heardBy(tx, news, people), wantingOf(tx, news, people), held]);
  const before = new Set(known.map((row) => row.user_id));
  const fresh = here.filter(({ user_id }) => !before.has(user_id));
  await tellThose(tx, news, fresh);
  return fresh.map((one) => one.user_id);
}

/**
 * Those of some people who were already told; if they may be told again later, within ten minutes. Another act of a person that says something
 * else is other news, however soon it follows; what happens by itself may count up meanwhile and is still the same.
 */
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
        news.again === 'never' || news.by === null ? undefined : or(toldByThisAct, saysTheSame(news)),
        isNull(receiptTable.closed_at),
        sql`${receiptTable.user_id} = any(${sql.param(people)}::int[])`,
      ),
    );
  return named(query);
}

// People with two parts in an act, such as a delegate who also set the delegation, are told once.
const toldByThisAct = sql`${messageTable.gmt_created} = now()`;
const titleOf = (news: News): string => cutTo(news.title, 100);
const saysTheSame = (news: News) => and(eq(messageTable.title, titleOf(news)), eq(messageTable.content, news.content));

async function tellThose(tx: Db, news: News, fresh: readonly Wanting[]): Promise<void> {
  if (fresh.length === 0) return;
  const message = tx
    .insert(messageTable)
    .values({
      title: titleOf(news),
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

/** A message that some people get once. */
export interface Reminder {
  news: News;
  to: readonly number[];
}

/** Sends each reminder to those who have not had it; earlier ones of all records are found by one query. */
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

/** The form of a message: a kind at some level, and the channels the sender added. */
interface Sending {
  kind: NewsKind;
  level: number;
  also: readonly Way[];
}

/**
 * Those of some people who are current staff, in their order, each with their channels: those they chose for such messages, else the defaults, plus
 * the sender's.
 */
async function wantingOf(tx: Db, { kind, level, also }: Sending, people: readonly number[]): Promise<Wanting[]> {
  if (people.length === 0) return [];
  const choice = choiceOf(kind, level);
  const wanted = sql`coalesce(ways, ${sql.param([...choice.ways])}::varchar[]) || ${sql.param([...also])}::varchar[]`;
  // People without a device are not queued for push.
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

/** Puts copies of a message, written or selected by `message`, into people's boxes, and sends it to those who want it elsewhere. */
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

/** Puts copies of a message into people's boxes, and sends it by the other channels: now, or `later` when it is published. */
export async function deliver(
  tx: Db,
  { message, ...sending }: Sending & { message: SQLWrapper },
  people: readonly number[],
  later?: Date,
): Promise<void> {
  await put(tx, message, { fresh: await wantingOf(tx, sending, people), later });
}

/** Replaces the placeholder by the serial number in the messages about a record. */
export const reworded = (about: { module: string; objectId: number }, word: string, number: string): SQL =>
  sql`update msg set content = replace(content, ${word}, ${number}) where module = ${about.module} and object_id = ${about.objectId}`;

/** Withdraws all external messages about a record that were not sent yet: nobody is to be told any more. */
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
 * Withdraws a to-do message, about one record or several, once there is nothing left to do; from everybody by default. `but`: except those of this
 * occasion; `of`: only those about these.
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

/** The records of a module that open to-do messages of such events ask a person about. */
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

/** Announces changed boxes, so that their windows reload. */
export function messagesChanged(tx: Db, people: readonly number[]): void {
  changed(tx, 'msg', people);
}
