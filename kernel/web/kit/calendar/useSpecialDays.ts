import { useQueries } from '@tanstack/react-query';
import { useContext } from 'react';
import { rangeOf, type CalendarView } from './range.ts';
import { SpecialDaysContext, type SpecialDay } from './special-days.ts';

/** The special days of the years that a month shows, by day. */
export function useSpecialDays(view: CalendarView, date: string): ReadonlyMap<string, SpecialDay> {
  const ask = useContext(SpecialDaysContext);
  const { from, to } = rangeOf(view, date);
  const years = ask && view === 'month' ? [...new Set([from, to].map((day) => Number(day.slice(0, 4))))] : [];
  return useQueries({
    queries: years.map((year) => ({
      queryKey: ['special-days', year],
      queryFn: () => ask!(year),
      staleTime: 3_600_000,
    })),
    combine: (answers) => new Map(answers.flatMap(({ data = [] }) => data.map((one) => [one.day, one] as const))),
  });
}
