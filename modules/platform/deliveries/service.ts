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

/** Placeholder for a code in a text; the code is sealed separately. */
export const hiddenCode = '******';

/** Something to be sent out of the organisation. */
export interface Payload {
  channel: Channel;
  /** A number, an address or a URL. */
  target: string;
  title: string;
  /** The body as the channel's adapter expects it. */
  body: unknown;
  /** At most 100 printable ASCII characters: identifies this payload. */
  key: string;
  /** The record it is about. */
  module?: string;
  objectId?: number;
  /** The person it is for. */
  userId?: number;
  /** The earliest time to send it. */
  at?: Date;
  /** Set if somebody is waiting for it: it precedes everything else. */
  urgent?: boolean;
}

/** The adapter of one channel. */
export interface ChannelAdapter {
  /**
   * Throws `Undeliverable` if a retry is useless, `Later` if it is too early, and any other error if a retry may help; messages are for people. `key`
   * is sent to the provider, the same on every try.
   */
  send(payload: {
    key: string;
    target: string;
    title: string;
    body: unknown;
  }): Promise<{ providerId?: string; answer?: string }>;
}
export type ChannelAdapters = Record<Channel, ChannelAdapter>;

/** The provider will never accept it. */
export class Undeliverable extends Error {}

/** Too early: it is delivered at the given time, and this does not count as a try. */
export class Later extends Error {
  readonly at: Date;
  constructor(message: string, at: Date) {
    super(message);
    this.at = at;
  }
}

/** Name of the task that delivers one payload. */
export const deliver = 'deliver';

/** The most parallel deliveries of one channel: a hanging receiver does not occupy the workers of the others. */
const lanes = 2;

interface Due {
  id: number;
  channel: Channel;
  at?: Date | undefined;
  urgent?: boolean | undefined;
}

/** The job of each delivery; a waiting one is replaced. Only crashes use up its attempts: failures are counted in its row. */
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

/** Queues payloads in the caller's transaction: one row for each key, and its job. A known key is ignored. Returns the ids of all of them, in order. */
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
        ...(payload.at ? { due_at: sql`${payload.at.toISOString()}::timestamptz` } : {}),
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

/** Replaces the placeholder in posted texts about a record by its serial number. */
export const repacked = (about: { module: string; objectId: number }, word: string, number: string): SQL =>
  sql`update delivery set body = replace(body::text, ${word}, ${number})::jsonb where module = ${about.module} and object_id = ${about.objectId}`;

/** Withdraws unsent deliveries; one under way arrives, or is not retried. Returns how many there were. */
export const cancel = (tx: Db, keys: readonly string[]): Promise<number> =>
  callBack(tx, inArray(deliveryTable.key, [...keys]));

/** The same for all deliveries about some records of a module. */
export async function cancelAbout(tx: Db, about: { module: string; objectIds: readonly number[] }): Promise<number> {
  if (about.objectIds.length === 0) return 0;
  const { module, object_id: objectId } = deliveryTable;
  return callBack(tx, and(eq(module, about.module), inArray(objectId, [...about.objectIds])));
}

/** Deletes recipients from some deliveries, for an erased person. */
export async function forgetTargets(tx: Db, about: { module: string; objectIds: readonly number[] }): Promise<void> {
  const { module, object_id: objectId } = deliveryTable;
  const those = and(eq(module, about.module), inArray(objectId, [...about.objectIds]));
  await tx.update(deliveryTable).set({ target: '已删除' }).where(those);
}

/** Withdraws deliveries whose sealed parts can no longer be opened because the key was lost. */
export const callBackSealed = (tx: Db): Promise<number> =>
  callBack(tx, sql`(${deliveryTable.channel} = 'sms' or ${deliveryTable.body} ? 'secret')`);

/** Withdraws everything that waits, because this installation is a copy of another. */
export const callBackAll = (tx: Db): Promise<number> => callBack(tx, undefined, keptBackSaid);
export const keptBackSaid = '本系统是从备份恢复的副本，管理员允许之前不向外发送，之后也不补发';

/** Makes a restored database quiet: nothing that waited in it is ever sent, and nothing new until an administrator allows it. */
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

/** Those of some deliveries with an unfinished try: although withdrawn, they may still arrive. */
export async function underWay(tx: Db, ids: readonly number[]): Promise<Set<number>> {
  // An earlier try without an end was interrupted by a crash.
  const { delivery_id: deliveryId, number, ended_at: ended } = deliveryTryTable;
  const rows = await tx
    .select({ id: deliveryId })
    .from(deliveryTryTable)
    .innerJoin(deliveryTable, and(eq(deliveryTable.id, deliveryId), eq(deliveryTable.tries, number)))
    .where(and(inArray(deliveryId, [...ids]), isNull(ended)));
  return new Set(rows.map(({ id }) => id));
}

/** The state and the recipient of a delivery; null if it is no longer stored. */
export async function deliveryOf(
  tx: Db,
  id: number,
): Promise<Pick<typeof deliveryTable.$inferSelect, 'key' | 'target' | 'state'> | null> {
  const { key, target, state } = deliveryTable;
  const [row] = await tx.select({ key, target, state }).from(deliveryTable).where(eq(deliveryTable.id, id));
  return row ?? null;
}

/** A delivery that was not sent, or has not arrived. */
export interface Unsent {
  key: string;
  title: string;
  state: DeliveryState;
  tries: number;
  /** The last reply or error message. */
  answer: string;
}

/** Deliveries about a record that have not been sent yet, the oldest first. */
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
