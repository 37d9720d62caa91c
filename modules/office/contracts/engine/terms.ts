import { dayAfter } from '#kernel/contract/moment.ts';
import { renewal } from '../contract/codes.ts';

/** The agreed term of a contract. */
export interface Agreed {
  start: string | null;
  /** The end of the first term; null for an indefinite time. */
  end: string | null;
  renewal: number;
  months: number | null;
  noticeDays: number | null;
}
export interface Term {
  no: number;
  start: string;
  end: string | null;
  notice: string | null;
}

/** The same day some months later; if that month lacks the day, its last one (民法典，第二百零二条). */
export function addMonths(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The last day for a notice of non-renewal; null if the term ends by itself. */
const noticeOf = ({ renewal: how, noticeDays }: Agreed, end: string | null): string | null =>
  how === renewal.none || noticeDays === null || end === null ? null : dayAfter(end, -noticeDays);

/** The first term, from the signature. */
export function firstTerm(agreed: Agreed, signed: string): Term {
  const { start, end } = agreed;
  const from = start ?? signed;
  return { no: 1, start: end !== null && from > end ? end : from, end, notice: noticeOf(agreed, end) };
}

/** A term with another end. */
export const movedTerm = (agreed: Agreed, term: Term, end: string | null): Term => ({
  ...term,
  end,
  notice: noticeOf({ ...agreed, end }, end),
});

/**
 * The term that follows automatically. Each end is computed from the agreed end, so that the 31st is the 31st again after a short month.
 * Null if none follows.
 */
export function nextTerm(agreed: Agreed, terms: readonly Term[]): Term | null {
  const last = terms.at(-1);
  if (agreed.renewal !== renewal.tacit || !agreed.months || !last?.end || !agreed.end) return null;
  const renewed = terms.filter((term) => term.start > agreed.end!).length;
  const end = addMonths(agreed.end, agreed.months * (renewed + 1));
  return { no: last.no + 1, start: dayAfter(last.end, 1), end, notice: noticeOf(agreed, end) };
}

/** The terms that begin automatically until a day, after the existing ones, including those missed while the server was down. */
export function termsUntil(agreed: Agreed, terms: readonly Term[], today: string): Term[] {
  const all = [...terms];
  for (let last = all.at(-1); last?.end && last.end < today; last = all.at(-1)) {
    const next = nextTerm(agreed, all);
    if (next === null) break;
    all.push(next);
  }
  return all.slice(terms.length);
}
