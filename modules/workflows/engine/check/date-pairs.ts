import { isDay } from '#kernel/contract/shapes.ts';
import type { FieldType } from '../codes.ts';
import { fieldType, isNumberType } from '../codes.ts';

/** What of a field says that it hangs on dates. */
interface Paired {
  key: string;
  type: FieldType;
  not_before?: string | undefined;
  days_between?: { readonly from: string; readonly to: string } | undefined;
}
type Values = (key: string) => unknown;

export const isDated = (type: number): boolean => type === fieldType.date || type === fieldType.datetime;
export const isNumber = isNumberType;

const dayOf = (value: unknown) => (typeof value === 'string' && isDay(value.slice(0, 10)) ? value.slice(0, 10) : null);

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

/** What the days between two dates make of a field; null for any other field, or as long as a date is missing. */
export const countedDays = ({ days_between: days }: Pick<Paired, 'days_between'>, valueOf: Values): number | null =>
  days ? daysOf(valueOf(days.from), valueOf(days.to)) : null;

/** What is wrong with a field beside the dates of others; null where nothing is. */
export function pairFault(field: Paired, valueOf: Values, nameOf: (key: string) => string): string | null {
  const value = valueOf(field.key);
  if (field.not_before && isBefore(value, valueOf(field.not_before))) return `不能早于“${nameOf(field.not_before)}”`;
  const most = countedDays(field, valueOf);
  if (most === null || !field.days_between || typeof value !== 'number' || value <= most) return null;
  return `“${nameOf(field.days_between.from)}”到“${nameOf(field.days_between.to)}”共 ${most} 天，不能填 ${value} 天`;
}
