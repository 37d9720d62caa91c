import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { apart, type Broken } from './alone.ts';
import { happen } from './carrying.ts';
import { load } from './store.ts';

/** How long after a failure it is tried again. */
const pause = 3_600_000;

/**
 * Lets one ticket whose timer ran out go on by itself; true when more may wait. What is refused, say because nobody is found for the
 * next state, is tried again an hour later: a ticket that waits for nothing but its timer is never lost. `broken` hears of one that fails
 * otherwise; the others go on without it.
 */
export async function actOnTimers(tx: Db, now: Date, broken: Broken): Promise<boolean> {
  const { rows } = await tx.execute<{ ticket_id: number; no: number; visit: number }>(sql`
    select k.ticket_id, k.no, k.visit from ticket_token k join ticket t on t.id = k.ticket_id
    where k.status = 'active' and k.timer_at <= ${now.toISOString()}
      and t.act_state in (1, 6) and t.suspended_at is null and not t.is_deleted
    order by k.timer_at limit 1 for update of t skip locked`);
  const [row] = rows;
  if (!row) return false;
  const later = new Date(now.getTime() + pause).toISOString();
  const { rowCount } = await tx.execute(
    sql`update ticket_token set timer_at = ${later} where ticket_id = ${row.ticket_id} and no = ${row.no} and visit = ${row.visit}`,
  );
  if (rowCount === 0) return true;
  const when = { origin: { ip: '', userAgent: '', traceId: '' }, now };
  await apart(tx, { ticket: row.ticket_id, broken }, async () => {
    const stored = await load(tx, row.ticket_id, undefined, true);
    if (stored) await happen(tx, stored, { type: 'timer', token: row.no, visit: row.visit }, when);
  });
  return true;
}
