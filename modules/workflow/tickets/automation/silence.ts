import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import type { Broken } from '../commands/savepoint.ts';
import { happen } from '../commands/run.ts';
import { awaits } from '../engine/people/awaiting.ts';
import { orCall } from './incidents.ts';

const never = {
  unsent: '没有可用的通知方式，问外部系统的话没有发出',
  lost: '问外部系统的话多次没有送达，不再重试',
};

/**
 * Finds one question to another system that will never be answered, because it was not delivered, and calls the workflow's administrators; returns
 * true if more may wait. If the question was for people, the state's own rule follows within the hour anyway.
 */
export async function actOnSilence(tx: Db, now: Date, broken: Broken): Promise<boolean> {
  const { rows } = await tx.execute<{ id: number; ticket_id: number; no: number; visit: number; sent: boolean }>(sql`
    select i.id, i.ticket_id, i.token_no as no, i.visit, i.delivery_key is not null as sent
    from ticket_inquiry i
      join ticket_token k on k.ticket_id = i.ticket_id and k.no = i.token_no and k.visit = i.visit and k.status = 'active'
      join ticket t on t.id = i.ticket_id and t.act_state in (${inSql(actState.ongoing, actState.finishAsked)}) and t.suspended_at is null and not t.is_deleted
      left join delivery d on d.key = i.delivery_key
    where i.answered_at is null and i.silent_at is null and (i.delivery_key is null or d.state in ('given_up', 'cancelled'))
    order by i.id limit 1 for update of t skip locked`);
  const [row] = rows;
  if (!row) return false;
  // Somebody may just have called for help: the lock is on the ticket, and the question was read before the lock.
  const { rowCount } = await tx.execute(
    sql`update ticket_inquiry set silent_at = ${now.toISOString()} where id = ${row.id} and silent_at is null`,
  );
  if (rowCount === 0) return true;
  const stay = { token: row.no, visit: row.visit };
  const why = row.sent ? never.lost : never.unsent;
  await orCall(tx, { ticket: row.ticket_id, stay, why, now, broken }, async (stored) => {
    const token = stored.state.tokens.find((one) => one.no === row.no && one.visit === row.visit);
    if (!token || awaits(stored.version.definition, stored.state, token) !== 'result') return;
    await happen(tx, stored, { type: 'stall', ...stay, why }, { origin: { ip: '', userAgent: '', traceId: '' }, now });
  });
  return true;
}
