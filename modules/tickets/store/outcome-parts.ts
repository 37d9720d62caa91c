import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import type { Link } from './chain.ts';
import type { LogEntry, Task, TicketState, Token } from '../engine/state.ts';
import { signed, type Delegate } from '../visibility/delegation.ts';
import { ticketCcTable } from '../tables/readers.ts';
import { ticketLogTable } from '../tables/log.ts';
import { ticketTaskTable, ticketTokenTable } from '../tables.ts';

/** What a decision brought about. */
export interface Outcome {
  before: TicketState;
  state: TicketState;
  log: readonly LogEntry[];
  origin: Origin;
  /** Found by this name. */
  creatorName: string;
  /** The delegate who did it, and in whose stead; null where it was the person's own. */
  delegate: Delegate | null;
  /** The file with what the actor signed by hand; it belongs to the first row of the log. */
  signature?: number | undefined;
  now: Date;
  /** Of what whoever decided saw of the form. */
  seen_hash?: string;
}

/** Writes the tokens, tasks and copies a decision changed, and its log rows with their links in the chain. */
export async function writeParts(tx: Db, id: number, outcome: Outcome, links: readonly Link[]): Promise<void> {
  const { before, state, log, origin, delegate, seen_hash = null } = outcome;
  const tokens = state.tokens.filter((token) => !before.tokens.includes(token));
  if (tokens.length > 0) {
    await tx
      .insert(ticketTokenTable)
      .values(tokens.map((token) => tokenRow(id, token)))
      .onConflictDoUpdate({
        target: [ticketTokenTable.ticket_id, ticketTokenTable.no],
        set: {
          state_id: sql`excluded.state_id`,
          branch: sql`excluded.branch`,
          status: sql`excluded.status`,
          returned: sql`excluded.returned`,
          back_to: sql`excluded.back_to`,
          entered_at: sql`case when excluded.visit = ${ticketTokenTable.visit} then ${ticketTokenTable.entered_at} else now() end`,
          overdue_visit: sql`case when excluded.visit = ${ticketTokenTable.visit} then ${ticketTokenTable.overdue_visit} end`,
          reminded: sql`case when excluded.visit = ${ticketTokenTable.visit} then ${ticketTokenTable.reminded} else 0 end`,
          remind_at: sql`case when excluded.visit = ${ticketTokenTable.visit} then ${ticketTokenTable.remind_at} end`,
          visit: sql`excluded.visit`,
        },
      });
  }
  const tasks = state.tasks.filter((task) => !before.tasks.includes(task));
  const acted = log.flatMap((entry) => entry.task_nos);
  const isDelegate = delegate?.isDelegate ? delegate.id : null;
  if (tasks.length > 0) {
    await tx
      .insert(ticketTaskTable)
      .values(
        tasks.map((task) => taskRow(id, task, acted.includes(task.no) ? { agent_id: isDelegate, seen_hash } : nobody)),
      )
      .onConflictDoUpdate({
        target: [ticketTaskTable.ticket_id, ticketTaskTable.no],
        set: {
          status: sql`excluded.status`,
          pooled: sql`excluded.pooled`,
          transition_id: sql`excluded.transition_id`,
          reason: sql`excluded.reason`,
          agent_id: sql`case when ${ticketTaskTable.no} = any(${sql.param(acted)}::int[])
            then excluded.agent_id else ${ticketTaskTable.agent_id} end`,
          seen_hash: sql`coalesce(excluded.seen_hash, ${ticketTaskTable.seen_hash})`,
          decided_at: sql`case when excluded.decided_at is null then null else coalesce(${ticketTaskTable.decided_at}, excluded.decided_at) end`,
        },
      });
  }
  const said = log.find((entry) => entry.action === 'cc' || entry.action === 'comment');
  const copies = Object.entries(state.copied).flatMap(([stateId, people]) =>
    people
      .filter((person) => !before.copied[stateId]?.includes(person))
      .map((person) => ({
        ticket_id: id,
        user_id: person,
        state_id: Number(stateId),
        from_id: stateId === '0' ? (said?.actor ?? null) : null,
        note: stateId === '0' ? [...(said?.suggestion ?? '')].slice(0, 500).join('') : '',
      })),
  );
  if (copies.length > 0) await tx.insert(ticketCcTable).values(copies).onConflictDoNothing();
  const rows = signed(outcome);
  await tx.insert(ticketLogTable).values(
    rows.map((entry, index) => ({
      ...links[index],
      ticket_id: id,
      seq: entry.seq,
      actor_id: entry.actor,
      on_behalf_id: entry.on_behalf,
      action: entry.action,
      intervene_type: entry.intervene_type,
      transition_id: entry.transition_id,
      from_state_id: entry.from_state_id,
      to_state_id: entry.to_state_id,
      suggestion: entry.suggestion,
      task_nos: [...entry.task_nos],
      events: [...entry.events],
      trace: [...entry.trace],
      ip: origin.ip || null,
      user_agent: origin.userAgent.slice(0, 300),
      signature_file_id: entry.signature,
    })),
  );
}

function tokenRow(ticket_id: number, token: Token) {
  return { ticket_id, ...token };
}

interface Doer {
  agent_id: number | null;
  seen_hash: string | null;
}
const nobody: Doer = { agent_id: null, seen_hash: null };

function taskRow(ticket_id: number, task: Task, doer: Doer) {
  const { token, assignee, on_behalf_of, ...same } = task;
  const open = task.status === 'todo' || task.status === 'waiting';
  return {
    ...same,
    ticket_id,
    token_no: token,
    assignee_id: assignee,
    on_behalf_id: on_behalf_of,
    ...doer,
    decided_at: open ? null : sql`now()`,
  };
}
