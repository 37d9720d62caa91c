import { moneyRead } from '../money/money.ts';
import { isDay } from '../shapes.ts';
import { telephoneOf } from '../words/mobile.ts';
import { withoutUnseen } from '../words/plainly.ts';

/** What a cell of a column holds, where that is written in several ways. */
export type CellKind = 'day' | 'moment' | 'money' | 'phone' | 'code' | 'number';
/** A cell as it is written here; `asks`: what is to be made clear before anything is taken of it. */
export type CellRead = { text: string } | { asks: string };

/** In one width, without signs that nobody sees. */
const wide = (typed: string) => withoutUnseen(typed.normalize('NFKC')).trim();
const whole = /^(\d{4})[-/.年‐–—](\d{1,2})[-/.月‐–—](\d{1,2})日?(?:[ T]+(.*))?$/;
const together = /^(\d{4})(\d\d)(\d\d)$/;
const withoutCentury = /^\d{1,2}[-/.年]\d{1,2}[-/.月]\d{1,2}日?$/;
const withoutYear = /^\d{1,2}[-/.月]\d{1,2}日?$/;
const midnight = /^0?0:00(:00)?$/;
const timed = /^(.*?)(?:[ T]+|(?<=日))(\d{1,2}):(\d\d)(?::(\d\d))?$/;

/** A day as offices write it: with bars, dots, characters or nothing between, in any width. */
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

/** A time: a day as above, and the hour behind it; without one it is the day's beginning. */
function momentRead(typed: string): CellRead {
  const plain = wide(typed);
  const [, date, hour = '0', minute = '00', second = '00'] = timed.exec(plain) ?? [];
  // An hour that is written in another way is none of ours: whoever checks it says how.
  if (date === undefined && whole.exec(plain)?.[4] !== undefined) return { text: typed };
  const day = dayRead(date ?? typed);
  return 'asks' in day || !isDay(day.text) ? day : { text: `${day.text} ${hour.padStart(2, '0')}:${minute}:${second}` };
}

/** A number in digits of any width, with separators between them. */
const numberRead = (typed: string) =>
  wide(typed)
    .replace(/(?<=\d)[,\s](?=\d)/g, '')
    .replace(/^\u2212/, '-');

/** A cell as its column means it; what is none of that stays as typed, for whoever checks it. */
export function readCell(kind: CellKind | undefined, typed: string): CellRead {
  if (typed === '' || kind === undefined) return { text: typed };
  if (kind === 'day') return dayRead(typed);
  if (kind === 'moment') return momentRead(typed);
  if (kind === 'number') return { text: numberRead(typed) };
  if (kind === 'money') return { text: String(moneyRead(typed) ?? typed) };
  if (kind === 'phone') return { text: telephoneOf(typed) };
  return { text: wide(typed) };
}
