import { isDay } from '#kernel/contract/shapes.ts';
import type { FieldType } from '../codes.ts';
import { fieldType, isNumberType } from '../codes.ts';

/** Between which dates the days are counted, which fields say the half day that is begun or ended with, and whether but working days are. */
export interface DaysBetween {
  readonly from: string;
  readonly to: string;
  readonly from_half?: string | undefined;
  readonly to_half?: string | undefined;
  readonly working?: boolean | undefined;
}
/** What of a field says that it hangs on dates. */
interface Paired {
  key: string;
  type: FieldType;
  not_before?: string | undefined;
  days_between?: DaysBetween | undefined;
}
type Values = (key: string) => unknown;

export const isDated = (type: number): boolean => type === fieldType.date || type === fieldType.datetime;
export const isNumber = isNumberType;

export const dayOf = (value: unknown) =>
  typeof value === 'string' && isDay(value.slice(0, 10)) ? value.slice(0, 10) : null;

/** Whether a date comes before the one it must not; a day against a time of the same day does not. */
export function isBefore(end: unknown, start: unknown): boolean {
  if (typeof end !== 'string' || typeof start !== 'string' || !dayOf(end) || !dayOf(start)) return false;
  const length = Math.min(end.length, start.length, 16);
  return end.replace('T', ' ').slice(0, length) < start.replace('T', ' ').slice(0, length);
}

/** Days from one date to another, both counted; null where one is missing or they stand the other way round. */
export function daysOf(from: unknown, to: unknown): number | null {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (!first || !last || last < first) return null;
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
}

const single: readonly number[] = [fieldType.radio, fieldType.select];
/** Whether a field or a column says whether it is the morning or the afternoon. */
export const saysHalfDay = ({ type, choices }: { type: number; choices: readonly { value: string }[] }): boolean =>
  single.includes(type) && ['am', 'pm'].every((half) => choices.some(({ value }) => value === half));

/** Keys of the fields that the days between two dates hang on. */
export const datesOf = ({ from, to, from_half, to_half }: DaysBetween): string[] =>
  [from, to, from_half, to_half].filter((key) => key !== undefined);

/**
 * What is wrong with a field beside the dates of others; null where nothing is. Of days that somebody sends only what cannot be is
 * refused: how many there are, the dates say.
 */
export function pairFault(field: Paired, valueOf: Values, nameOf: (key: string) => string): string | null {
  const value = valueOf(field.key);
  if (field.not_before && isBefore(value, valueOf(field.not_before))) return `不能早于“${nameOf(field.not_before)}”`;
  const days = field.days_between;
  if (!days || typeof value !== 'number') return null;
  if (value <= 0) return `不能是 ${value} 天，请检查“${nameOf(days.from)}”和“${nameOf(days.to)}”`;
  const most = daysOf(valueOf(days.from), valueOf(days.to));
  if (most === null || value <= most) return null;
  return `“${nameOf(days.from)}”到“${nameOf(days.to)}”共 ${most} 天，不能填 ${value} 天`;
}
