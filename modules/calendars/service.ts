import { and, gte, lte } from 'drizzle-orm';
import { weekdayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { dayParts } from '#modules/settings/contract/office-hours.ts';
import { siteRules } from '#modules/settings/contract/site.ts';
import { announced, isAnnounced, type Announced } from './announced.ts';
import type { Calendar } from './engine/working-time.ts';
import { calendarDayTable } from './tables.ts';

export { workingDaysAfter, workingMinutesAfter, workingMinutesBetween, type Calendar } from './engine/working-time.ts';

export interface Rules {
  /** Own days, which go before what is announced. */
  own: ReadonlyMap<string, Announced & { proposed?: boolean }>;
  /** 1 Monday … 7 Sunday. */
  workdays: readonly number[];
  holidays: readonly string[];
  /** As `dayParts` reads it. */
  office_hours: string;
}

/** With what a day without work is a holiday of. */
export interface HouseCalendar extends Calendar {
  /** Its name, which may be empty; null on a day that is worked, or of rest as every week has them. */
  holiday(day: string): string | null;
  /** Days of the week that are worked where nothing is said of a day, Monday 1. */
  usual: ReadonlySet<number>;
  /** Whether the holidays of its year are not known: neither announced nor brought in by the house. What is reckoned into it may change. */
  isProvisional(day: string): boolean;
}

/** A year whose plan says nothing of this day is none: it is how the library's years and those of the house are told apart. */
export const nationalDay = (year: string) => `${year}-10-01`;

/** The calendar the organisation works by: own days, then what is announced, then its usual week. */
export function calendarFrom({ own, workdays, holidays, office_hours }: Rules): HouseCalendar {
  const rest = new Set(holidays);
  const proposed = new Set([...own].flatMap(([day, one]) => (one.proposed ? [day.slice(0, 4)] : [])));
  const usual = new Set(workdays.length > 0 ? workdays : [1, 2, 3, 4, 5]);
  /** What is said of a day by itself, and by whom first. */
  const said = (day: string): Announced | null => {
    const set = own.get(day);
    if (set && !set.proposed) return set;
    const everywhere = announced(day);
    if (set && !isAnnounced(Number(day.slice(0, 4)))) return set;
    return rest.has(day) ? { works: false, name: everywhere?.works === false ? everywhere.name : '' } : everywhere;
  };
  return {
    hours: dayParts(office_hours) ?? [],
    works: (day) => said(day)?.works ?? usual.has(weekdayOf(day)),
    holiday(day) {
      const found = said(day);
      return found && !found.works ? found.name : null;
    },
    usual,
    isProvisional(day) {
      const year = day.slice(0, 4);
      return !isAnnounced(Number(year)) && (proposed.has(year) || !own.has(nationalDay(year)));
    },
  };
}

export async function calendarOf(tx: Db): Promise<HouseCalendar> {
  const { value } = await readRules(tx, siteRules);
  const rows = await ownDays(tx);
  return calendarFrom({ ...value, own: new Map(rows.map((row) => [row.day, row])) });
}

/** The organisation's own days, of one year or all. */
export function ownDays(tx: Db, year?: number) {
  const within = year
    ? and(gte(calendarDayTable.day, `${year}-01-01`), lte(calendarDayTable.day, `${year}-12-31`))
    : undefined;
  return tx.select().from(calendarDayTable).where(within).orderBy(calendarDayTable.day);
}

/** What kind of day it is, 1 worked, 2 of rest, 3 a holiday, and the holiday's name. */
export function dayKind(calendar: HouseCalendar, day: string): { kind: 1 | 2 | 3; name: string } {
  if (calendar.works(day)) return { kind: 1, name: '' };
  const name = calendar.holiday(day);
  return name === null ? { kind: 2, name: '' } : { kind: 3, name };
}
