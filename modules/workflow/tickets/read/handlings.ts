import { sql } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { versionsById } from '#modules/workflow/workflows/service.ts';
import { stateInfo } from './cards.ts';
import { actedAfter } from '../commands/correcting.ts';
import { titleOf } from '../engine/ways/buttons.ts';

/** One request to one person: what reached them, when, and their answer. Times `YYYY-MM-DD HH:mm:ss`. */
export interface Handling {
  taskNo: number;
  seq: number | null;
  state: string;
  /** Labels of the state, which tell a module its meaning. */
  label: Readonly<Record<string, string | number | boolean>>;
  assignee: number;
  /** The delegate who decided. */
  delegate: number | null;
  /** The action as the log names it, and in words; null and empty while it waits. */
  action: string | null;
  did: string;
  suggestion: string;
  signature: number | null;
  /** Ids of the opinion's files, in order. */
  files: number[];
  arrived: string;
  /** Null while it waits, and if it went away undecided. */
  handled: string | null;
  due: string | null;
  /** True if it waits for the person now. */
  open: boolean;
  /** True if its deadline passed before anybody acted. */
  missed: boolean;
  /** The original comment and the time it was corrected. */
  corrected: { before: string; at: string } | null;
  actedAfter: boolean;
}

interface Row extends Omit<Handling, 'state' | 'label' | 'did'> {
  version_id: number;
  state_id: number;
  transition_id: number | null;
}

/** Everything that reached people in a ticket, in order; what was withdrawn in time is left out. */
export async function handlingsOf(tx: Db, ticketId: number): Promise<Handling[]> {
  const rows = await namedRows<Row>(
    tx,
    sql`
    select w.no as "taskNo", d.seq, t.version_id, w.state_id, w.assignee_id as assignee, w.agent_id as delegate, d.action, w.transition_id,
      w.reason as suggestion, d.signature_file_id as signature,
      array(select f.file_id from ticket_log_file f where f.log_id = d.id order by f.place) as files, left(w.opened_at::text, 19) as arrived,
      case when d.seq is not null then left(w.decided_at::text, 19) end as handled, left(w.due_at::text, 19) as due,
      w.status = 'todo' as open, coalesce(d.seq is null and w.due_at < coalesce(w.decided_at, now()), false) as missed,
      (select json_build_object('before', d.suggestion, 'at', left(c.at::text, 19)) from ticket_log c
        where c.ticket_id = w.ticket_id and c.action = 'correct' and w.no = any(c.task_nos) order by c.seq desc limit 1) as corrected,
      coalesce(${actedAfter(sql`w.ticket_id`, sql`d.seq`)}, false) as "actedAfter"
    from ticket_task w join ticket t on t.id = w.ticket_id
    left join lateral (select l.* from ticket_log l where l.ticket_id = w.ticket_id and w.no = any(l.task_nos)
      and w.status not in ('todo', 'waiting', 'cancelled') and l.action not in ('correct', 'skip', 'accept', 'release') order by l.seq desc limit 1) d on true
    where w.ticket_id = ${ticketId} and w.status not in ('waiting', 'skipped')
      and (w.status = 'todo' or d.seq is not null or w.due_at < w.decided_at)
    order by w.opened_at, w.no`,
  );
  const [first] = rows;
  if (!first) return [];
  const version = (await versionsById(tx, [first.version_id])).get(first.version_id);
  if (!version) throw new Error(`version ${first.version_id} of ticket ${ticketId} is missing`);
  const { definition } = version;
  return rows.map(({ version_id: _version, state_id, transition_id, ...row }) => {
    const transition = definition.transitions.find((one) => one.id === transition_id);
    return {
      ...row,
      state: stateInfo(definition, state_id).state_name,
      label: definition.states.find((one) => one.id === state_id)?.label ?? {},
      did: row.action === null ? '' : (titleOf(row.action) ?? transition?.name ?? '处理'),
    };
  });
}
