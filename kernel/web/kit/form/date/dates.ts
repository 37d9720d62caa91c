import { isDay } from '#kernel/contract/shapes.ts';

/** The kind of a date field, by the name of the browser's input type. */
export type DateKind = 'date' | 'datetime-local' | 'time' | 'month';

/** The format of each kind, shown in an empty field. */
export const patterns: Readonly<Record<DateKind, { hint: string; length: number }>> = {
  date: { hint: '年-月-日', length: 10 },
  'datetime-local': { hint: '年-月-日 时:分', length: 16 },
  time: { hint: '时:分', length: 5 },
  month: { hint: '年-月', length: 7 },
};

const day = String.raw`(\d{4})(?:[-/.年]\s*(\d{1,2})[-/.月]\s*(\d{1,2})日?|(\d{2})(\d{2}))`;
const clock = String.raw`(\d{1,2})[:：时](\d{2})(?::\d{2}|分)?`;
const forms: Readonly<Record<DateKind, RegExp>> = {
  date: new RegExp(`^${day}$`),
  'datetime-local': new RegExp(String.raw`^${day}[\sT]*${clock}$`),
  time: new RegExp(`^${clock}$`),
  month: /^(\d{4})(?:[-/.年]\s*(\d{1,2})月?|(\d{2}))$/,
};

/** Parses typed text to the value that the browser's own field would give; null if it is no date. */
export function readDate(kind: DateKind, text: string): string | null {
  const found = forms[kind]
    .exec(text.trim())
    ?.slice(1)
    .filter((part) => part !== undefined);
  if (!found) return null;
  const clocked = kind === 'time' || kind === 'datetime-local' ? found.splice(-2) : [];
  const [date, time] = [found.map(twoDigits).join('-'), clocked.map(twoDigits).join(':')];
  if (date !== '' && !isDay(kind === 'month' ? `${date}-01` : date)) return null;
  if (time !== '' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) return null;
  return [date, time].filter((part) => part !== '').join('T');
}
const twoDigits = (part: string) => part.padStart(2, '0');
/** The text of a value in its field: `2026-11-20 14:00`. */
export const shownDate = (kind: DateKind, value: string): string =>
  readDate(kind, value) === null ? value : value.slice(0, patterns[kind].length).replace('T', ' ');
