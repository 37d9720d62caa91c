import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { within } from '#kernel/server/access/scope.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { cancelAbout, underWay } from '#modules/platform/deliveries/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { batchState, smsState } from '../contract/labels.ts';
import { batchInLog } from './batches.ts';
import { nothingUnsent } from '../contract/refusals.ts';
import type { sending, Withdrawn } from '../contract/sending.ts';
import { giveBack } from './quota.ts';
import { rulesOf } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { smsBatchTable, smsLogTable } from '../tables.ts';

const page = 'sms/send';

/** Batches sent by people, never the system's own messages. */
const batchesWithin = (user: Viewer) =>
  and(
    isNotNull(smsBatchTable.sender_id),
    within(scopeOf(user, 'Create', page), smsBatchTable.dept_id, eq(smsBatchTable.sender_id, user.id)),
  );

/** A batch within one's scope, locked until the end of the transaction. */
export async function batchOf(tx: Db, user: Viewer, id: number) {
  const [batch] = await tx
    .select()
    .from(smsBatchTable)
    .where(and(eq(smsBatchTable.id, id), batchesWithin(user)))
    .for('update');
  if (!batch) throw absent('该批短信');
  return batch;
}

/** Proves that somebody who saw the waiting batch approves it; useless to its sender. */
export const tokenOf = (id: number, { secretBox }: SmsServices) =>
  `${id}.${secretBox.keyedHash(`sms batch ${id}`).slice(0, 32)}`;

/** Withdraws the unsent messages of a batch, whether they wait for approval or for their time. */
export async function withdraw(
  tx: Db,
  { user, audit }: Pick<Context, 'audit'> & { user: Viewer },
  id: number,
  services: SmsServices,
) {
  const batch = await batchOf(tx, user, id);
  if (batch.state === batchState.withdrawn) throw nothingUnsent();
  const { withdrawn, leaving } =
    batch.state === batchState.waiting ? await drop(tx, id) : await callBack(tx, batch, services);
  if (withdrawn + leaving === 0) throw nothingUnsent();
  const before = { 状态: batchState.label(batch.state) };
  const after = { 状态: '已撤销', 号码数: withdrawn, ...(leaving > 0 && { 正在发送: leaving }) };
  audit({ type: '短信', id, title: batchInLog(id), before, after });
  return { id, withdrawn, leaving };
}

/** Nothing was charged yet. */
async function drop(tx: Db, id: number): Promise<Omit<Withdrawn, 'id'>> {
  await tx.update(smsBatchTable).set({ state: batchState.withdrawn }).where(eq(smsBatchTable.id, id));
  const dropped = await tx.update(smsLogTable).set({ state: smsState.cancelled }).where(eq(smsLogTable.batch_id, id));
  return { withdrawn: dropped.rowCount ?? 0, leaving: 0 };
}

/**
 * Refunds withdrawn messages to the sender, except those resent at somebody else's cost. A message just being submitted to a provider is not retried
 * if it fails, and stays charged.
 */
async function callBack(
  tx: Db,
  batch: typeof smsBatchTable.$inferSelect,
  services: SmsServices,
): Promise<Omit<Withdrawn, 'id'>> {
  const unsent = await tx
    .select({ id: smsLogTable.id })
    .from(smsLogTable)
    .where(and(eq(smsLogTable.batch_id, batch.id), eq(smsLogTable.state, smsState.waiting)));
  const ids = unsent.map((row) => row.id);
  await cancelAbout(tx, { module: 'sms', objectIds: ids });
  const called = await tx
    .select({ delivery_id: smsLogTable.delivery_id, segments: smsLogTable.segments, again: smsLogTable.again })
    .from(smsLogTable)
    .where(and(inArray(smsLogTable.id, ids), eq(smsLogTable.state, smsState.cancelled)));
  const leaving = await underWay(
    tx,
    called.flatMap(({ delivery_id: deliveryId }) => deliveryId ?? []),
  );
  const back = called.filter(({ delivery_id: deliveryId }) => !leaving.has(deliveryId ?? 0));
  const unused = back.reduce((sum, { segments, again }) => sum + (again ? 0 : segments), 0);
  const spender = { senderId: batch.sender_id!, deptId: batch.dept_id };
  if (unused > 0) await giveBack(tx, spender, unused, await rulesOf(services.settings), momentOf(batch.released_at!));
  return { withdrawn: back.length, leaving: called.length - back.length };
}

/** Those of some batches with unsent messages that a person may withdraw. */
export async function toWithdraw(tx: Db, user: Viewer, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0 || !holds(user, 'Create', page)) return new Set();
  const rows = await tx
    .select({ id: smsBatchTable.id })
    .from(smsBatchTable)
    .where(and(inArray(smsBatchTable.id, [...new Set(ids)]), batchesWithin(user)));
  return new Set(rows.map((row) => row.id));
}

/** Batches that wait for approval, and released ones that have not been sent. */
export async function waiting(tx: Db, user: Viewer, query: QueryOf<typeof sending.waiting>, services: SmsServices) {
  const unsent = tx
    .select({ id: smsLogTable.batch_id })
    .from(smsLogTable)
    .where(eq(smsLogTable.state, smsState.waiting));
  const select = tx
    .select()
    .from(smsBatchTable)
    .where(
      and(
        or(
          eq(smsBatchTable.state, batchState.waiting),
          and(eq(smsBatchTable.state, batchState.released), inArray(smsBatchTable.id, unsent)),
        ),
        batchesWithin(user),
        saysOrShows(
          query.search_value,
          (word) => contains(smsBatchTable.content, word),
          (ids) => sql`${smsBatchTable.sender_id} in ${ids}`,
        ),
      ),
    );
  const found = await pageOf(tx, query, select.$dynamic(), {
    by: { gmt_created: smsBatchTable.gmt_created },
    first: 'gmt_created',
    descending: true,
    tie: smsBatchTable.id,
  });
  const senders = await peopleById(
    tx,
    found.value.flatMap((row) => row.sender_id ?? []),
  );
  const left = await unsentOf(
    tx,
    found.value.map((row) => row.id),
  );
  const value = found.value.map((row) => {
    const confirms = row.state === batchState.waiting && row.sender_id !== user.id;
    return {
      id: row.id,
      content: row.content,
      sender_name: senders.get(row.sender_id ?? 0)?.alias ?? '',
      total: row.total,
      segments: row.segments,
      send_at: row.send_at,
      gmt_created: row.gmt_created,
      state: row.state,
      unsent: left.get(row.id) ?? 0,
      confirm_token: confirms ? tokenOf(row.id, services) : null,
      actions: confirms ? ['confirm', 'withdraw'] : ['withdraw'],
    };
  });
  return { ...found, value };
}

async function unsentOf(tx: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({ id: smsLogTable.batch_id, count: sql<number>`count(*)::int` })
    .from(smsLogTable)
    .where(and(inArray(smsLogTable.batch_id, [...ids]), eq(smsLogTable.state, smsState.waiting)))
    .groupBy(smsLogTable.batch_id);
  return new Map(rows.map(({ id, count }) => [id, count]));
}
