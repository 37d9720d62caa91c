import { prepared, type Db } from '#kernel/server/db/db.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import type { Link } from './chain.ts';
import type { LogEntry, Task, TicketState } from '../engine/state.ts';
import { signed, type Delegate } from '../visibility/delegation.ts';

/** The result of a decision. */
export interface Outcome {
  before: TicketState;
  state: TicketState;
  log: readonly LogEntry[];
  origin: Origin;
  /** Indexed for search. */
  creatorName: string;
  /** The delegate who did it, and for whom; null if the person did it themselves. */
  delegate: Delegate | null;
  /** The file of the actor's handwritten signature; it belongs to the first row of the log. */
  signature?: number | undefined;
  /** Files of the actor's opinion; they belong to the first row of the log. */
  files?: readonly number[] | undefined;
  /** The channel, if it was not done on a page. */
  via?: string | undefined;
  now: Date;
  /** Hash of the part of the form that the decider saw. */
  seen_hash?: string;
}

/** The state of copies that people made; the others were made by the flow. */
const byPeople = 0;

/** Writes the tokens, tasks and copies that a decision changed, and its log rows with their hashes. */
export async function writeParts(tx: Db, id: number, outcome: Outcome, links: readonly Link[]): Promise<void> {
  const { before, state, log, origin, delegate, seen_hash = null } = outcome;
  const tokens = state.tokens.filter((token) => !before.tokens.includes(token));
  const tasks = state.tasks.filter((task) => !before.tasks.includes(task));
  const acted = log.flatMap((entry) => entry.task_nos);
  const isDelegate = delegate?.isDelegate ? delegate.id : null;
  const entries = signed(outcome);
  // A delegate mentions people in their own name.
  const said = entries.find((entry) =>
    entry.events.some((event) => event.type === 'copied' && event.state_id === byPeople),
  );
  const copies = Object.entries(state.copied).flatMap(([stateId, people]) =>
    people
      .filter((person) => !before.copied[stateId]?.includes(person))
      .map((person) => ({
        user_id: person,
        state_id: Number(stateId),
        from_id: stateId === String(byPeople) ? (said?.actor ?? null) : null,
        note: stateId === String(byPeople) ? [...(said?.suggestion ?? '')].slice(0, 500).join('') : '',
      })),
  );
  const rows = entries.map((entry, index) => ({
    ...links[index],
    seq: entry.seq,
    actor_id: entry.actor,
    on_behalf_id: entry.on_behalf,
    action: entry.action,
    intervene_type: entry.intervene_type,
    transition_id: entry.transition_id,
    from_state_id: entry.from_state_id,
    to_state_id: entry.to_state_id,
    suggestion: entry.suggestion,
    task_nos: entry.task_nos,
    events: entry.events,
    trace: entry.trace,
    ip: origin.ip || null,
    user_agent: origin.userAgent.slice(0, 300),
    signature_file_id: entry.signature,
    via: entry.via,
  }));
  const files = (outcome.files ?? []).map((file_id, index) => ({ seq: log[0]?.seq, place: index + 1, file_id }));
  const did = (task: Task) => (acted.includes(task.no) ? { agent_id: isDelegate, seen_hash } : nobody);
  await prepared(tx, 'ticket-parts', partsText, [
    id,
    JSON.stringify(tokens),
    JSON.stringify(tasks.map((task) => taskRow(task, did(task)))),
    acted,
    JSON.stringify(copies),
    JSON.stringify(rows),
    JSON.stringify(files),
  ]);
}

// One statement for any number of rows, with constant text, so that it is planned once.
const partsText = `
  with tokens as (
    insert into ticket_token as k (ticket_id, no, state_id, branch, status, visit, returned, back_to)
    select $1, no, state_id, branch, status, visit, returned, back_to from jsonb_populate_recordset(null::ticket_token, $2)
    on conflict (ticket_id, no) do update set state_id = excluded.state_id, branch = excluded.branch, status = excluded.status,
      returned = excluded.returned, back_to = excluded.back_to, visit = excluded.visit,
      entered_at = case when excluded.visit = k.visit then k.entered_at else now() end,
      overdue_visit = case when excluded.visit = k.visit then k.overdue_visit end,
      reminded = case when excluded.visit = k.visit then k.reminded else 0 end,
      remind_at = case when excluded.visit = k.visit then k.remind_at end),
  tasks as (
    insert into ticket_task as w (ticket_id, no, token_no, visit, state_id, round, assignee_id, origin, origin_no, on_behalf_id, agent_id,
      group_seq, group_no, mode, answers, status, pooled, transition_id, reason, seen_hash, decided_at)
    select $1, no, token_no, visit, state_id, round, assignee_id, origin, origin_no, on_behalf_id, agent_id, group_seq, group_no, mode,
      answers, status, pooled, transition_id, reason, seen_hash, case when status not in ('todo', 'waiting') then now() end
    from jsonb_populate_recordset(null::ticket_task, $3)
    on conflict (ticket_id, no) do update set status = excluded.status, pooled = excluded.pooled,
      transition_id = excluded.transition_id, reason = excluded.reason,
      agent_id = case when w.no = any($4::int[]) then excluded.agent_id else w.agent_id end,
      seen_hash = coalesce(excluded.seen_hash, w.seen_hash),
      decided_at = case when excluded.decided_at is null then null else coalesce(w.decided_at, excluded.decided_at) end),
  copies as (
    insert into ticket_cc (ticket_id, user_id, state_id, from_id, note)
    select $1, user_id, state_id, from_id, note from jsonb_populate_recordset(null::ticket_cc, $5) on conflict do nothing),
  log as (
  insert into ticket_log (ticket_id, seq, actor_id, on_behalf_id, action, intervene_type, transition_id, from_state_id, to_state_id,
    suggestion, task_nos, events, trace, ip, user_agent, signature_file_id, via, prev_hash, hash)
  select $1, seq, actor_id, on_behalf_id, action, intervene_type, transition_id, from_state_id, to_state_id,
    suggestion, task_nos, events, trace, ip, user_agent, signature_file_id, via, prev_hash, hash
  from jsonb_populate_recordset(null::ticket_log, $6) returning id, seq)
  insert into ticket_log_file (log_id, place, file_id)
  select log.id, f.place, f.file_id from jsonb_to_recordset($7::jsonb) as f(seq int, place smallint, file_id int) join log on log.seq = f.seq`;

interface Doer {
  agent_id: number | null;
  seen_hash: string | null;
}
const nobody: Doer = { agent_id: null, seen_hash: null };

function taskRow(task: Task, doer: Doer) {
  const { token, assignee, on_behalf_of, ...same } = task;
  return { ...same, token_no: token, assignee_id: assignee, on_behalf_id: on_behalf_of, ...doer };
}
