import { desc } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { overStates } from '#modules/workflow/workflows/engine/codes.ts';
import { load } from '../store/store.ts';
import { newTicket, replay, type LogEntry } from '../engine/state.ts';
import { ticketTable } from '../tables.ts';

const over = overStates.join(', ');
const problems: Record<string, string> = {
  最后一条记录不是工单的状态: `select count(*) from ticket t where t.seq <> (select max(seq) from ticket_log l where l.ticket_id = t.id)`,
  记录编号不连续: `select count(*) from ticket t where t.seq <> (select count(*) from ticket_log l where l.ticket_id = t.id)`,
  已办结的工单还有待办: `select count(*) from ticket t join ticket_task w on w.ticket_id = t.id and w.status in ('todo', 'waiting')
    where t.act_state in (${over}) or t.is_deleted`,
  未办结的工单没有待办: `select count(*) from ticket t where t.act_state not in (${over}) and not t.is_deleted
    and not exists (select from ticket_task w where w.ticket_id = t.id and w.status = 'todo')`,
  已办结的工单还有活动环节: `select count(*) from ticket t join ticket_token k on k.ticket_id = t.id and k.status <> 'done'
    where t.act_state in (${over}) or t.is_deleted`,
  工单的环节与活动环节不符: `select count(*) from ticket t join ticket_token k on k.ticket_id = t.id and k.no = 1 where k.state_id <> t.state_id`,
  流水号重复: `select count(*) - count(distinct sn) as count from ticket`,
};

/** The engine's invariants that do not hold in the database, as sentences with counts; empty if all is well. */
export async function ticketProblems(tx: Db): Promise<string[]> {
  const found: string[] = [];
  for (const [problem, text] of Object.entries(problems)) {
    const { rows } = await tx.$client.query<{ count: string }>(text);
    if (Number(rows[0]?.count) > 0) found.push(`${problem}：${rows[0]?.count} 张`);
  }
  return found;
}

/** Serial numbers of those among the newest tickets whose stored state is not what their log leads to. */
export async function unlikeTheirLog(tx: Db, howMany: number): Promise<string[]> {
  const rows = await tx.select({ id: ticketTable.id }).from(ticketTable).orderBy(desc(ticketTable.id)).limit(howMany);
  const unlike: string[] = [];
  for (const { id } of rows) {
    const stored = await load(tx, id, undefined, false);
    if (!stored) continue;
    const { rows: log } = await tx.$client.query<LogEntry>(
      'select * from ticket_log where ticket_id = $1 order by seq',
      [id],
    );
    const { creator, creator_dept, authors, begun_by } = stored.state;
    const folded = replay(newTicket(creator, creator_dept, authors, begun_by), log);
    const sorted = (value: unknown) =>
      JSON.stringify(value, (_key, part: unknown) =>
        part && typeof part === 'object' && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).sort())
          : part,
      );
    if (sorted(folded) !== sorted(stored.state)) unlike.push(stored.sn);
  }
  return unlike;
}
