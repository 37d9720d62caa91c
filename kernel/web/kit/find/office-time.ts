import { casual } from 'chrono-node/zh/hans';
import { dayAfter, dayOf, houseMinutes, momentText, mondayOf } from '#kernel/contract/moment.ts';

/** A time that was typed, in the form of form fields (`YYYY-MM-DDTHH:mm`), and the rest of the typed text. */
export interface TypedTime {
  start_time: string;
  end_time: string;
  rest: string;
}

/** The hour at which a meeting begins if the text does not say. */
const morning = 9;
const hour = 3_600_000;
const weeks: Readonly<Record<string, number>> = { 上: -1, 本: 0, 这: 0, 下: 1, 下下: 2 };
const weekdays = '一二三四五六日天';
/** 早上周一 does not mean Monday of last week. */
const ofWeek = /(下下|(?<![早晚])上|本|这|下)个?(?:周|星期|礼拜)([一二三四五六日天])/g;
const halfBeforeDay =
  /(?<![今明后])(上午|早上|中午|下午|晚上)\s*((?:下下|本|这|下)?个?(?:周|星期|礼拜)[一二三四五六日天])/g;
const days: Readonly<Record<string, number>> = { 今: 0, 明: 1, 后: 2, 大后: 3 };
const ofDay = /(大后|今|明|后)(?:[天日]|([早晚])上?)(?:\s*[,，]\s*)?/g;
/** The hour at which a part of the day begins, if no hour is given. */
const halves: Readonly<Record<string, number>> = { 凌晨: 0, 早上: 9, 上午: 9, 中午: 12, 下午: 14, 晚上: 19 };
const half = Object.keys(halves).join('|');
const halfAtEnd = new RegExp(`(?:${half})$`);
const weekdayHalf = new RegExp(
  `(?:周|星期|礼拜)([${weekdays}])(${half})(?!\\s*[\\d零一二两三四五六七八九十]+\\s*[点时:：])`,
  'g',
);
const halfNext = new RegExp(`^[\\s,，]*(${half})`);

/** The time of Asia/Shanghai as if it were this machine's local time, because the library reads local time. */
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

function dateWords(day: string): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${year}年${month}月${date}日`;
}

/**
 * Replaces the days in a text by dates, and returns the replaced words. The library's weeks begin on Sunday, ours on Monday, so that on a Sunday 下周二
 * is in two days; its days begin at two in the night, ours at midnight, so that at half past twelve 明天 is the next calendar day.
 */
function withDates(text: string, now: Date): { said: string; typed: [date: string, words: string][] } {
  const today = dayOf(now);
  const monday = mondayOf(today);
  const typed: [string, string][] = [];
  const put = (date: string, words: string) => {
    typed.push([date, words]);
    return date;
  };
  const said = text
    .replace(halfBeforeDay, '$2$1')
    .replace(ofWeek, (words, which: string, day: string) => {
      const at = Math.min(weekdays.indexOf(day), 6);
      return put(dateWords(dayAfter(monday, weeks[which]! * 7 + at)), words);
    })
    .replace(weekdayHalf, (words, day: string, part: string) => {
      const at = Math.min(weekdays.indexOf(day), 6);
      const begins = (date: string) => `${date} ${String(halves[part]).padStart(2, '0')}`;
      const date = dayAfter(monday, at);
      return put(dateWords(begins(date) > momentText(now) ? date : dayAfter(date, 7)) + part, words);
    })
    .replace(ofDay, (words, which: string, part?: string) =>
      put(`${dateWords(dayAfter(today, days[which]!))}${part ? `${part}上` : ''}`, words),
    );
  return { said, typed };
}

/**
 * The first time in a text, relative to the time of Asia/Shanghai: 明天10点, 周五下午3点, 下周二 9点半, 后天 14:00-15:30, 12月3日上午. It lasts an hour if no end is
 * given. Without an hour it begins with the named part of the day, or at nine; one to six o'clock mean the afternoon unless the text says otherwise.
 */
export function timeIn(text: string, now: Date): TypedTime | null {
  const { said, typed } = withDates(text, now);
  const [found] = casual.parse(said, onClock(now), { forwardDate: true });
  if (!found) return null;
  const after = said.slice(found.index + found.text.length);
  // The library reads 下午 after a date as a separate time of today.
  const next = found.start.isCertain('hour') ? null : halfNext.exec(after);
  const part = next?.[1] ?? halfAtEnd.exec(found.text)?.[0];
  const left = `${said.slice(0, found.index)} ${after.slice(next?.[0].length ?? 0)}`;
  const rest = typed.reduce((words, [date, own]) => words.replace(date, own), left);
  const start = momentIn(found.start, found.start, found.text, part ? halves[part] : morning);
  // An hour without a day belongs to the day of the beginning, and 下午三点到五点 to one half of it.
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
function momentIn(day: Components, at: Components, text: string, begins = morning): number {
  const [year, month, date] = (['year', 'month', 'day'] as const).map((part) => day.get(part)!) as [
    number,
    number,
    number,
  ];
  const named = at.isCertain('hour');
  const typed = named ? at.get('hour')! : begins;
  const vague = named && typed >= 1 && typed <= 6 && !at.isCertain('meridiem') && !/(^|\D)0\d/.test(text);
  const minutes = (typed + (vague ? 12 : 0)) * 60 + (named ? (at.get('minute') ?? 0) : 0);
  return Date.UTC(year, month - 1, date) + (minutes - houseMinutes) * 60_000;
}
