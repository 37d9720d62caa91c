import { fieldType } from '../codes.ts';
import { isEmpty, type Condition } from '../condition.ts';
import { rounded, holds, usualBudget, valueOf, type Budget, type Known, type Works } from './evaluate.ts';
import type { DaysBetween } from '../check/date-pairs.ts';
import { daysBetween } from './days-between.ts';
import { hasPart, isComputed, readBy, sourcesOf, type Formula } from './formula.ts';

/** The properties by which a field or a column depends on others. */
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
  /** Keys of hidden fields, and of those required by their own condition. */
  hidden: ReadonlySet<string>;
  required: ReadonlySet<string>;
}

/**
 * A form after somebody wrote into it: everything is recomputed, hidden fields are emptied if `clears` says so. Browser and server use this same
 * function, and the server's result is stored.
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

/** Counts based on the calendar that depend on nothing written now: they stay, even if the calendar has changed since the request. */
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

/** True if some field or column needs to know the working days. */
export const countsWorkdays = (fields: readonly Computed[]): boolean =>
  fields.some(
    ({ formula, days_between, columns = [] }) =>
      days_between?.working || (formula && hasPart(formula, ({ op }) => op === 'workdays')) || countsWorkdays(columns),
  );

/** The values between which working days are counted, in fields and in rows of tables. */
export const countedDates = (fields: readonly Computed[], values: Values): unknown[] =>
  fields.flatMap(({ key, formula, days_between: days, columns = [] }) => {
    const rows = columns.length > 0 ? values[key] : null;
    const named = formula ? readForWorkdays(formula) : days?.working ? [days.from, days.to] : [];
    return [
      ...named.map((one) => values[one]),
      ...(Array.isArray(rows) ? rows.flatMap((row) => countedDates(columns, row as Values)) : []),
    ];
  });

/** Keys of the fields that a formula reads to count working days. */
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
    // A field that depends on itself is already removed, and its old value cleared.
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
  // Computing one field computes those it depends on, which leave the list during the loop.
  for (const field of open.values()) compute(field);
  return values;
}

/** A formula's result as the field stores it; null if it does not fit. */
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
