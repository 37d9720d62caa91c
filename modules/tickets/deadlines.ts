import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { calendarOf, workingMinutesAfter } from '#modules/calendars/service.ts';
import { stateOf, type Definition } from '#modules/workflows/engine/definition.ts';
import type { TicketState } from './engine/state.ts';

/**
 * Gives every token that entered a state the moment its time there runs out, in working hours where the state says so, and the
 * ticket the earliest of them. A ticket back with its creator has none: the clock stands still.
 */
export async function setDeadlines(
  tx: Db,
  id: number,
  definition: Definition,
  { before, state, now }: { before: TicketState; state: TicketState; now: Date },
): Promise<void> {
  if (definition.states.every((one) => one.timeout === null)) return;
  const known = new Map(before.tokens.map((token) => [token.no, token.visit]));
  const calendar = await calendarOf(tx);
  for (const token of state.tokens) {
    if (known.get(token.no) === token.visit) continue;
    const { timeout } = stateOf(definition, token.state_id);
    const minutes = timeout && timeout.hours * 60;
    const due =
      timeout && minutes
        ? timeout.working_time
          ? workingMinutesAfter(now, minutes, calendar)
          : new Date(now.getTime() + minutes * 60_000)
        : null;
    await tx.execute(sql`update ticket_token set decision_deadline = ${due?.toISOString() ?? null}
      where ticket_id = ${id} and no = ${token.no}`);
  }
  await tx.execute(sql`update ticket_task w set due_at = k.decision_deadline from ticket_token k
    where w.ticket_id = ${id} and k.ticket_id = ${id} and k.no = w.token_no and k.visit = w.visit
      and w.due_at is distinct from k.decision_deadline`);
  await tx.execute(sql`update ticket set due_at = (
    select min(decision_deadline) from ticket_token where ticket_id = ${id} and status = 'active') where id = ${id}`);
}
