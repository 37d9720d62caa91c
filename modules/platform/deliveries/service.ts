import { momentText } from '#kernel/contract/moment.ts';
import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import { notify } from '#kernel/server/live/bus.ts';
import { enqueueAll } from '#kernel/server/jobs/jobs.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { maskPhones } from '#kernel/server/text/mask-phones.ts';
import { quietRules } from '#modules/platform/settings/contract/quiet.ts';
import type { Channel, DeliveryState } from './contract.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';

export type { AppBody } from './adapters/applications.ts';
export { sendsMail } from './adapters/sends-mail.ts';
export { maskTarget } from './mask.ts';
export { isSigned } from './signing.ts';

/** Stands in a text for a code, which is sealed beside it. */
export const hiddenCode = '******';

/** Something that is to leave the house. */
export interface Payload {
  channel: Channel;
  /** A number, an address or a URL. */
  target: string;
  title: string;
  /** What the channel's adapter understands. */
  body: unknown;
  /** At most 100 plain letters and signs: what makes it this payload and no other. */
  key: string;
  /** The record it is about. */
  module?: string;
  objectId?: number;
  /** The person it is for. */
  userId?: number;
  /** Not before. */
  at?: Date;
  /** Somebody sits and waits for it: it goes before whatever else there is. */
  urgent?: boolean;
}

/** One channel's way out. */
export interface ChannelAdapter {
  /**
   * Throws `Undeliverable` where trying again is of no use, `Later` where it is too early, and any other error where trying may help; messages are for people.
   * `key` is told to the provider, the same with every try.
   */
  send(payload: {
    key: string;
    target: string;
    title: string;
    body: unknown;
  }): Promise<{ providerId?: string; answer?: string }>;
}
export type ChannelAdapters = Record<Channel, ChannelAdapter>;

/** The provider will never take it. */
export class Undeliverable extends Error {}

/** Not now, but at a moment: it is brought then, and this was no try of it. */
export class Later extends Error {
  readonly at: Date;
  constructor(message: string, at: Date) {
    super(message);
    this.at = at;
  }
}

/** Name of the task that brings one payload. */
export const deliver = 'deliver';

/** Of one channel only so many are brought at once: one whose other side hangs keeps no worker from the rest. */
const lanes = 2;

interface Due {
  id: number;
  channel: Channel;
  at?: Date | undefined;
  urgent?: boolean | undefined;
}

/** The job of each delivery; one that waits already is replaced. Crashes alone use up its attempts: failures are counted in its row. */
export function enqueueDeliveries(tx: Db, due: readonly Due[]): Promise<void> {
  return enqueueAll(
    tx,
    deliver,
    due.map(({ id, channel, at, urgent }) => ({
      payload: { id },
      key: `delivery:${id}`,
      queue: `${deliver}:${channel}:${id % lanes}`,
      ...(urgent && { priority: -1 }),
      ...(at && { at }),
    })),
  );
}

/**
 * Hands over payloads in the writer's own transaction: one row for each key, and its job. A key known already is nothing new.
 * Answers the ids of all of them, in order.
 */
export async function post(tx: Db, payloads: readonly Payload[]): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < payloads.length; at += atOnce)
    ids.push(...(await postSome(tx, payloads.slice(at, at + atOnce))));
  return ids;
}

/** A statement holds at most 65,535 values. */
const atOnce = 1000;

async function postSome(tx: Db, payloads: readonly Payload[]): Promise<number[]> {
  const keys = [...new Set(payloads.map((payload) => payload.key))];
  const fresh = await tx
    .insert(deliveryTable)
    .values(
      payloads.map((payload) => ({
        channel: payload.channel,
        target: payload.target,
        title: cutTo(payload.title, 200),
        search: searchVector({ texts: [maskPhones(cutTo(payload.title, 200))] }),
        body: payload.body,
        key: payload.key,
        module: payload.module ?? '',
        object_id: payload.objectId ?? null,
        user_id: payload.userId ?? null,
        ...(payload.at ? { due_at: sql`${payload.at.toISOString()}::timestamptz` as never } : {}),
      })),
    )
    .onConflictDoNothing({ target: deliveryTable.key })
    .returning({ id: deliveryTable.id, key: deliveryTable.key });
  const of = new Map(payloads.map((payload) => [payload.key, payload]));
  await enqueueDeliveries(
    tx,
    fresh.map(({ id, key }) => ({ ...of.get(key)!, id })),
  );
  const known = await tx
    .select({ id: deliveryTable.id, key: deliveryTable.key })
    .from(deliveryTable)
    .where(inArray(deliveryTable.key, keys));
  const ids = new Map(known.map((row) => [row.key, row.id]));
  return payloads.map((payload) => ids.get(payload.key)!);
}

/** Puts a number of plain letters in the place of the word that stood for it in what was posted about a record. */
export const repacked = (about: { module: string; objectId: number }, word: string, number: string): SQL =>
  sql`update delivery set body = replace(body::text, ${word}, ${number})::jsonb where module = ${about.module} and object_id = ${about.objectId}`;

/** Calls back what has not left yet; what is just being carried arrives, or is not tried again. Answers how many there were. */
export const cancel = (tx: Db, keys: readonly string[]): Promise<number> =>
  callBack(tx, inArray(deliveryTable.key, [...keys]));

/** The same of all that was posted about some records of a module. */
export async function cancelAbout(tx: Db, about: { module: string; objectIds: readonly number[] }): Promise<number> {
  if (about.objectIds.length === 0) return 0;
  const { module, object_id: objectId } = deliveryTable;
  return callBack(tx, and(eq(module, about.module), inArray(objectId, [...about.objectIds])));
}

/** Forgets where some of it went, for whoever it was is erased. */
export async function forgetTargets(tx: Db, about: { module: string; objectIds: readonly number[] }): Promise<void> {
  const { module, object_id: objectId } = deliveryTable;
  const those = and(eq(module, about.module), inArray(objectId, [...about.objectIds]));
  await tx.update(deliveryTable).set({ target: '已删除' }).where(those);
}

/** Calls back what a lost secret had sealed a part of: nobody can bring it any more. */
export const callBackSealed = (tx: Db): Promise<number> =>
  callBack(tx, sql`(${deliveryTable.channel} = 'sms' or ${deliveryTable.body} ? 'secret')`);

/** All that waits, because the house it was to leave is a copy of another. */
export const callBackAll = (tx: Db): Promise<number> => callBack(tx, undefined, keptBackSaid);
export const keptBackSaid = '本系统是从备份恢复的副本，管理员允许之前不向外发送，之后也不补发';

/** Makes a database that was restored quiet: nothing that waited in it ever leaves, and nothing new until an administrator lets it. */
export async function silenceCopy(tx: Db, since: string): Promise<number> {
  const value = { since: momentText(new Date(since)) };
  await tx
    .insert(settingTable)
    .values({ key: quietRules.key, value })
    .onConflictDoUpdate({ target: settingTable.key, set: { value, version: sql`${settingTable.version} + 1` } });
  await notify(tx, 'settings', quietRules.key);
  return callBackAll(tx);
}

async function callBack(tx: Db, which: SQL | undefined, answer?: string): Promise<number> {
  const called = await tx
    .update(deliveryTable)
    .set({ state: 'cancelled', gmt_modified: sql`now()`, ...(answer === undefined ? {} : { answer }) })
    .where(and(which, inArray(deliveryTable.state, ['waiting', 'retrying'])))
    .returning({ id: deliveryTable.id });
  return called.length;
}

/** Those of some deliveries a try of which has begun and not ended: called back, they may arrive all the same. */
export async function underWay(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  // Of an earlier try without an end a crash is the reason.
  const { delivery_id: deliveryId, number, ended_at: ended } = deliveryTryTable;
  const rows = await tx
    .select({ id: deliveryId })
    .from(deliveryTryTable)
    .innerJoin(deliveryTable, and(eq(deliveryTable.id, deliveryId), eq(deliveryTable.tries, number)))
    .where(and(inArray(deliveryId, [...ids]), isNull(ended)));
  return new Set(rows.map(({ id }) => id));
}

/** How a delivery stands, and where it goes; null where it is kept no more. */
export async function deliveryOf(
  tx: Db,
  id: number,
): Promise<Pick<typeof deliveryTable.$inferSelect, 'key' | 'target' | 'state'> | null> {
  const { key, target, state } = deliveryTable;
  const [row] = await tx.select({ key, target, state }).from(deliveryTable).where(eq(deliveryTable.id, id));
  return row ?? null;
}

/** Something that has not left, or not arrived. */
export interface Unsent {
  key: string;
  title: string;
  state: DeliveryState;
  tries: number;
  /** What the other side, or the failure, said last. */
  answer: string;
}

/** What was posted about a record and has not been sent so far, the oldest first. */
export async function unsentOf(tx: Db, about: { module: string; objectId: number }): Promise<Unsent[]> {
  const { key, title, state, tries, answer, id } = deliveryTable;
  return tx
    .select({ key, title, state, tries, answer })
    .from(deliveryTable)
    .where(
      and(
        eq(deliveryTable.module, about.module),
        eq(deliveryTable.object_id, about.objectId),
        inArray(state, ['waiting', 'retrying', 'given_up']),
      ),
    )
    .orderBy(id);
}

declare module '#kernel/server/services.ts' {
  interface Services {
    adapters: ChannelAdapters;
  }
}
