import { fieldAccess, isShownOnly } from './codes.ts';
import { fieldsOf } from './condition.ts';
import { datesOf } from './check/date-pairs.ts';
import { columnsReadBy, isComputed, readBy, sourcesOf, type Formula } from './formula/formula.ts';
import { marked, valueWithin, within, type Right } from './fields/rights.ts';
import type { Column, Field } from './definition.ts';
import type { FieldItem } from '../contract/shapes.ts';

function shapeOf(field: Field | Column) {
  return {
    field_key: field.key,
    field_name: field.name,
    field_type_id: field.type,
    description: field.description,
    placeholder: field.placeholder,
    field_template: field.template,
    default_value: field.default_value,
    field_choice: Object.fromEntries(field.choices.map((choice) => [choice.value, choice.label])),
    choices: [...field.choices],
    boolean_field_display: { '1': field.boolean_display.yes, '0': field.boolean_display.no },
    max_length: field.max_length ?? null,
    min: field.min ?? null,
    max: field.max ?? null,
    decimals: field.decimals,
    label: field.label,
    not_before: field.not_before ?? null,
    days_between: field.days_between ?? null,
    module: field.module ?? null,
    position: field.position,
    formula: field.formula ?? null,
    shown_when: field.shown_when ?? null,
    required_when: field.required_when ?? null,
  };
}

/** A field of the form on the wire, for a person with this right; `display` is the text of users and choices. */
export function fieldItem(field: Field, order: number, right: Right, value: unknown, display: string): FieldItem {
  const { columns } = within(field, right.columns);
  return {
    ...shapeOf(field),
    field_value: marked(field, right, valueWithin(field, right.columns, value)),
    field_display: display,
    field_files: [],
    field_people: {},
    field_attribute: isComputed(field) || isShownOnly(field.type) ? fieldAccess.read : shownAs(right.access),
    order_id: order,
    columns: columns.map((column) => ({
      ...shapeOf(column),
      field_attribute: isComputed(column) ? fieldAccess.read : shownAs(right.columns.get(column.key)),
    })),
    max_rows: field.columns.length > 0 ? field.max_rows : null,
  };
}

const shownAs = (access: Right['access'] | undefined) =>
  access === undefined || access === fieldAccess.hidden ? fieldAccess.read : access;

/** The fields one person sees, without dependencies on fields and columns they do not see: the server computes these. */
export function withinSight<I extends FieldItem>(items: readonly I[]): I[] {
  const seen = new Map(items.map((item) => [item.field_key, new Set(item.columns.map((column) => column.field_key))]));
  const all = (keys: readonly string[]) => keys.every((key) => seen.has(key));
  const known = (formula: Formula) =>
    all(readBy(formula)) && columnsReadBy(formula).every(([table, column]) => seen.get(table)?.has(column));
  return items.map((item) => ({
    ...item,
    columns: item.columns.map((column) => {
      const beside = seen.get(item.field_key);
      const within = sourcesOf(column).every((key) => beside?.has(key));
      return within ? column : { ...column, formula: null, days_between: null };
    }),
    days_between: all(item.days_between ? datesOf(item.days_between) : []) ? item.days_between : null,
    formula: item.formula && known(item.formula) ? item.formula : null,
    shown_when: item.shown_when && all(fieldsOf(item.shown_when)) ? item.shown_when : null,
    required_when: item.required_when && all(fieldsOf(item.required_when)) ? item.required_when : null,
  }));
}
