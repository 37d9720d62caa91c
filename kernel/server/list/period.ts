import { dayOf } from '#kernel/contract/moment.ts';

/** Days, `YYYY-MM-DD`, both counted. */
export interface Period {
  start: string;
  end: string;
}

const dayLength = 86_400_000;

/** What a report is asked for: two years at most, a year up to today unless told. */
export function periodOf(asked: { start?: string | undefined; end?: string | undefined }, now: Date): Period {
  const end = asked.end ?? dayOf(now);
  const before = (days: number) => dayOf(new Date(Date.parse(end) - days * dayLength));
  const start = asked.start ?? `${before(334).slice(0, 7)}-01`;
  const earliest = before(731);
  return { start: start > end ? end : start < earliest ? earliest : start, end };
}
