import type { core } from 'zod';
import { moneyText } from '#kernel/contract/money/money.ts';
import { elementOf, shapeOf } from '../../form/rules.ts';
import { headingOf, metaOf, shownAs } from '#kernel/contract/titles.ts';
import type { ListCall } from '../list-call.ts';
import type { ListColumn } from './columns.ts';

type Schema = core.$ZodType;
/** A field's column in the list; its title comes from the schema. */
export interface FieldColumn<Row> extends Omit<ListColumn<Row>, 'key' | 'title' | 'show'> {
  /** The heading of a column that shows more than its field: 起止, under the day it ends. */
  heading?: string;
}

/**
 * The columns of a list by the names of the row's fields, in order: `{ name: { main: true }, amount: { sort: true } }`. Titles, alignment and labels
 * of values come from the row's schema (`.meta(field(…))`, `.meta(coded(…))`); the page sets widths and hidden columns, and renders only what is
 * special. A column computed from several fields stands beside them, with a title of its own.
 */
export function listColumns<Row>(
  row: core.$ZodType<Row>,
  columns: { readonly [K in keyof Row & string]?: FieldColumn<Row> },
): ListColumn<Row>[] {
  const fields = shapeOf(row);
  return Object.entries<FieldColumn<Row>>(columns as Record<string, FieldColumn<Row>>).map(([key, column]) =>
    fieldColumn(key, fields[key], column),
  );
}

/** The column of a field, from its schema and the page's settings. */
export function fieldColumn<Row>(
  key: string,
  field: Schema | undefined,
  { heading, ...own }: FieldColumn<Row>,
): ListColumn<Row> {
  if (!field) return { key, title: heading ?? key, ...own };
  const { kind, options } = metaOf(field);
  const money = kind === 'money';
  return {
    key,
    title: heading ?? headingOf(field) ?? key,
    ...(!own.render && {
      show: money ? (value: unknown) => moneyText(Number(value)) : shownAs(field),
      number: money || (!options && isNumber(field)),
    }),
    ...own,
  };
}

/** The schema of a list's row, whatever its reply is wrapped in. */
export function rowOf<Row>({ path, reply }: ListCall<Row>): core.$ZodType<Row> {
  const row = elementOf(shapeOf(reply)['value']);
  if (!row) throw new TypeError(`${path} answers no list`);
  return row as core.$ZodType<Row>;
}

function isNumber(schema: Schema): boolean {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: Schema };
  return type === 'number' || (innerType !== undefined && isNumber(innerType));
}
