import { momentOf } from '#kernel/contract/moment.ts';
import { workingMinutesAfter, workingMinutesBetween, type Calendar } from '#modules/platform/calendars/service.ts';
import { orderStage } from '../contract/codes.ts';

/** The fields of an order that its clock reads and sets. */
export interface Clocked {
  stage: number;
  reopen_count: number;
  limit_minutes: number;
  used_minutes: number;
  runs_since: string | null;
  sent_at: string | null;
  accept_at: string | null;
  response_due: string | null;
  finish_due: string | null;
  rework_due: string | null;
  due_at: string | null;
}
/** The time limits of response and repair, in minutes of the calendar, or of the clock without one. */
export interface Pace {
  response: number;
  finish: number;
  calendar: Calendar | null;
}
const leastRework = 240;
const minute = 60_000;
const runs = (stage: number) => stage >= orderStage.reported && stage <= orderStage.working;

export const minutesAfter = (from: Date, minutes: number, calendar: Calendar | null): Date =>
  calendar ? workingMinutesAfter(from, minutes, calendar) : new Date(from.getTime() + Math.max(0, minutes) * minute);
export const minutesBetween = (from: Date, to: Date, calendar: Calendar | null): number =>
  calendar ? workingMinutesBetween(from, to, calendar) : Math.max(0, (to.getTime() - from.getTime()) / minute);

const stopped = { warn_at: null, due_at: null, over_at: null, next_at: null };
/** The moments at which 80, 100 and 150 percent of a time limit are used up; `next_at` is the next reminder. */
function marks(from: Date, minutes: number, used: number, calendar: Calendar | null) {
  const at = (share: number) => minutesAfter(from, share * minutes - used, calendar).toISOString();
  const warn_at = at(0.8);
  return { warn_at, due_at: at(1), over_at: at(1.5), next_at: warn_at };
}

/**
 * Updates the clock of an order that changes its stage or pace: used minutes are added up, so that pauses are kept, and the rest continues
 * from now. `anew`: it is sent or returned for rework, which starts a new clock.
 */
export function turnClock(
  row: Clocked,
  stage: number,
  now: Date,
  { response, finish, calendar }: Pace,
  anew?: 'sent' | 'rework',
) {
  const at = now.toISOString();
  const since = anew ? null : row.runs_since;
  const used = anew ? 0 : row.used_minutes + (since ? Math.round(minutesBetween(momentOf(since), now, calendar)) : 0);
  const reworked = anew === 'rework' || (anew !== 'sent' && row.reopen_count > 0);
  const limit = reworked ? Math.max(leastRework, Math.round(finish / 2)) : finish;
  const sent = anew === 'sent' ? at : row.sent_at;
  const own = { limit_minutes: limit, used_minutes: used, runs_since: runs(stage) ? at : null, sent_at: sent };
  const waits = stage <= orderStage.assigned && row.accept_at === null && !reworked;
  const answer = marks(sent ? new Date(anew === 'sent' ? at : momentOf(sent)) : now, response, 0, calendar);
  const response_due = row.accept_at === null || anew === 'sent' ? answer.due_at : row.response_due;
  if (!runs(stage)) return { ...own, ...stopped, ...(stage === orderStage.draft ? { sent_at: null } : {}) };
  const mend = marks(now, limit, used, calendar);
  const due = reworked ? { rework_due: mend.due_at } : { finish_due: mend.due_at };
  return { ...own, response_due, ...due, ...(waits ? answer : mend) };
}

/** True if the change of stage affects the clock: it stops, continues, measures another limit, or restarts. */
export const movesClock = (before: number, stage: number): boolean =>
  runs(before) !== runs(stage) || before <= orderStage.assigned !== stage <= orderStage.assigned;
