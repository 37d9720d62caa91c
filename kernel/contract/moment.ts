/** The zone of the house's clock; every session of the database is in it, so that `current_date` is the house's day. */
export const houseZone = 'Asia/Shanghai';
/** So many minutes it is ahead of Greenwich; the same since 1991. */
export const houseMinutes = 480;
/** The same as a suffix of a time. */
export const houseOffset = '+08:00';
const days = new Intl.DateTimeFormat('sv-SE', { timeZone: houseZone });
const moments = new Intl.DateTimeFormat('sv-SE', {
  timeZone: houseZone,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Parses a time written by this product: `YYYY-MM-DD HH:mm` with optional seconds and optionally `T` in between; fractions are ignored. */
export const momentOf = (text: string): Date => new Date(`${text.slice(0, 19).replace(' ', 'T')}${houseOffset}`);

/** When a day begins. */
export const dayStart = (day: string): Date => momentOf(`${day} 00:00`);

/** Formats a time as `YYYY-MM-DD HH:mm:ss`. */
export const momentText = (at: Date): string => moments.format(at);

/** The day of a moment: `YYYY-MM-DD`. */
export const dayOf = (at: Date): string => days.format(at);

/** The year of a moment. */
export const yearOf = (at: Date): number => Number(dayOf(at).slice(0, 4));

/** The length of a day; the house's clock knows no summer time. */
export const dayMs = 86_400_000;

/** A text that begins with a date, without its year if that is the year of `now`. */
export const dropYear = (text: string, now: Date): string =>
  Number(text.slice(0, 4)) === yearOf(now) ? text.slice(5) : text;

/** Returns the `YYYY-MM-DD` that is `days` days later, or earlier if negative. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the number of days from one `YYYY-MM-DD` to another; negative if the second is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / dayMs);

/** Returns the moment that is `days` days later, or earlier if negative. */
export const daysLater = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs);

/** The last day of a `YYYY-MM`. */
export const lastDayOf = (month: string): string =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).toISOString().slice(0, 10);

/** The day of the week of a text that begins with a date: 1 Monday … 7 Sunday. Only the work calendar knows whether people work on it. */
export const weekdayOf = (day: string): number => new Date(`${day.slice(0, 10)}T00:00:00Z`).getUTCDay() || 7;

/** The Monday of a day's week. */
export const mondayOf = (day: string): string => dayAfter(day, 1 - weekdayOf(day));
