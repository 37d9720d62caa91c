import { weekdayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { dayParts } from '#modules/platform/settings/contract/office-hours.ts';
import { siteRules } from '#modules/platform/settings/contract/site.ts';
import { announced, isAnnounced, type Announced } from './announced.ts';
import type { YearState } from './contract.ts';
import type { Calendar } from './engine/working-time.ts';
import { calendarDayTable, type DayOrigin } from './tables.ts';

export { workingDaysAfter, workingMinutesAfter, workingMinutesBetween, type Calendar } from './engine/working-time.ts';

/** A day set by the organisation. */
export interface OwnDay extends Announced {
  origin: DayOrigin;
  /** The year whose plan set it; null if it was set by hand. */
  plan: number | null;
}
export interface Rules {
  own: ReadonlyMap<string, OwnDay>;
  /** 1 Monday … 7 Sunday. */
  workdays: readonly number[];
  holidays: readonly string[];
  /** As parsed by `dayParts`. */
  office_hours: string;
}

/** A calendar with the names of holidays. */
export interface HouseCalendar extends Calendar {
  /** Its name, which may be empty; null for a working day or an ordinary day off. */
  holiday(day: string): string | null;
  /** Usual working days of the week, Monday 1. */
  usual: ReadonlySet<number>;
  /** The extent to which the days of a year are known; before they are, computed dates may change. */
  state(year: number): YearState;
  /** The organisation's own setting for a day, if it applies. */
  own(day: string): OwnDay | null;
}

/** The days that every plan of a year contains. */
export const fixedDays = (year: number): string[] => [`${year}-01-01`, `${year}-10-01`];

/** The organisation's calendar: own days, then announced ones, then proposed ones, then the usual week. */
export function calendarFrom({ own, workdays, holidays, office_hours }: Rules): HouseCalendar {
  const rest = new Set(holidays);
  const usual = new Set(workdays.length > 0 ? workdays : [1, 2, 3, 4, 5]);
  const came = Map.groupBy(own.values(), ({ plan }) => plan);
  const counted = (day: string): OwnDay | null => {
    const set = own.get(day) ?? null;
    const decided = set?.origin === 'own' || set?.origin === 'imported';
    return decided || !isAnnounced(Number(day.slice(0, 4))) ? set : null;
  };
  /** The setting for a single day, by precedence. */
  const said = (day: string): Announced | null => {
    const set = counted(day);
    if (set) return set;
    const everywhere = announced(day);
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
    state(year) {
      if (isAnnounced(year)) return 'announced';
      const plan = came.get(year) ?? [];
      if (plan.some(({ origin }) => origin === 'proposed')) return 'proposed';
      return plan.length > 0 && fixedDays(year).every((day) => own.has(day)) ? 'confirmed' : 'unknown';
    },
    own: counted,
  };
}

export async function calendarOf(tx: Db): Promise<HouseCalendar> {
  const { value } = await readRules(tx, siteRules);
  const rows = await tx.select().from(calendarDayTable);
  return calendarFrom({ ...value, own: new Map(rows.map((row) => [row.day, row])) });
}

/** The kind of a day, 1 working, 2 off, 3 holiday, and the holiday's name. */
export function dayKind(calendar: HouseCalendar, day: string): { kind: 1 | 2 | 3; name: string } {
  if (calendar.works(day)) return { kind: 1, name: '' };
  const name = calendar.holiday(day);
  return name === null ? { kind: 2, name: '' } : { kind: 3, name };
}
