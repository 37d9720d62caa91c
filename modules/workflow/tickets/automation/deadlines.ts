import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import {
  calendarOf,
  workingMinutesAfter,
  workingMinutesBetween,
  type Calendar,
} from '#modules/platform/calendars/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  awaitedIn,
  stateOf,
  timerOf,
  type Definition,
  type State,
} from '#modules/workflow/workflows/engine/definition.ts';
import { awaits } from '../engine/people/awaiting.ts';
import type { Event, LogEntry, TicketState, Token } from '../engine/state.ts';

/**
 * The times at which a token's deadline passes, at which its people are reminded of it, and at which it goes on by itself; ISO, null for never.
 */
export interface Clock {
  due: string | null;
  ahead: string | null;
  timer: string | null;
}
/** The stored clocks of a ticket. */
interface Kept {
  record_due: boolean;
  suspended_at: string | null;
  clocks: ReadonlyMap<number, Clock>;
}
interface Span {
  minutes: number;
  working: boolean;
}
/** States in which the clock runs. */
const running: readonly number[] = [actState.ongoing, actState.finishAsked];
/** Minutes in which another system must name the people of a state; after that the state's rule for nobody applies. */
const namesWithin = 60;

interface Change {
  before: TicketState;
  state: TicketState;
  log: readonly LogEntry[];
  now: Date;
}

/**
 * Sets for every token that entered a state its deadline and the time it goes on by itself, in working hours if the state says so; the same for its
 * tasks, and for the ticket the earliest deadline of all. A timer restarts with every action in its state, not when members of a department or role
 * change or administrators are asked for help. A ticket that is back with its creator or suspended has no deadline: the clock stands still, and the
 * rest of the time runs once it is resumed. One statement; the calendar is read only if needed.
 */
export async function setDeadlines(
  tx: Db,
  id: number,
  definition: Definition,
  change: Change,
  kept: Kept = { record_due: false, suspended_at: null, clocks: new Map() },
): Promise<void> {
  const { before, state } = change;
  const timed =
    kept.record_due ||
    definition.states.some((one) => one.timeout || awaitedIn(one)) ||
    definition.transitions.some((one) => one.timer > 0);
  const paused = before.suspended !== state.suspended;
  if (!timed || (before.tokens === state.tokens && before.tasks === state.tasks && !paused)) return;
  const resumed = paused && !state.suspended;
  let calendar: Calendar | null = null;
  const given: ({ no: number } & Clock)[] = [];
  for (const token of state.tokens) {
    const { due, ahead, timer } = spansOf(definition, state, token);
    const clock = kept.clocks.get(token.no) ?? { due: null, ahead: null, timer: null };
    const entered = before.tokens.find((one) => one.no === token.no)?.visit !== token.visit;
    const begins = entered || ((timer !== null || clock.timer !== null) && isTouched(token, change));
    if (!begins && !resumed) continue;
    if (due?.working || timer?.working) calendar ??= await calendarOf(tx);
    const at = (span: Span | null, had: string | null, anew: boolean) =>
      anew ? begun(span, change.now, calendar) : resumed ? goOn(span, had, kept, change.now, calendar) : had;
    // If others name the people, their time begins when they are known.
    const anew = entered || (begins && clock.due === null);
    given.push({
      no: token.no,
      due: at(due, clock.due, anew),
      ahead: at(ahead, clock.ahead, anew),
      timer: at(timer, clock.timer, begins),
    });
  }
  await tx.execute(sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g(no int, due timestamptz, ahead timestamptz, timer timestamptz)),
    clock as (
      select k.no, k.visit, k.status, case when g.no is null then k.decision_deadline else g.due end as due
      from ticket_token k left join given g on g.no = k.no where k.ticket_id = ${id}),
    tokens as (
      update ticket_token k set decision_deadline = g.due, ahead_at = g.ahead, timer_at = g.timer from given g
      where k.ticket_id = ${id} and k.no = g.no),
    tasks as (
      update ticket_task w set due_at = c.due from clock c
      where w.ticket_id = ${id} and w.token_no = c.no and w.visit = c.visit and w.due_at is distinct from c.due)
    update ticket set due_at = case when ${state.suspended || !running.includes(state.act_state)} then null
      else least((select min(due) from clock where status = 'active'), record_due_at) end where id = ${id}`);
}

/** Sets a deadline for the ticket's record, null for none: the ticket takes it too, unless its states have an earlier one. */
export async function dueBy(tx: Db, ticketId: number, due: string | null): Promise<void> {
  await tx.execute(sql`
    update ticket set record_due_at = ${due}, due_at = case when suspended_at is null and act_state in (${inSql(actState.ongoing, actState.finishAsked)}) then
      least((select min(decision_deadline) from ticket_token where ticket_id = ${ticketId} and status = 'active'), ${due}::timestamptz) end
    where id = ${ticketId}`);
}

/** Restarts the deadline of a stay whose task was passed on; with `again` its rule acts once more when that time is over. */
export async function renewDeadline(
  tx: Db,
  id: number,
  definition: Definition,
  { no, visit, state_id }: Token,
  { now, again }: { now: Date; again: boolean },
): Promise<void> {
  const { timeout } = stateOf(definition, state_id);
  if (!timeout) return;
  const { due: span, ahead: early } = deadlineOf(timeout);
  const calendar = timeout.working_time ? await calendarOf(tx) : null;
  const [due, ahead] = [begun(span, now, calendar), begun(early, now, calendar)];
  await tx.execute(sql`
    with tokens as (
      update ticket_token set decision_deadline = ${due}, ahead_at = ${ahead}, reminded = 0, remind_at = null,
        overdue_visit = case when ${again} then null else overdue_visit end
      where ticket_id = ${id} and no = ${no}),
    tasks as (
      update ticket_task set due_at = ${due} where ticket_id = ${id} and token_no = ${no} and visit = ${visit})
    update ticket set due_at = least(${due}::timestamptz, record_due_at, (
      select min(decision_deadline) from ticket_token where ticket_id = ${id} and status = 'active' and no <> ${no}))
    where id = ${id} and suspended_at is null`);
}

/** The span until a deadline, and that until its people are reminded of it. */
function deadlineOf(timeout: State['timeout']): Record<'due' | 'ahead', Span | null> {
  if (!timeout) return { due: null, ahead: null };
  const { hours, before, working_time: working } = timeout;
  const after = (of: number) => ({ minutes: of * 60, working });
  return { due: after(hours), ahead: before === undefined ? null : after(Math.max(0, hours - before)) };
}

function spansOf(definition: Definition, ticket: TicketState, token: Token): Record<keyof Clock, Span | null> {
  const { timeout } = stateOf(definition, token.state_id);
  if (awaits(definition, ticket, token) === 'people')
    return { due: null, ahead: null, timer: { minutes: namesWithin, working: false } };
  const exit = timerOf(definition, token.state_id);
  return {
    ...deadlineOf(timeout),
    timer: exit ? { minutes: exit.timer / 60, working: exit.timer_working_time } : null,
  };
}

const byItself: readonly string[] = ['regroup', 'stall', 'left'];
/** True if somebody acted on a task of the token's visit; asking further people is nobody's action. */
function isTouched({ no, visit }: Token, { state, log }: Change): boolean {
  const done = log.flatMap((entry) => (byItself.includes(entry.action) ? [] : entry.events));
  const touched = new Set(done.flatMap((event) => taskOf(event) ?? []));
  return state.tasks.some((task) => task.token === no && task.visit === visit && touched.has(task.no));
}

function taskOf(event: Event): number | null {
  switch (event.type) {
    case 'task_opened':
      return event.task.no;
    case 'task_changed':
    case 'task_claimed':
    case 'task_released':
      return event.no;
    default:
      return null;
  }
}

function begun(span: Span | null, now: Date, calendar: Calendar | null): string | null {
  if (!span) return null;
  const at =
    span.working && calendar
      ? workingMinutesAfter(now, span.minutes, calendar)
      : new Date(now.getTime() + span.minutes * 60_000);
  return at.toISOString();
}

/** Moves a time after a suspension: what was left of the way to it when the suspension began, counted from now. A time already past stays as it was. */
function goOn(span: Span | null, had: string | null, kept: Kept, now: Date, calendar: Calendar | null): string | null {
  const since = new Date(kept.suspended_at ?? now);
  if (!span || had === null || new Date(had) <= since) return had;
  const left =
    span.working && calendar
      ? workingMinutesBetween(since, new Date(had), calendar)
      : (Date.parse(had) - since.getTime()) / 60_000;
  return begun({ ...span, minutes: left }, now, calendar);
}
