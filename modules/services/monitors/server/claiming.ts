import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { callBackTexts } from '#modules/platform/sms/service.ts';
import { claimedBefore, notWatched, overBefore } from '../contract/refusals.ts';
import { alertTable, dueTable, incidentEventTable, incidentTable, monitorTable, stateTable } from '../tables.ts';

const r = incidentTable;

/** Serializes probe results and actions on an incident: the monitor's row is locked before the incident's. */
export async function holdIncident(tx: Db, id: number): Promise<void> {
  const of = sql`(select project_id from test_record where id = ${id})`;
  await tx
    .select({ id: dueTable.project_id })
    .from(dueTable)
    .where(sql`${dueTable.project_id} = ${of}`)
    .for('update');
  await tx.select({ id: r.id }).from(r).where(eq(r.id, id)).for('update');
}
/** Adds an event to the history of an incident. */
export const note = (tx: Db, record_id: number, type: string, user_id: number | null, text: string) =>
  tx.insert(incidentEventTable).values({ record_id, type, user_id, text: cutTo(text, 300) });

/** Claims an incident for the first who comes and withdraws its pending alerts. Later ones are told who it was. */
export async function claim(tx: Db, id: number, by: { user_id: number | null; name: string }): Promise<void> {
  const [done] = await tx
    .update(r)
    .set({ claimed_by: by.user_id, claimed_name: by.name, claimed_at: sql`now()`, ...touched(r) })
    .where(and(eq(r.id, id), isNull(r.claimed_at), isNull(r.end_time)))
    .returning({ id: r.id });
  if (!done) {
    const [one] = await tx.select().from(r).where(eq(r.id, id));
    throw one!.claimed_at ? claimedBefore(one!.claimed_name, one!.claimed_at) : overBefore(one!.end_time!);
  }
  await note(tx, id, 'claimed', by.user_id, `${by.name}认领`);
  await callBack(tx, id);
}

/** Withdraws the pending alerts of an incident. */
async function callBack(tx: Db, id: number): Promise<void> {
  await tx
    .update(alertTable)
    .set({ sent_at: sql`now()`, told_at: sql`coalesce(told_at, now())` })
    .where(and(eq(alertTable.record_id, id), eq(alertTable.event, 'MONITOR_DOWN'), isNull(alertTable.sent_at)));
  await callBackTexts(tx, { module: 'monitors', objectIds: [id] });
}

/** Silences a project for a number of minutes, after which one message reports its state. Returns the end; null if the silence was ended. */
export async function silence(
  tx: Db,
  project: { id: number; name: string },
  by: { user_id: number; minutes: number; now: Date },
): Promise<Date | null> {
  const held = await tx
    .select({ id: dueTable.project_id })
    .from(dueTable)
    .innerJoin(monitorTable, and(eq(monitorTable.project_id, dueTable.project_id), monitorTable.enabled))
    .where(eq(dueTable.project_id, project.id))
    .for('update', { of: dueTable });
  if (held.length === 0) throw notWatched(project.name);
  const until = by.minutes === 0 ? null : new Date(by.now.getTime() + by.minutes * 60_000);
  const quiet = JSON.stringify({ quiet_until: until?.getTime() ?? null, changes: [] });
  await tx
    .update(stateTable)
    .set({ kept: sql`${stateTable.kept} || ${quiet}::jsonb` })
    .where(eq(stateTable.project_id, project.id));
  const [open] = await tx
    .select({ id: r.id })
    .from(r)
    .where(and(eq(r.project_id, project.id), isNull(r.end_time)));
  if (open) {
    await note(tx, open.id, 'silenced', by.user_id, until ? `静默 ${by.minutes} 分钟` : '结束静默');
    if (until) await callBack(tx, open.id);
  }
  return until;
}
