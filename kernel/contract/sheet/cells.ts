import { moneyRead } from '../money/money.ts';
import { isDay } from '../shapes.ts';
import { telephoneOf } from '../words/mobile.ts';
import { withoutUnseen } from '../words/plainly.ts';

/** Kinds of cells that people write in several ways. */
export type CellKind = 'day' | 'moment' | 'money' | 'phone' | 'code' | 'number';
/** A cell in its normal form; `asks` says what must be made clear before anything is imported. */
export type CellRead = { text: string } | { asks: string };

/** In one width, without signs that nobody sees. */
const wide = (typed: string) => withoutUnseen(typed.normalize('NFKC')).trim();
const whole = /^(\d{4})[-/.年‐–—](\d{1,2})[-/.月‐–—](\d{1,2})日?(?:[ T]+(.*))?$/;
const together = /^(\d{4})(\d\d)(\d\d)$/;
const withoutCentury = /^\d{1,2}[-/.年]\d{1,2}[-/.月]\d{1,2}日?$/;
const withoutYear = /^\d{1,2}[-/.月]\d{1,2}日?$/;
const midnight = /^0?0:00(:00)?$/;
const timed = /^(.*?)(?:[ T]+|(?<=日))(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** Parses a day as offices write it: with dashes, dots, characters or nothing between, in any width. */
export function dayRead(typed: string): CellRead {
  const plain = wide(typed);
  const [, year, month, date, time = ''] = whole.exec(plain) ?? together.exec(plain) ?? [];
  if (year !== undefined) {
    if (time !== '' && !midnight.test(time)) return { asks: `“${typed}”带有时间，这里只要日期，请删去时间` };
    return { text: `${year}-${month!.padStart(2, '0')}-${date!.padStart(2, '0')}` };
  }
  if (withoutCentury.test(plain)) return { asks: `“${typed}”的年份只有两位，请写成四位，如 2026-03-05` };
  if (withoutYear.test(plain)) return { asks: `“${typed}”没有年份，请写明，如 2026-03-05` };
  return { text: typed };
}

/** Parses a day with an optional time behind it; without a time it is the beginning of the day. */
function momentRead(typed: string): CellRead {
  const plain = wide(typed);
  const [, date, hour = '0', minute = '00', second = '00'] = timed.exec(plain) ?? [];
  // An hour that is written in another way is none of ours: whoever checks it says how.
  if (date === undefined && whole.exec(plain)?.[4] !== undefined) return { text: typed };
  const day = dayRead(date ?? typed);
  return 'asks' in day || !isDay(day.text) ? day : { text: `${day.text} ${hour.padStart(2, '0')}:${minute}:${second}` };
}

/** Parses a number in digits of any width, with separators. */
const numberRead = (typed: string) =>
  wide(typed)
    .replace(/(?<=\d)[,\s](?=\d)/g, '')
    .replace(/^\u2212/, '-');

/** Normalises a cell by the kind of its column; anything that does not fit stays as typed, for the later check. */
export function readCell(kind: CellKind | undefined, typed: string): CellRead {
  if (typed === '' || kind === undefined) return { text: typed };
  if (kind === 'day') return dayRead(typed);
  if (kind === 'moment') return momentRead(typed);
  if (kind === 'number') return { text: numberRead(typed) };
  if (kind === 'money') return { text: String(moneyRead(typed) ?? typed) };
  if (kind === 'phone') return { text: telephoneOf(typed) };
  return { text: wide(typed) };
}
