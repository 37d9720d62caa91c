import { dayMs } from '#kernel/contract/moment.ts';
/**
 * A maintenance window in Beijing time: once between two moments, or weekly on some days from a time of day for a number of minutes, which
 * may reach into the next day. Moments are milliseconds.
 */
export interface Window {
  weekly: boolean;
  /** Once: its start and end. Weekly: its period of validity; `ends` null is unlimited. */
  starts: number;
  ends: number | null;
  /** The days on which it begins, 1 Monday … 7 Sunday. */
  weekdays: readonly number[];
  /** Minutes after midnight. */
  from_minute: number;
  minutes: number;
}

const minuteMs = 60_000;
/** Beijing has been at UTC+8 all year since 1991. */
const beijingMs = 8 * 60 * minuteMs;
/** 1970-01-01 was a Thursday. */
const weekdayOf = (day: number) => ((((day + 3) % 7) + 7) % 7) + 1;

/** The spans of windows that overlap an interval, in order, merged where they touch. */
export function spansOf(windows: readonly Window[], from: number, to: number): { start: number; end: number }[] {
  const spans = windows.flatMap((one) =>
    one.weekly ? weeklySpans(one, from, to) : [{ start: one.starts, end: one.ends ?? Infinity }],
  );
  const joined: { start: number; end: number }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.end <= from || span.start >= to || span.end <= span.start) continue;
    const last = joined.at(-1);
    if (last && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ ...span });
  }
  return joined;
}

function weeklySpans({ starts, ends, weekdays, from_minute, minutes }: Window, from: number, to: number) {
  const lengthMs = Math.min(minutes, 7 * 1440) * minuteMs;
  const first = Math.floor((Math.max(from, starts) + beijingMs - lengthMs) / dayMs) - 1;
  const last = Math.floor((Math.min(to, ends ?? to) + beijingMs) / dayMs);
  const spans = [];
  for (let day = first; day <= last; day++) {
    if (!weekdays.includes(weekdayOf(day))) continue;
    const start = day * dayMs - beijingMs + from_minute * minuteMs;
    spans.push({ start: Math.max(start, starts), end: Math.min(start + lengthMs, ends ?? Infinity) });
  }
  return spans;
}

/** True if a moment is within a window, and the next start or end within eight days; null if there is none. */
export function windowAt(windows: readonly Window[], at: number): { inside: boolean; edge: number | null } {
  const [span] = windows.length === 0 ? [] : spansOf(windows, at, at + 8 * dayMs);
  if (!span) return { inside: false, edge: null };
  const inside = span.start <= at;
  const edge = inside ? span.end : span.start;
  return { inside, edge: Number.isFinite(edge) ? edge : null };
}
