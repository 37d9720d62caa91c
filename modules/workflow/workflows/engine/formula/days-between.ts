import { dayMs } from '#kernel/contract/moment.ts';
import { dayOf, daysOf, type DaysBetween } from '../check/date-pairs.ts';
import type { Budget } from './evaluate.ts';

type Values = Readonly<Record<string, unknown>>;
const noon = '12:00';
/** Beyond this number the days are not examined one by one. */
const mostDays = 1100;

/**
 * The days between two dates as defined, both included: beginning in the afternoon or ending at noon counts half a day; with working days, others do
 * not count. Days not known to be free count, so that nobody gets a shorter approval by it.
 */
export function daysBetween(between: DaysBetween, values: Values, budget: Budget): number | null {
  const [from, to] = [valueIn(values, between.from), valueIn(values, between.to)];
  const [first, last, all] = [dayOf(from), dayOf(to), daysOf(from, to)];
  if (!first || !last || all === null) return null;
  const works = between.working && all <= mostDays ? budget.works : undefined;
  if (works) budget.left -= Math.ceil(all / 10);
  const counts = (day: string) => !works || budget.left < 0 || works(day) !== false;
  let days = works ? 0 : all;
  for (let at = 0; works && at < all; at++)
    if (counts(new Date(Date.parse(first) + at * dayMs).toISOString().slice(0, 10))) days += 1;
  const { late, early } = endsOf(between, values);
  return days - (late && counts(first) ? 0.5 : 0) - (early && counts(last) ? 0.5 : 0);
}

/** `late`: the period begins in the afternoon of its first day; `early`: it ends at noon of its last. */
function endsOf(between: DaysBetween, values: Values): { late: boolean; early: boolean } {
  const [from, to] = [valueIn(values, between.from), valueIn(values, between.to)];
  return {
    late: valueIn(values, between.from_half) === 'pm' || (timeOf(from) ?? '') >= noon,
    early: valueIn(values, between.to_half) === 'am' || (timeOf(to) ?? '24') <= noon,
  };
}

/** True if a single day that counts begins in its afternoon and ends at its noon, so that nothing of it is left. */
export function isTurnedRound(between: DaysBetween, values: Values, works: Budget['works']): boolean {
  const [first, last] = [dayOf(valueIn(values, between.from)), dayOf(valueIn(values, between.to))];
  const { late, early } = endsOf(between, values);
  return first !== null && first === last && late && early && (!between.working || works?.(first) !== false);
}

const valueIn = (values: Values, key: string | undefined): unknown =>
  key !== undefined && Object.hasOwn(values, key) ? values[key] : null;

/** The hour and minute of a time; null for a day. */
const timeOf = (value: unknown) => (typeof value === 'string' && value.length > 10 ? value.slice(11, 16) : null);
