import { casual } from 'chrono-node/zh/hans';
import { dayAfter, dayOf, momentText, weekdayOf } from '#kernel/contract/moment.ts';

/** A time that somebody typed, as the fields of forms have it (`YYYY-MM-DDTHH:mm`), and what they typed besides. */
export interface TypedTime {
  start_time: string;
  end_time: string;
  rest: string;
}

/** Minutes of the house's clock before Greenwich's. */
const houseMinutes = 480;
/** Where nothing says when a day's meeting begins. */
const morning = 9;
const hour = 3_600_000;
const weeks: Readonly<Record<string, number>> = { 上: -1, 本: 0, 这: 0, 下: 1, 下下: 2 };
const weekdays = '一二三四五六日天';
const ofWeek = /(下下|上|本|这|下)个?(?:周|星期|礼拜)([一二三四五六日天])/g;

/** The house's clock as if it were this machine's, for the library reads the machine's. */
function onClock(now: Date): Date {
  const [year, month, date, hours, minutes] = momentText(now).split(/\D/).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(year, month - 1, date, hours, minutes);
}

/** The library's weeks begin on Sunday; ours on Monday, so that on a Sunday 下周二 is in two days. */
function daysOfWeeks(text: string, now: Date): string {
  const today = dayOf(now);
  const monday = dayAfter(today, 1 - weekdayOf(today));
  return text.replace(ofWeek, (_all, which: string, day: string) => {
    const at = Math.min(weekdays.indexOf(day), 6);
    const [year, month, date] = dayAfter(monday, weeks[which]! * 7 + at)
      .split('-')
      .map(Number);
    return `${year}年${month}月${date}日`;
  });
}

/**
 * The first time that stands in a text, relative to the house's clock: 明天10点, 周五下午3点, 下周二 9点半, 后天 14:00-15:30, 12月3日上午. Of one
 * hour where no end is said; at nine where no hour is; one to six o'clock are the afternoon's where the text does not say otherwise.
 */
export function timeIn(text: string, now: Date): TypedTime | null {
  const said = daysOfWeeks(text, now);
  const [found] = casual.parse(said, onClock(now), { forwardDate: true });
  if (!found) return null;
  const rest = `${said.slice(0, found.index)} ${said.slice(found.index + found.text.length)}`;
  const start = momentIn(found.start, found.start, found.text);
  // An hour alone is of the day it begins on, and 下午三点到五点 of one half of it.
  const day = found.end?.isCertain('day') ? found.end : found.start;
  const ended = found.end ? momentIn(day, found.end, '') : start + hour;
  const end = [ended, ended + 12 * hour].find((one) => one > start) ?? start + hour;
  const inForm = (at: number) => momentText(new Date(at)).slice(0, 16).replace(' ', 'T');
  return { start_time: inForm(start), end_time: inForm(end), rest: rest.trim().replace(/\s+/g, ' ') };
}

interface Components {
  get(part: 'year' | 'month' | 'day' | 'hour' | 'minute'): number | null;
  isCertain(part: 'day' | 'hour' | 'meridiem'): boolean;
}
function momentIn(day: Components, at: Components, text: string): number {
  const [year, month, date] = (['year', 'month', 'day'] as const).map((part) => day.get(part)!) as [
    number,
    number,
    number,
  ];
  const named = at.isCertain('hour');
  const typed = named ? at.get('hour')! : morning;
  const vague = named && typed >= 1 && typed <= 6 && !at.isCertain('meridiem') && !/(^|\D)0\d/.test(text);
  const minutes = (typed + (vague ? 12 : 0)) * 60 + (named ? (at.get('minute') ?? 0) : 0);
  return Date.UTC(year, month - 1, date) + (minutes - houseMinutes) * 60_000;
}
