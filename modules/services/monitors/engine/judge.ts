import { monitorState, type MonitorState } from '../contract/codes.ts';

/** The stored state of a monitor between two results; times in milliseconds. */
export interface Kept {
  status: MonitorState;
  /** The last certain finding; null before the first. */
  verdict: 0 | 1 | null;
  /** Consecutive failures that have not made it down yet, and the time of the first. */
  fails: number;
  first_fail: number | null;
  /** Within an incident: consecutive successes, the time of the first, and failures since the last alert. */
  oks: number;
  first_ok: number | null;
  since_told: number;
  /** Within an incident: the number of alerts sent. */
  alerts: number;
  /** The times of the latest four changes between up and down. */
  changes: readonly number[];
  /** The end of the silence because of flapping. */
  quiet_until: number | null;
  /** The number of failures that passed within the retries. */
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
 * The result of a probe. `certain`: reported by the target itself, so no retry is needed; `unsure`: could not be determined (a resolver
 * failed), which never makes anything down. `off`: monitoring was switched off.
 */
export type Result = 'ok' | 'fail' | 'certain' | 'unsure' | 'off';

export interface Settings {
  retries: number;
  /** Consecutive successes needed for a recovery. */
  successes: number;
  /** Repeats the alert after this number of failures; 0 for never. */
  resend_every: number;
  max_alerts: number;
}
/** The circumstances of a monitor at this moment. */
export interface Around {
  maintenance: boolean;
  /** The project it depends on is down; only that one causes alerts. */
  parentDown: boolean;
  /** Somebody has claimed the incident. */
  claimed: boolean;
}

/** Verdicts with `told` are sent to people, the others only stored. */
export type Verdict =
  | { type: 'opened'; at: number }
  | { type: 'recovered'; at: number; told: boolean }
  | { type: 'stopped' }
  | { type: 'alert'; again: boolean }
  | { type: 'flapping' }
  | { type: 'settled'; status: 0 | 1 };

export const flapChanges = 4;
export const flapMs = 30 * 60_000;

/** Judges a result: the only function that derives the state of a monitor. Pure. */
export function judge(
  kept: Kept,
  result: Result,
  settings: Settings,
  around: Around,
  now: number,
): { kept: Kept; verdicts: Verdict[] } {
  if (result === 'off') return { kept: fresh, verdicts: kept.verdict === 0 ? [{ type: 'stopped' }] : [] };
  // A pending state is not certain, so a window resets it to the last certain one.
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
  // The very first probe is confirmed by a second, even without retries.
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

/** Decides which changes are sent: a flapping monitor causes one message, then silence, then its state. */
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
  // Without an alert there is no message about the recovery.
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

/** True if the next probe is a quick retry: a failure or a recovery is to be confirmed. */
export const looksSoon = ({ status, oks }: Kept): boolean =>
  status === monitorState.pending || (status === monitorState.down && oks > 0);
