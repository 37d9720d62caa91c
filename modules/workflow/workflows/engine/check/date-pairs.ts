import { daysBetween } from '#kernel/contract/moment.ts';
import { isDay } from '#kernel/contract/shapes.ts';
import type { FieldType } from '../codes.ts';
import { fieldType, isNumberType } from '../codes.ts';

/** The two dates, the fields for a half day at the beginning and the end, and whether only working days count. */
export interface DaysBetween {
  readonly from: string;
  readonly to: string;
  readonly from_half?: string | undefined;
  readonly to_half?: string | undefined;
  readonly working?: boolean | undefined;
}
/** The parts of a field that make it depend on dates. */
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

/** True if a date precedes the one it must not precede; a day does not precede a time on the same day. */
export function isBefore(end: unknown, start: unknown): boolean {
  if (typeof end !== 'string' || typeof start !== 'string' || !dayOf(end) || !dayOf(start)) return false;
  const length = Math.min(end.length, start.length, 16);
  return end.replace('T', ' ').slice(0, length) < start.replace('T', ' ').slice(0, length);
}

/** Days from one date to another, both included; null if one is missing or they are in the wrong order. */
export function daysOf(from: unknown, to: unknown): number | null {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (!first || !last || last < first) return null;
  return daysBetween(first, last) + 1;
}

const single: readonly number[] = [fieldType.radio, fieldType.select];
/** True if a field or a column distinguishes morning and afternoon. */
export const saysHalfDay = ({ type, choices }: { type: number; choices: readonly { value: string }[] }): boolean =>
  single.includes(type) && ['am', 'pm'].every((half) => choices.some(({ value }) => value === half));

/** Keys of the fields on which the days between two dates depend. */
export const datesOf = ({ from, to, from_half, to_half }: DaysBetween): string[] =>
  [from, to, from_half, to_half].filter((key) => key !== undefined);

/**
 * The fault of a field that depends on others' dates; null if none. Days that are sent are refused only if impossible: their number follows from the
 * dates.
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
