import { and, arrayContains, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { ErasedAlumnus } from '#modules/platform/alumni/service.ts';
import { cancelAbout, forgetTargets } from '#modules/platform/deliveries/service.ts';
import { batchState } from '../contract/labels.ts';
import { smsBatchTable, smsGroupTable, smsLogTable, smsOptOutTable } from '../tables.ts';

/** Stands where a number's last digits were; nobody's number ends so. */
export const forgotten = '****';
const nobody = '0'.repeat(64);
const gone = '（内容已随收件人资料删除）';

/**
 * Takes an alumnus out of saved groups and of the log of messages: that something was sent, when, by whom and at what cost stays, to whom and in which words does
 * not. What has not left does not leave any more. A number that wanted no messages stays on the house's list, or it would be written to
 * again once somebody brings it in.
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
  // A number that was typed is known to be theirs by its mark.
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
  // What was said to them alone goes with them; what was said to many names nobody.
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

/** What still waits for a second person was said to nobody: it goes out of its batch, with what it would have cost. */
async function dropWaiting(tx: Db, theirs: ReturnType<typeof or> & {}): Promise<void> {
  const waiting = tx
    .select({ id: smsBatchTable.id })
    .from(smsBatchTable)
    .where(eq(smsBatchTable.state, batchState.waiting));
  // Whoever lets one of these go now has either done so before, or finds it smaller.
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
