import { and, arrayContains, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { ErasedAlumnus } from '#modules/platform/alumni/service.ts';
import { cancelAbout, forgetTargets } from '#modules/platform/deliveries/service.ts';
import { batchState } from '../contract/labels.ts';
import { smsBatchTable, smsGroupTable, smsLogTable, smsOptOutTable } from '../tables.ts';

/** Replaces a number's last digits; no real number ends like this. */
export const forgotten = '****';
const nobody = '0'.repeat(64);
const gone = '（内容已随收件人资料删除）';

/**
 * Erases an alumnus from saved groups and from the message log: time, sender and cost stay, recipient and text do not. Unsent messages are withdrawn.
 * A number that opted out stays on the list, or it would be written to again after a new import.
 */
export async function forgetAlumnus(tx: Db, of: ErasedAlumnus): Promise<void> {
  const { mobile, mobile_mark: mark, mobile_tail: tail } = of;
  if (of.opt_out && mobile && mark && tail)
    await tx
      .insert(smsOptOutTable)
      .values({ mobile, mobile_mark: mark, mobile_tail: tail, reason: '退订后已删除资料' })
      .onConflictDoNothing({ target: smsOptOutTable.mobile_mark });
  await tx
    .update(smsGroupTable)
    .set({ alumnus_ids: sql`array_remove(${smsGroupTable.alumnus_ids}, ${of.id}::int)` })
    .where(arrayContains(smsGroupTable.alumnus_ids, [of.id]));
  const t = smsLogTable;
  // A typed number is recognised as theirs by its hash.
  const typed = and(eq(t.mobile_mark, mark ?? ''), isNull(t.user_id), isNull(t.alumnus_id));
  const theirs = or(eq(t.alumnus_id, of.id), mark === null || of.shared ? undefined : typed)!;
  await dropWaiting(tx, theirs);
  const rows = await tx.select({ id: t.id, batch_id: t.batch_id }).from(t).where(theirs);
  const ids = rows.map((row) => row.id);
  await cancelAbout(tx, { module: 'sms', objectIds: ids });
  await forgetTargets(tx, { module: 'sms', objectIds: ids });
  await tx
    .update(t)
    .set({
      name: '',
      mobile: '',
      mobile_mark: nobody,
      mobile_tail: forgotten,
      alumnus_id: null,
      content: gone,
      params: {},
      search: sql`''::tsvector`,
    })
    .where(inArray(t.id, ids));
  // A text sent to them alone is deleted; one sent to many names nobody.
  const batches = rows.map((row) => row.batch_id);
  const others = tx
    .select({ id: t.batch_id })
    .from(t)
    .where(and(inArray(t.batch_id, batches), sql`${t.mobile_mark} <> ${nobody}`));
  await tx
    .update(smsBatchTable)
    .set({ content: gone })
    .where(and(inArray(smsBatchTable.id, batches), sql`${smsBatchTable.id} not in ${others}`));
}

/** Messages awaiting approval were never sent: they are removed from their batch, with their cost. */
async function dropWaiting(tx: Db, theirs: ReturnType<typeof or> & {}): Promise<void> {
  const waiting = tx
    .select({ id: smsBatchTable.id })
    .from(smsBatchTable)
    .where(eq(smsBatchTable.state, batchState.waiting));
  // A concurrent release has either finished before, or finds the batch smaller.
  await tx
    .select({ id: smsBatchTable.id })
    .from(smsBatchTable)
    .where(
      and(
        eq(smsBatchTable.state, batchState.waiting),
        inArray(smsBatchTable.id, tx.select({ id: smsLogTable.batch_id }).from(smsLogTable).where(theirs)),
      ),
    )
    .orderBy(smsBatchTable.id)
    .for('update');
  const dropped = await tx
    .delete(smsLogTable)
    .where(and(theirs, inArray(smsLogTable.batch_id, waiting)))
    .returning({ batch: smsLogTable.batch_id, segments: smsLogTable.segments });
  for (const { batch, segments } of dropped)
    await tx
      .update(smsBatchTable)
      .set({
        total: sql`${smsBatchTable.total} - 1`,
        segments: sql`${smsBatchTable.segments} - ${segments}`,
        state: sql`case when ${smsBatchTable.total} = 1 then 2 else ${smsBatchTable.state} end`,
        content: sql`case when ${smsBatchTable.total} = 1 then ${gone} else ${smsBatchTable.content} end`,
      })
      .where(eq(smsBatchTable.id, batch));
}
