import { useMemo } from 'react';
import { daysBetween, yearOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { calendars } from '#modules/platform/calendars/contract.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { computedOf } from '../../engine/fields/settled-items.ts';
import type { Works } from '../../engine/formula/evaluate.ts';
import { countsWorkdays } from '../../engine/formula/settle.ts';

const none: readonly FieldItem[] = [];
const thisYear = yearOf(new Date());
const long = 3_600_000;

/**
 * Working days for a form that counts them: of last year, this one and the next. For other years only the server knows. Undefined until loaded, and
 * for a form that does not need it.
 */
export function useWorks(form: readonly FieldItem[] | FieldItem = none): Works | undefined {
  const enabled = useMemo(() => countsWorkdays([form].flat().map(computedOf)), [form]);
  const options = { enabled, staleTime: long };
  const { data: last } = useCall(calendars.year, { query: { year: thisYear - 1 } }, options);
  const { data: now } = useCall(calendars.year, { query: { year: thisYear } }, options);
  const { data: next } = useCall(calendars.year, { query: { year: thisYear + 1 } }, options);
  return useMemo(() => {
    if (!enabled || !last || !now || !next) return undefined;
    const years = new Map([last, now, next].map(({ year, days }) => [String(year), days]));
    return (day) => {
      const days = years.get(day.slice(0, 4));
      if (!days) return null;
      return days[daysBetween(`${day.slice(0, 4)}-01-01`, day)] === '1';
    };
  }, [enabled, last, now, next]);
}
