import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Broken } from '../commands/savepoint.ts';
import { happenOrStall } from '../commands/run.ts';
import { orCall } from './incidents.ts';

const fault = '到时间自动流转时系统出错，未成功，请联系系统维护人员';

/**
 * Lets one ticket whose timer ran out go on by itself, once; returns true if more may wait. A refusal or fault becomes a task of the workflow's
 * administrators. A fault is also reported to `broken`; the others go on without it.
 */
export async function actOnTimers(tx: Db, now: Date, broken: Broken): Promise<boolean> {
  const { rows } = await tx.execute<{ ticket_id: number; no: number; visit: number }>(sql`
    select k.ticket_id, k.no, k.visit from ticket_token k join ticket t on t.id = k.ticket_id
    where k.status = 'active' and k.timer_at <= ${now.toISOString()}
      and t.act_state in (${inSql(actState.ongoing, actState.finishAsked)}) and t.suspended_at is null and not t.is_deleted
    order by k.timer_at limit 1 for update of t skip locked`);
  const [row] = rows;
  if (!row) return false;
  const { ticket_id: ticket, no: token, visit } = row;
  // Somebody may just have sent it on: the lock is on the ticket, and the stay was read before the lock.
  const { rowCount } = await tx.execute(sql`
    update ticket_token set timer_at = null
    where ticket_id = ${ticket} and no = ${token} and visit = ${visit} and timer_at <= ${now.toISOString()}`);
  if (rowCount === 0) return true;
  const when = { origin: { ip: '', userAgent: '', traceId: '' }, now };
  await orCall(tx, { ticket, stay: { token, visit }, why: fault, now, broken }, (stored) =>
    happenOrStall(tx, stored, { type: 'timer', token, visit }, when),
  );
  return true;
}
