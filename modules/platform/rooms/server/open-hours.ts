import { sql, type SQL } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { closedOn } from '../engine/rules.ts';
import { officeTable } from '../tables.ts';

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** The number of hours that each office opens its rooms in a period, by the calendar: rows `opened (office, open_hours)`. */
export async function openHours(tx: Db, start: string, end: string): Promise<SQL> {
  const calendar = await calendarOf(tx);
  const found = (await tx.select().from(officeTable)).map(({ id, open_hours: hours }) => {
    let open = 0;
    for (let day = start; day <= end; day = dayAfter(day, 1)) if (closedOn(hours, day, calendar) === null) open += 1;
    return { office: id, open_hours: (open * (minutesOf(hours.to) - minutesOf(hours.from))) / 60 };
  });
  return sql`jsonb_to_recordset(${JSON.stringify(found)}::jsonb) opened (office int, open_hours float8)`;
}
