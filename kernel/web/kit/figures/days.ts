import { lastDayOf } from '#kernel/contract/moment.ts';

/** The days of a `YYYY-MM` that lie within a period, for the address of that month's rows. */
export function daysOf(
  month: string,
  period: { start: string; end: string },
  names: readonly [from: string, to: string] = ['start', 'end'],
) {
  const [from, to] = [`${month}-01`, lastDayOf(month)];
  return new URLSearchParams([
    [names[0], from < period.start ? period.start : from],
    [names[1], to > period.end ? period.end : to],
  ]).toString();
}
