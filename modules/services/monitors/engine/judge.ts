import { monitorState, type MonitorState } from '../contract/codes.ts';

/** What is kept of a monitor between two results; all moments in milliseconds. */
export interface Kept {
  status: MonitorState;
  /** What was last found for certain; null before the first. */
  verdict: 0 | 1 | null;
  /** Failures in a row that have not made it down yet, and when the first was. */
  fails: number;
  first_fail: number | null;
  /** Of an incident: successes in a row, when the first was, failures since anybody was told. */
  oks: number;
  first_ok: number | null;
  since_told: number;
  /** Of an incident: how often people were told that it is down. */
  alerts: number;
  /** When it last changed between up and down, the latest four. */
  changes: readonly number[];
  /** Until when nothing is said because it flaps. */
  quiet_until: number | null;
  /** How often a failure went by within its retries. */
  flickers: number;
}
export const fresh: Kept = {
  status: monitorState.off,
  verdict: null,
  fails: 0,
  first_fail: null,
  oks: 0,
  first_ok: null,
  since_told: 0,
  alerts: 0,
  changes: [],
  quiet_until: null,
  flickers: 0,
};

/**
 * What a look brought. `certain`: whoever is looked at said so itself, so no retry is waited for; `unsure`: it could not be found out
 * (a resolver failed), which never makes anything down. `off` is no look: it was switched off.
 */
export type Result = 'ok' | 'fail' | 'certain' | 'unsure' | 'off';

export interface Settings {
  retries: number;
  /** Successes in a row for a recovery. */
  successes: number;
  /** Tell again after so many failures; 0 never. */
  resend_every: number;
  max_alerts: number;
}
/** How it stands around the monitor at this moment. */
export interface Around {
  maintenance: boolean;
  /** What it depends on is down: that is told of, not this. */
  parentDown: boolean;
  /** Somebody has taken the incident over. */
  claimed: boolean;
}

/** `told` ones are said to people, the others only kept. */
export type Verdict =
  | { type: 'opened'; at: number }
  | { type: 'recovered'; at: number; told: boolean }
  | { type: 'stopped' }
  | { type: 'alert'; again: boolean }
  | { type: 'flapping' }
  | { type: 'settled'; status: 0 | 1 };

export const flapChanges = 4;
export const flapMs = 30 * 60_000;

/** The only place that says what a result makes of a monitor. Asks nothing but its arguments. */
export function judge(
  kept: Kept,
  result: Result,
  settings: Settings,
  around: Around,
  now: number,
): { kept: Kept; verdicts: Verdict[] } {
  if (result === 'off') return { kept: fresh, verdicts: kept.verdict === 0 ? [{ type: 'stopped' }] : [] };
  // A doubt is no verdict: before a window it goes back to what was certain.
  if (around.maintenance)
    return {
      kept: { ...kept, status: monitorState.maintenance, fails: 0, first_fail: null, oks: 0, first_ok: null },
      verdicts: [],
    };
  const next = { ...kept };
  const verdicts: Verdict[] = [];
  if (kept.verdict === 0) whileDown(next, result, settings, now, verdicts);
  else whileUp(next, result, settings, now, verdicts);
  next.status = next.verdict === 0 ? 0 : next.fails > 0 ? 2 : (next.verdict ?? 9);
  speak(next, kept, result, settings, around, now, verdicts);
  return { kept: next, verdicts };
}

function whileUp(next: Kept, result: Result, { retries }: Settings, now: number, verdicts: Verdict[]): void {
  if (result === 'ok') {
    if (next.fails > 0 && next.verdict === 1) next.flickers++;
    Object.assign(next, { verdict: 1, fails: 0, first_fail: null });
    return;
  }
  next.first_fail ??= now;
  next.fails++;
  if (result === 'unsure') next.fails = Math.min(next.fails, Math.max(1, retries));
  // The first look of all is confirmed, however few retries are wanted.
  const down =
    result === 'certain' ||
    (result === 'fail' && next.fails > (next.verdict === null ? Math.max(1, retries) : retries));
  if (!down) return;
  verdicts.push({ type: 'opened', at: next.first_fail });
  Object.assign(next, { verdict: 0, fails: 0, first_fail: null, oks: 0, first_ok: null, since_told: 0, alerts: 0 });
}

function whileDown(next: Kept, result: Result, { successes }: Settings, now: number, verdicts: Verdict[]): void {
  if (result === 'unsure') return;
  if (result !== 'ok') {
    Object.assign(next, { oks: 0, first_ok: null, since_told: next.since_told + 1 });
    return;
  }
  next.first_ok ??= now;
  next.oks++;
  if (next.oks < successes) return;
  verdicts.push({ type: 'recovered', at: next.first_ok, told: false });
  Object.assign(next, { verdict: 1, oks: 0, first_ok: null });
}

/** What of all this people hear: a flapping one once, then nothing for a while, then how it stands. */
function speak(
  next: Kept,
  before: Kept,
  result: Result,
  settings: Settings,
  around: Around,
  now: number,
  verdicts: Verdict[],
): void {
  const changed = verdicts.find((one) => one.type === 'opened' || one.type === 'recovered');
  if (changed) next.changes = [...before.changes, now].slice(-flapChanges);
  const mayAlert = next.verdict === 0 && !around.claimed && !around.parentDown && next.alerts < settings.max_alerts;
  if (next.quiet_until !== null) {
    if (now < next.quiet_until) return;
    Object.assign(next, { quiet_until: null, changes: [] });
    if (next.verdict === 1 || mayAlert) verdicts.push({ type: 'settled', status: next.verdict as 0 | 1 });
    if (mayAlert) Object.assign(next, { alerts: next.alerts + 1, since_told: 0 });
    return;
  }
  if (changed && next.changes.length === flapChanges && now - next.changes[0]! <= flapMs) {
    next.quiet_until = now + flapMs;
    verdicts.push({ type: 'flapping' });
    return;
  }
  // Whoever never heard that it was down need not hear that it is up.
  if (changed?.type === 'recovered') changed.told = before.alerts > 0;
  else if (
    mayAlert &&
    (result === 'fail' || result === 'certain') &&
    (next.alerts === 0 || (settings.resend_every > 0 && next.since_told >= settings.resend_every))
  ) {
    verdicts.push({ type: 'alert', again: next.alerts > 0 });
    Object.assign(next, { alerts: next.alerts + 1, since_told: 0 });
  }
}

/** Whether the next look is a retry rather than the usual one: a doubt is to be settled, a recovery confirmed. */
export const looksSoon = ({ status, oks }: Kept): boolean =>
  status === monitorState.pending || (status === monitorState.down && oks > 0);
