import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { calendarOf, workingMinutesAfter, workingMinutesBetween, type Calendar } from '#modules/calendars/service.ts';
import { stateOf, type Definition, type State } from '#modules/workflows/engine/definition.ts';
import type { TicketState } from './engine/state.ts';

/** What a ticket kept of its clock. */
interface Kept {
  suspended_at: string | null;
  clocks: ReadonlyMap<number, string>;
}

interface Begun {
  no: number;
  limit: State['timeout'];
  /** The deadline it had, where it goes on after a rest. */
  from: string | null;
}

/**
 * Gives every token that entered a state the moment its time there runs out, in working hours where the state says so, its tasks the
 * same, and the ticket the earliest of all. A ticket back with its creator, or put aside, has none: the clock stands still; what was
 * left of it goes on when the ticket is resumed. One statement, and the calendar only where it is counted by.
 */
export async function setDeadlines(
  tx: Db,
  id: number,
  definition: Definition,
  { before, state, now }: { before: TicketState; state: TicketState; now: Date },
  kept: Kept = { suspended_at: null, clocks: new Map() },
): Promise<void> {
  if (definition.states.every((one) => one.timeout === null)) return;
  const paused = before.suspended !== state.suspended;
  if (before.tokens === state.tokens && before.tasks === state.tasks && !paused) return;
  const known = new Map(before.tokens.map((token) => [token.no, token.visit]));
  const set = state.tokens.flatMap(({ no, visit, state_id }): Begun[] => {
    const limit = stateOf(definition, state_id).timeout;
    if (known.get(no) !== visit) return [{ no, limit, from: null }];
    const from = paused && !state.suspended && limit ? kept.clocks.get(no) : undefined;
    return from === undefined ? [] : [{ no, limit, from }];
  });
  const calendar = set.some(({ limit }) => limit?.working_time) ? await calendarOf(tx) : null;
  const given = set.map(({ no, limit, from }) => {
    const clock = limit?.working_time ? calendar : null;
    if (from === null) return { no, due: limit && after(now, limit.hours * 60, clock).toISOString() };
    return { no, due: goOn(new Date(from), new Date(kept.suspended_at ?? now), now, clock).toISOString() };
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
    update ticket set due_at = (select min(due) from clock where status = 'active' and not ${state.suspended}) where id = ${id}`);
}

/** The moment so many minutes later; working minutes where there is a calendar. */
function after(now: Date, minutes: number, calendar: Calendar | null): Date {
  return calendar ? workingMinutesAfter(now, minutes, calendar) : new Date(now.getTime() + minutes * 60_000);
}

/** A deadline after a rest: what was left of it when the rest began, from now on. One that was over already stays where it was. */
function goOn(deadline: Date, since: Date, now: Date, calendar: Calendar | null): Date {
  if (deadline <= since) return deadline;
  const left = calendar
    ? workingMinutesBetween(since, deadline, calendar)
    : (deadline.getTime() - since.getTime()) / 60_000;
  return after(now, left, calendar);
}
