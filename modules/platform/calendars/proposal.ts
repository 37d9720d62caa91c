import chineseDays from 'chinese-days';
import { dayAfter, weekdayOf } from '#kernel/contract/moment.ts';

export interface Proposed {
  day: string;
  name: string;
}
const lunar = (year: number, date: string) => chineseDays.getSolarDateFromLunar(`${year}-${date}`).date;

/** The first day of each statutory holiday, its number of days, and its name (全国年节及纪念日放假办法, since 2025). */
function holidaysOf(year: number): { first: string; days: number; name: string }[] {
  const newYear = lunar(year, '01-01');
  return [
    { first: `${year}-01-01`, days: 1, name: '元旦' },
    { first: dayAfter(newYear, -1), days: 4, name: '春节' },
    { first: chineseDays.getSolarTermDate(year, 4, 'pure_brightness'), days: 1, name: '清明' },
    { first: `${year}-05-01`, days: 2, name: '劳动节' },
    { first: lunar(year, '05-05'), days: 1, name: '端午' },
    { first: lunar(year, '08-15'), days: 1, name: '中秋' },
    { first: `${year}-10-01`, days: 3, name: '国庆节' },
  ];
}

/**
 * Holidays of a year by law alone, with a free working day after each that falls on a weekend or on another one. Exchanged days are announced each
 * year and cannot be foreseen.
 */
export function proposalOf(year: number): Proposed[] {
  const found = new Map<string, string>();
  const owed: Proposed[] = [];
  for (const { first, days, name } of holidaysOf(year)) {
    let day = first;
    for (let n = 0; n < days; n += 1, day = dayAfter(day, 1)) {
      if (found.has(day) || weekdayOf(day) > 5) owed.push({ day, name });
      if (!found.has(day)) found.set(day, name);
    }
  }
  for (const { day: from, name } of owed) {
    let day = dayAfter(from, 1);
    while (found.has(day) || weekdayOf(day) > 5) day = dayAfter(day, 1);
    found.set(day, name);
  }
  return [...found].map(([day, name]) => ({ day, name })).toSorted((a, b) => (a.day < b.day ? -1 : 1));
}
