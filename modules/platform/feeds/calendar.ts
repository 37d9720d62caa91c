import ical, {
  escape,
  ICalAlarmType,
  ICalCalendarMethod,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator';
import { dayAfter, dayOf, daysLater, momentOf } from '#kernel/contract/moment.ts';
import type { FeedEntry } from './service.ts';

const dayLength = 10;
/** Seconds after which calendar programs should refresh. */
const lookAgain = 3600;

export interface CalendarText {
  name: string;
  /** The public address; null if not configured. */
  origin: string | null;
  /** Minutes before a timed entry at which the reader is reminded. */
  remind?: number | null;
  entries: readonly (FeedEntry & { key: string })[];
}

/** The text of a calendar (RFC 5545): the same for the same entries. Times are in UTC, which needs no time zone table. */
export function calendarText({ name, origin, remind = null, entries }: CalendarText): string {
  // Ids are unique within this installation only, and somebody may read the calendars of two.
  const house = origin ? new URL(origin).host : 'gongdan';
  const calendar = ical({
    // The library does not escape it.
    name: escape(name, false),
    prodId: { company: 'gongdan', product: 'office', language: 'ZH' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: lookAgain,
  });
  for (const { key, id, title, start, end, version, modified, ...more } of entries) {
    const allDay = start.length === dayLength;
    const changed = momentOf(modified);
    calendar.createEvent({
      id: `${key}-${id}@${house}`,
      sequence: version,
      summary: title,
      allDay,
      // Whole days do not depend on time zones; the end in a calendar is the day after the last.
      start: allDay ? new Date(start) : momentOf(start),
      end: allDay ? new Date(dayAfter(end, 1)) : momentOf(end),
      stamp: changed,
      lastModified: changed,
      ...(more.description && { description: more.description }),
      ...(more.place && { location: more.place }),
      ...(more.path && origin && { url: origin + more.path }),
      ...(more.free && { transparency: ICalEventTransparency.TRANSPARENT }),
      ...(more.cancelled && { status: ICalEventStatus.CANCELLED }),
      ...(remind !== null &&
        !allDay &&
        !more.free &&
        !more.cancelled && { alarms: [{ type: ICalAlarmType.display, trigger: remind * 60 }] }),
    });
  }
  return `${calendar.toString()}\r\n`;
}

const before = 31;
const after = 366;

/** The period of a calendar: a month back and a year ahead. */
export function daysAround(now: Date): { from: string; to: string } {
  const away = (days: number) => dayOf(daysLater(now, days));
  return { from: away(-before), to: away(after) };
}
