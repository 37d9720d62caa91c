import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { calendarOf, workingMinutesAfter } from '#modules/calendars/service.ts';
import { stateOf, type Definition } from '#modules/workflows/engine/definition.ts';
import type { TicketState } from './engine/state.ts';

/**
 * Gives every token that entered a state the moment its time there runs out, in working hours where the state says so, its tasks the
 * same, and the ticket the earliest of all. A ticket back with its creator has none: the clock stands still. One statement, and the
 * calendar only where something begins that counts by it.
 */
export async function setDeadlines(
  tx: Db,
  id: number,
  definition: Definition,
  { before, state, now }: { before: TicketState; state: TicketState; now: Date },
): Promise<void> {
  if (definition.states.every((one) => one.timeout === null)) return;
  if (before.tokens === state.tokens && before.tasks === state.tasks) return;
  const known = new Map(before.tokens.map((token) => [token.no, token.visit]));
  const fresh = state.tokens
    .filter((token) => known.get(token.no) !== token.visit)
    .map(({ no, state_id }) => ({ no, limit: stateOf(definition, state_id).timeout }));
  const calendar = fresh.some(({ limit }) => limit?.working_time) ? await calendarOf(tx) : null;
  const given = fresh.map(({ no, limit }) => {
    const minutes = (limit?.hours ?? 0) * 60;
    const plain = new Date(now.getTime() + minutes * 60_000);
    const due = limit?.working_time && calendar ? workingMinutesAfter(now, minutes, calendar) : plain;
    return { no, due: limit && due.toISOString() };
  });
  await tx.execute(sql`
    with given as (select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(no int, due timestamptz)),
    clock as (
      select k.no, k.visit, k.status, case when g.no is null then k.decision_deadline else g.due end as due
      from ticket_token k left join given g on g.no = k.no where k.ticket_id = ${id}),
    tokens as (
      update ticket_token k set decision_deadline = c.due from clock c
      where k.ticket_id = ${id} and k.no = c.no and k.decision_deadline is distinct from c.due),
    tasks as (
      update ticket_task w set due_at = c.due from clock c
      where w.ticket_id = ${id} and w.token_no = c.no and w.visit = c.visit and w.due_at is distinct from c.due)
    update ticket set due_at = (select min(due) from clock where status = 'active') where id = ${id}`);
}
