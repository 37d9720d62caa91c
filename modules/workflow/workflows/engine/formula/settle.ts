import { fieldType } from '../codes.ts';
import { isEmpty, type Condition } from '../condition.ts';
import { rounded, holds, usualBudget, valueOf, type Budget, type Known, type Works } from './evaluate.ts';
import type { DaysBetween } from '../check/date-pairs.ts';
import { daysBetween } from './days-between.ts';
import { hasPart, isComputed, readBy, sourcesOf, type Formula } from './formula.ts';

/** What of a field or a column says how it hangs on others. */
export interface Computed {
  key: string;
  type: number;
  decimals: number;
  formula?: Formula | null | undefined;
  days_between?: DaysBetween | null | undefined;
  shown_when?: Condition | null | undefined;
  required_when?: Condition | null | undefined;
  columns?: readonly Computed[];
}
type Values = Readonly<Record<string, unknown>>;
export interface Settled {
  values: Values;
  /** Keys of fields that are not shown, and of those that must be filled in by their own condition. */
  hidden: ReadonlySet<string>;
  required: ReadonlySet<string>;
}

/**
 * A form as it stands after somebody wrote into it: everything computed anew, what is not shown emptied where `clears` says so. The
 * browser and the server ask this same function, and the server's answer is what is kept.
 */
export function settleForm(
  fields: readonly Computed[],
  form: Values,
  clears: (key: string) => boolean,
  works?: Works,
  standing: Values = {},
): Settled {
  const budget = { left: usualBudget, works };
  const conditional = fields.some((field) => field.shown_when || field.required_when);
  let values = withComputed(fields, form, budget, standing);
  if (!conditional) return { values, hidden: new Set(), required: new Set() };
  const unshown = fields.filter((field) => field.shown_when && !holds(field.shown_when, values, budget));
  const hidden = new Set(unshown.map((field) => field.key));
  const cleared = [...hidden].filter((key) => clears(key) && !isEmpty(values[key]));
  if (cleared.length > 0) {
    const left = { ...values, ...Object.fromEntries(cleared.map((key) => [key, null])) };
    values = withComputed(fields, left, budget, countedBefore(fields, standing, cleared));
  }
  const asked = fields.filter((field) => field.required_when && holds(field.required_when, values, budget));
  return { values, hidden, required: new Set(asked.map((field) => field.key)) };
}

/**
 * What was counted by the calendar and hangs on nothing that is written now: it stands as it was, whatever has become of the calendar since
 * somebody asked for it.
 */
export function countedBefore(fields: readonly Computed[], form: Values, written: readonly string[]): Values {
  const moved = new Set(written);
  const hangs = (field: Computed, seen: readonly string[] = []): boolean =>
    sourcesOf(field).some((key) => {
      const source = fields.find((one) => one.key === key);
      return moved.has(key) || (source && isComputed(source) && !seen.includes(key) && hangs(source, [...seen, key]));
    });
  const stands = fields.filter(
    (field) =>
      countsWorkdays([field]) &&
      !isEmpty(form[field.key]) &&
      !(isComputed(field) ? hangs(field) : moved.has(field.key)),
  );
  return Object.fromEntries(stands.map(({ key }) => [key, form[key]]));
}

/** Whether some field or column needs to know which days are worked. */
export const countsWorkdays = (fields: readonly Computed[]): boolean =>
  fields.some(
    ({ formula, days_between, columns = [] }) =>
      days_between?.working || (formula && hasPart(formula, ({ op }) => op === 'workdays')) || countsWorkdays(columns),
  );

/** The values between which working days are counted, of fields and of the rows of tables. */
export const countedDates = (fields: readonly Computed[], values: Values): unknown[] =>
  fields.flatMap(({ key, formula, days_between: days, columns = [] }) => {
    const rows = columns.length > 0 ? values[key] : null;
    const named = formula ? readForWorkdays(formula) : days?.working ? [days.from, days.to] : [];
    return [
      ...named.map((one) => values[one]),
      ...(Array.isArray(rows) ? rows.flatMap((row) => countedDates(columns, row as Values)) : []),
    ];
  });

/** Keys of the fields that a formula reads in order to count working days. */
function readForWorkdays(formula: Formula): string[] {
  if (formula.op === 'workdays') return readBy(formula);
  return 'of' in formula ? formula.of.flatMap(readForWorkdays) : [];
}

/** A row with its computed columns. */
export function withRow(columns: readonly Computed[], row: Values, budget: Budget = { left: usualBudget }): Values {
  return withComputed(columns, row, budget);
}

function withComputed(fields: readonly Computed[], form: Values, budget: Budget, standing: Values = {}): Values {
  const values: Record<string, unknown> = { ...form, ...standing };
  const anew = fields.filter(({ key }) => !Object.hasOwn(standing, key));
  for (const { key, columns = [] } of anew) {
    const rows = Object.hasOwn(values, key) ? values[key] : null;
    if (Array.isArray(rows) && columns.some(isComputed))
      values[key] = rows.map((row) => withRow(columns, row as Values, budget));
  }
  const open = new Map(anew.flatMap((field) => (isComputed(field) ? [[field.key, field] as const] : [])));
  const compute = (field: Computed): void => {
    // One that hangs on itself finds itself gone already, and its old value out of the way.
    open.delete(field.key);
    values[field.key] = null;
    for (const key of sourcesOf(field)) {
      const other = open.get(key);
      if (other) compute(other);
    }
    const { formula, days_between: days } = field;
    const found = formula ? valueOf(formula, values, budget) : daysBetween(days!, values, budget);
    const value = fitted(field, found);
    if (value === null) delete values[field.key];
    else values[field.key] = value;
  };
  // Computing one computes those it hangs on, which leave the list as it is walked.
  for (const field of open.values()) compute(field);
  return values;
}

/** What a formula comes to, as the field holds it; null where it does not fit. */
function fitted({ type, decimals }: Computed, value: Known): Known {
  if (value === null) return null;
  switch (type) {
    case fieldType.int:
    case fieldType.float:
    case fieldType.money:
      return typeof value === 'number' ? rounded(value, type === fieldType.int ? 0 : decimals) : null;
    case fieldType.date:
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
    default:
      return String(value);
  }
}
