import { eq, inArray, isNotNull, ne, or } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { optOutAlumni } from '#modules/platform/alumni/service.ts';
import { batchState, smsState } from '../contract/labels.ts';
import type { logs } from '../contract/logs.ts';
import { optedOutBefore } from '../contract/refusals.ts';
import { maskedTail } from '../numbers.ts';
import { smsBatchTable, smsLogTable, smsOptOutTable } from '../tables.ts';

type Audit = Context['audit'];

/** Numbers that opted out, whoever sends: valid for the whole organisation. */
export async function listOptOuts(tx: Db, query: QueryOf<typeof logs.optOuts>) {
  const select = tx
    .select()
    .from(smsOptOutTable)
    .where(query.mobile ? eq(smsOptOutTable.mobile_tail, query.mobile) : undefined);
  const page = await pageOf(tx, query, select.$dynamic(), {
    by: { gmt_created: smsOptOutTable.gmt_created },
    first: 'gmt_created',
    descending: true,
    tie: smsOptOutTable.id,
  });
  const value = page.value.map((row) => ({
    id: row.id,
    mobile: maskedTail(row.mobile_tail),
    reason: row.reason,
    holds: row.mobile !== '',
    gmt_created: row.gmt_created,
  }));
  return { ...page, value };
}

export async function addOptOut(
  tx: Db,
  user: Viewer,
  { mobile, reason }: BodyOf<typeof logs.optOut>,
  box: SecretBox,
  audit: Audit,
) {
  const mobileMark = box.keyedHash(mobile);
  const [row] = await tx
    .insert(smsOptOutTable)
    .values({
      mobile: box.seal(mobile),
      mobile_mark: mobileMark,
      mobile_tail: mobile.slice(-4),
      reason,
      creator_id: user.id,
    })
    .returning({ id: smsOptOutTable.id })
    .catch(refuseOn('sms_opt_out_once', () => optedOutBefore()));
  await optOutAlumni(tx, mobileMark, true);
  audit({ type: '短信退订', id: row!.id, title: maskedTail(mobile.slice(-4)), after: { 说明: reason } });
  return { id: row!.id };
}

/** Once for each number, however often it replies so. */
export async function optOutByReply(tx: Db, mobile: string, box: SecretBox): Promise<void> {
  const mobileMark = box.keyedHash(mobile);
  await tx
    .insert(smsOptOutTable)
    .values({
      mobile: box.seal(mobile),
      mobile_mark: mobileMark,
      mobile_tail: mobile.slice(-4),
      reason: '本人回复短信退订',
    })
    .onConflictDoNothing({ target: smsOptOutTable.mobile_mark });
  await optOutAlumni(tx, mobileMark, true);
}

/**
 * After the secret was lost: nothing is sent to numbers stored until then. Posted messages are withdrawn before. Returns how many messages lost their
 * number.
 */
export async function forgetNumbers(tx: Db): Promise<number> {
  const waiting = tx
    .select({ id: smsBatchTable.id })
    .from(smsBatchTable)
    .where(eq(smsBatchTable.state, batchState.waiting));
  await tx.update(smsLogTable).set({ state: smsState.cancelled }).where(inArray(smsLogTable.batch_id, waiting));
  await tx
    .update(smsBatchTable)
    .set({ state: batchState.withdrawn })
    .where(eq(smsBatchTable.state, batchState.waiting));
  const { mobile, secret } = smsLogTable;
  const { rowCount } = await tx
    .update(smsLogTable)
    .set({ mobile: '', secret: null })
    .where(or(ne(mobile, ''), isNotNull(secret)));
  return rowCount ?? 0;
}

/** After the secret was lost: the listed numbers are never recognised again, and the list says so. Returns how many there were. */
export async function forgetOptOuts(tx: Db): Promise<number> {
  const { rowCount } = await tx.update(smsOptOutTable).set({ mobile: '' }).where(ne(smsOptOutTable.mobile, ''));
  return rowCount ?? 0;
}

export async function removeOptOut(tx: Db, id: number, audit: Audit) {
  const [row] = await tx.delete(smsOptOutTable).where(eq(smsOptOutTable.id, id)).returning();
  if (!row) throw absent('该退订记录');
  await optOutAlumni(tx, row.mobile_mark, false);
  audit({ type: '短信退订', id, title: maskedTail(row.mobile_tail), before: { 说明: row.reason } });
  return { id };
}
