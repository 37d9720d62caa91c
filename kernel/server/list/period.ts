import { dayMs, dayOf } from '#kernel/contract/moment.ts';

/** Days, `YYYY-MM-DD`, both included. */
export interface Period {
  start: string;
  end: string;
}

/** The period of a report: two years at most; unless given, so many months up to today, beginning on the first of a month. */
export function periodOf(
  asked: { start?: string | undefined; end?: string | undefined },
  now: Date,
  months = 12,
): Period {
  const end = asked.end ?? dayOf(now);
  const before = (days: number) => dayOf(new Date(Date.parse(end) - days * dayMs));
  const start = asked.start ?? `${monthBefore(end, months - 1)}-01`;
  const earliest = before(731);
  return { start: start > end ? end : start < earliest ? earliest : start, end };
}

function monthBefore(day: string, months: number): string {
  const [year, month] = day.split('-').map(Number);
  const count = year! * 12 + month! - 1 - months;
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
}
