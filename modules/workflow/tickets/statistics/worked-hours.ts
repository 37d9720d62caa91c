import { sql, type SQL } from 'drizzle-orm';
import { dayMs } from '#kernel/contract/moment.ts';
import type { Calendar } from '#modules/platform/calendars/service.ts';

/** Days before a period in which a task decided in it may have begun; earlier ones count from here. */
const daysBefore = 400;

/**
 * The organisation's calendar for SQL: `table` is a common table `cal` of one row that a query joins, `at` the working minutes up to a moment. The
 * difference of two moments is the working time between them.
 */
export function workedHours(
  calendar: Calendar,
  { start, end }: { start: string; end: string },
): { table: SQL; at(moment: SQL): SQL } {
  const first = Date.parse(start) - daysBefore * dayMs;
  const count = Math.round((Date.parse(end) - first) / dayMs) + 2;
  const each = calendar.hours.reduce((all, { from, to }) => all + to - from, 0);
  const dayOf = (index: number) => new Date(first + index * dayMs).toISOString().slice(0, 10);
  const works = Array.from({ length: count }, (_, index) => (calendar.works(dayOf(index)) ? 1 : 0));
  let sum = 0;
  const before = works.map((one) => (sum += one * each) - one * each);
  return {
    table: sql`cal as materialized (select ${sql.param(works)}::int[] as works, ${sql.param(before)}::int[] as before)`,
    at(moment) {
      const parts = calendar.hours.map(
        ({ from: begin, to }) => sql`least(greatest(minutes - ${begin}::float8, 0), ${to - begin}::float8)`,
      );
      // An expression behind an offset is computed once for each row, however often it is used.
      return sql`(select cal.before[nth] + cal.works[nth] * (${sql.join(parts, sql` + `)}) from (
        select least(here::date - ${dayOf(0)}::date + 1, ${count}::int) as nth, extract(epoch from here::time)::float8 / 60 as minutes
        from (select greatest((${moment})::timestamp, ${dayOf(0)}::timestamp) as here offset 0) house offset 0) reckoned)`;
    },
  };
}
