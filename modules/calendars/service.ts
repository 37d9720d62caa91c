import { and, gte, lte } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { dayParts } from '#modules/settings/contract/office-hours.ts';
import { siteRules } from '#modules/settings/contract/site.ts';
import { announced } from './announced.ts';
import type { Calendar } from './engine/working-time.ts';
import { calendarDayTable } from './tables.ts';

export { workingDaysAfter, workingMinutesAfter, workingMinutesBetween, type Calendar } from './engine/working-time.ts';

export interface Rules {
  /** Own days, which go before what is announced. */
  own: ReadonlyMap<string, boolean>;
  /** 1 Monday … 7 Sunday. */
  workdays: readonly number[];
  holidays: readonly string[];
  /** As `dayParts` reads it. */
  office_hours: string;
}

/** The calendar the organisation works by: own days, then what is announced, then its usual week. */
export function calendarFrom({ own, workdays, holidays, office_hours }: Rules): Calendar {
  const rest = new Set(holidays);
  const usual = new Set(workdays.length > 0 ? workdays : [1, 2, 3, 4, 5]);
  return {
    hours: dayParts(office_hours) ?? [],
    works(day) {
      const set = own.get(day);
      if (set !== undefined) return set;
      if (rest.has(day)) return false;
      return announced(day)?.works ?? usual.has(new Date(`${day}T00:00:00Z`).getUTCDay() || 7);
    },
  };
}

export async function calendarOf(tx: Db): Promise<Calendar> {
  const { value } = await readRules(tx, siteRules);
  const rows = await ownDays(tx);
  return calendarFrom({ ...value, own: new Map(rows.map((row) => [row.day, row.works])) });
}

/** The organisation's own days, of one year or all. */
export function ownDays(tx: Db, year?: number) {
  const within = year
    ? and(gte(calendarDayTable.day, `${year}-01-01`), lte(calendarDayTable.day, `${year}-12-31`))
    : undefined;
  return tx.select().from(calendarDayTable).where(within).orderBy(calendarDayTable.day);
}

/** What kind of day it is, 1 worked, 2 of rest, 3 a holiday, and the holiday's name. */
export function dayKind(calendar: Calendar, day: string): { kind: 1 | 2 | 3; name: string } {
  if (calendar.works(day)) return { kind: 1, name: '' };
  const holiday = announced(day);
  return holiday && !holiday.works ? { kind: 3, name: holiday.name } : { kind: 2, name: '' };
}
