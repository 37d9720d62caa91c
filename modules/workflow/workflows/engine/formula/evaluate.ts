import { dayMs } from '#kernel/contract/moment.ts';
import { capitals } from '#kernel/contract/money/capitals.ts';
import { maxMoney } from '#kernel/contract/money/money.ts';
import { daysOf } from '../check/date-pairs.ts';
import { evaluate, isEmpty, leavesOf, type Condition } from '../condition.ts';
import type { Formula, Operation } from './formula.ts';

/** The cost limit of settling a form once; beyond it results are unknown. */
export const usualBudget = 60_000;
export interface Budget {
  left: number;
  /** Returns whether a day is worked, null if unknown; without it working days are unknown. */
  works?: Works | undefined;
}
export type Works = (day: string) => boolean | null;
export type Known = number | string | null;
type Values = Readonly<Record<string, unknown>>;

/** Beyond this, numbers are no longer exact. */
const farthest = 1e15;
const longest = 2000;
/** Beyond this number of days, working days are not counted. */
const mostDays = 1100;

/** Rounds half away from zero, by the decimal digits that people see. */
export function rounded(value: number, digits: number): number | null {
  if (!Number.isFinite(value) || Math.abs(value) > farthest) return null;
  if (Number.isInteger(value)) return value === 0 ? 0 : value;
  if (Math.abs(value) < 1e-6) return 0;
  const whole = Math.round(Number(`${Math.abs(value)}e${digits}`));
  // A number written with an exponent has no such digit.
  if (whole >= 1e21) return value;
  const result = Math.sign(value) * Number(`${whole}e${-digits}`);
  return result === 0 ? 0 : result;
}

/** Each step rounds to eight decimals, so that sums of tenths and cents look right. */
const exact = (value: number) => rounded(value, 8);
const numberIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;
const day = /^\d{4}-\d{2}-\d{2}/;

/** The value of a formula. Total: a missing or unsuitable value makes it unknown, never an error. */
export function valueOf(formula: Formula, values: Values, budget: Budget): Known {
  if (--budget.left < 0) return null;
  switch (formula.op) {
    case 'value':
      return formula.value;
    case 'field':
      return knownIn(values, formula.field);
    case 'count':
      return rowsOf(values, formula.table).length;
    case 'begin':
    case 'end':
      return dayIn(values, formula.field, formula.op === 'begin' ? 0 : 1);
    case 'workdays': {
      const [from, to] = formula.of.map((part) => valueOf(part, values, budget));
      return workdaysOf(from, to, budget);
    }
    case 'sum':
      return sumOf(rowsOf(values, formula.table), formula.column, budget);
    case 'if':
      return valueOf(formula.of[holds(formula.when, values, budget) ? 0 : 1]!, values, budget);
    default:
      return combined(
        formula.op,
        formula.of.map((part) => valueOf(part, values, budget)),
      );
  }
}

/** True if a condition on fields alone holds; false if unknown or too costly. */
export function holds(condition: Condition, values: Values, budget: Budget): boolean {
  for (const leaf of leavesOf(condition)) {
    const value = 'field' in leaf && leaf.op === 'contains' ? values[leaf.field] : '';
    budget.left -= 1 + (typeof value === 'string' || Array.isArray(value) ? Math.floor(value.length / 50) : 0);
  }
  return budget.left >= 0 && evaluate(condition, { form: values, dept_path: [], roles: [] }).result;
}

function knownIn(values: Values, key: string): Known {
  const value = Object.hasOwn(values, key) ? values[key] : null;
  if (isEmpty(value)) return null;
  return typeof value === 'string' ? value : numberIn(value);
}

function dayIn(values: Values, key: string, at: 0 | 1): string | null {
  const range = Object.hasOwn(values, key) ? values[key] : null;
  const found: unknown = Array.isArray(range) ? range[at] : null;
  return typeof found === 'string' && day.test(found) ? found.slice(0, 10) : null;
}

/** Working days from one date to another, both included. */
function workdaysOf(from: Known | undefined, to: Known | undefined, budget: Budget): number | null {
  const all = daysOf(from, to);
  if (all === null || all > mostDays || !budget.works) return null;
  budget.left -= Math.ceil(all / 10);
  if (budget.left < 0) return null;
  const first = Date.parse(`${String(from).slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(first)) return null;
  let count = 0;
  for (let at = 0; at < all; at++) {
    const works = budget.works(new Date(first + at * dayMs).toISOString().slice(0, 10));
    if (works === null) return null;
    if (works) count += 1;
  }
  return count;
}

function rowsOf(values: Values, table: string): readonly Values[] {
  const rows = Object.hasOwn(values, table) ? values[table] : null;
  return Array.isArray(rows) ? rows.filter((row) => typeof row === 'object' && row !== null) : [];
}

function sumOf(rows: readonly Values[], column: string, budget: Budget): number | null {
  budget.left -= rows.length;
  if (budget.left < 0) return null;
  return exact(rows.reduce((sum, row) => sum + (numberIn(row[column]) ?? 0), 0));
}

function combined(op: Exclude<Operation, 'workdays'>, of: readonly Known[]) {
  if (op === 'concat') return cut(of.map((one) => one ?? '').join(''));
  const [first, second] = of;
  if (op === 'days') return daysOf(first, second);
  if (op === 'after') return dayAfter(first, second);
  const numbers = of.filter((one) => typeof one === 'number');
  if (numbers.length < of.length) return null;
  const [a = 0, b = 0] = numbers;
  switch (op) {
    case 'add':
      return numbers.reduce<number | null>((sum, one) => (sum === null ? null : exact(sum + one)), 0);
    case 'sub':
      return exact(a - b);
    case 'mul':
      return numbers.reduce<number | null>((product, one) => (product === null ? null : exact(product * one)), 1);
    case 'div':
      return b === 0 ? null : exact(a / b);
    case 'min':
      return Math.min(...numbers);
    case 'max':
      return Math.max(...numbers);
    case 'round':
      return rounded(a, Math.min(6, Math.max(0, Math.trunc(b))));
    case 'capitals': {
      const amount = rounded(a, 2);
      return amount === null || amount < 0 || amount > maxMoney ? null : capitals(amount);
    }
  }
}

/** Never cuts within a character. */
const cut = (text: string) => text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');

function dayAfter(from: Known | undefined, days: Known | undefined): string | null {
  if (typeof from !== 'string' || typeof days !== 'number' || !day.test(from) || Math.abs(days) > 36_500) return null;
  const at = Date.parse(`${from.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(at)) return null;
  const text = new Date(at + Math.trunc(days) * dayMs).toISOString();
  // Years of more than four digits have another format, and are no valid date of a form.
  return day.test(text) ? text.slice(0, 10) : null;
}
