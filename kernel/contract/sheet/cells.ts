import { moneyRead, ungrouped } from '../money/money.ts';
import { weekdayOf } from '../moment.ts';
import { isDay } from '../shapes.ts';
import { mobileOf, telephoneOf } from '../words/mobile.ts';
import { withoutUnseen } from '../words/plainly.ts';

/** Kinds of cells that people write in several ways. */
export type CellKind = 'day' | 'moment' | 'money' | 'phone' | 'code' | 'number';
/** A cell in its normal form; `asks` says what must be made clear before anything is imported. */
export type CellRead = { text: string } | { asks: string };

/** In one width, without signs that nobody sees. */
const wide = (typed: string) => withoutUnseen(typed.normalize('NFKC')).trim();

const digits = '〇一二三四五六七八九';
const digit = `[\\d零○${digits}]`;
const upTo31 = `(?:\\d{1,2}|[零○${digits}十廿卅]{1,3})`;
const [afterYear, afterMonth] = [' *[-/.年‐–—] *', ' *[-/.月‐–—] *'];
const whole = new RegExp(`^(${digit}{4})${afterYear}(${upTo31})${afterMonth}(${upTo31})(?: *[日号])?(?:[ T]+(.*))?$`);
const together = /^(\d{4})(\d\d)(\d\d)$/;
const withoutCentury = new RegExp(`^${digit}{1,2}${afterYear}${upTo31}${afterMonth}${upTo31}(?: *[日号])?$`);
const withoutYear = new RegExp(`^${upTo31}${afterMonth}${upTo31}(?: *[日号])?$`);
/** The name of a day of the week, in brackets or not. */
const weekday = / *\(? *(?:星期|礼拜|周) *([一二三四五六日天]) *\)? */;
const weekdays = '一二三四五六日';
const midnight = /^0?0:00(:00)?$/;
const timed = /^(.*?)(?:[ T]+|(?<=[日号]))(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** Reads a number as dates have it: 3, 03, 三, 十三, 二十三, 廿三, or digit by digit as a year, 二〇二四. */
function numeralOf(said: string): string {
  const plain = said.replace(/[零○]/g, '〇').replace('廿', '二十').replace('卅', '三十');
  const valueOf = (one: string) => (digits.includes(one) ? String(digits.indexOf(one)) : one);
  const [, tens, ones] = /^(.?)十(.?)$/.exec(plain) ?? [];
  if (tens === undefined) return Array.from(plain, valueOf).join('');
  return `${tens === '' ? 1 : valueOf(tens)}${ones === '' ? 0 : valueOf(ones!)}`;
}

/**
 * Parses a day as offices write it: with dashes, dots, characters or nothing between, in digits or numerals of any width, with its day of the week
 * or without. A day of the week that is not the date's is asked about.
 */
export function dayRead(typed: string): CellRead {
  const plain = wide(typed);
  const named = weekday.exec(plain)?.[1];
  const date = plain.replace(weekday, ' ').trim();
  const [, year, month, day, time = ''] = whole.exec(date) ?? together.exec(date) ?? [];
  if (year !== undefined) {
    if (time !== '' && !midnight.test(time)) return { asks: `“${typed}”带有时间，这里只要日期，请删去时间` };
    const text = [year, month!, day!].map((one) => numeralOf(one).padStart(2, '0')).join('-');
    const falls = isDay(text) ? weekdays[weekdayOf(text) - 1] : undefined;
    return named === undefined || falls === undefined || falls === named.replace('天', '日')
      ? { text }
      : { asks: `“${typed}”的日期和星期不一致：${text} 是星期${falls}，请核对` };
  }
  if (withoutCentury.test(date)) return { asks: `“${typed}”的年份只有两位，请写成四位，如 2026-03-05` };
  if (withoutYear.test(date)) return { asks: `“${typed}”没有年份，请写明，如 2026-03-05` };
  return { text: typed };
}

/** Parses a day with an optional time behind it; without a time it is the beginning of the day. */
function momentRead(typed: string): CellRead {
  const plain = wide(typed).replace(weekday, (named) => `${named.trim()} `);
  const [, date, hour = '0', minute = '00', second = '00'] = timed.exec(plain) ?? [];
  // An hour that is written in another way is none of ours: whoever checks it says how.
  if (date === undefined && whole.exec(plain.replace(weekday, ' ').trim())?.[4] !== undefined) return { text: typed };
  const day = dayRead(date ?? typed);
  return 'asks' in day || !isDay(day.text) ? day : { text: `${day.text} ${hour.padStart(2, '0')}:${minute}:${second}` };
}

const badlyGrouped = (typed: string): CellRead => ({
  asks: `“${typed}”中的逗号或空格没有按三位一节，看不出是多少，请去掉后重新填写，如 1234.50`,
});

/** Parses a number in digits of any width, with thousands separators. */
function numberRead(typed: string): CellRead {
  const plain = wide(typed).replace(/^\u2212/, '-');
  if (!/^-?\d[\d.,\s]*$/.test(plain)) return { text: plain };
  const number = ungrouped(plain);
  return number === null ? badlyGrouped(typed) : { text: number };
}

/** Parses an amount; digits whose separators could mean another amount are asked about. */
function amountRead(typed: string): CellRead {
  const amount = moneyRead(typed);
  if (amount !== null) return { text: String(amount) };
  return moneyRead(typed.replace(/[\s,，]/g, '')) === null ? { text: typed } : badlyGrouped(typed);
}

/** Normalises a cell by the kind of its column; anything that does not fit stays as typed, for the later check. */
export function readCell(kind: CellKind | undefined, typed: string): CellRead {
  if (typed === '' || kind === undefined) return { text: typed };
  if (kind === 'day') return dayRead(typed);
  if (kind === 'moment') return momentRead(typed);
  if (kind === 'number') return numberRead(typed);
  if (kind === 'money') return amountRead(typed);
  if (kind === 'phone') return { text: telephoneOf(typed) };
  return { text: wide(typed) };
}

/**
 * Chooses what a column takes of a number that its sheet shows in another way, 42 as 00042: amounts, counts and dates take the number, other columns
 * what the author sees, and telephone numbers whichever is a mobile number.
 */
export function chosenText(kind: CellKind | undefined, shows: string, value: string): string {
  if (kind === 'phone') return mobileOf(value) === null ? shows : value;
  return kind === undefined || kind === 'code' ? shows : value;
}
