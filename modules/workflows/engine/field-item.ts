import { fieldAccess, fieldType, type FieldAccess } from './codes.ts';
import { fieldsOf } from './condition.ts';
import { readBy } from './formula/formula.ts';
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
    formula: field.formula ?? null,
    shown_when: field.shown_when ?? null,
    required_when: field.required_when ?? null,
  };
}

/** A field of the form on the wire; `display` is the shown text of users and choices. */
export function fieldItem(
  field: Field,
  order: number,
  access: Exclude<FieldAccess, 4>,
  value: unknown,
  display: string,
): FieldItem {
  return {
    ...shapeOf(field),
    field_value: value,
    field_display: display,
    field_files: [],
    field_people: {},
    field_attribute: field.formula || field.type === fieldType.note ? fieldAccess.read : access,
    order_id: order,
    columns: field.columns.map((column) => ({ ...shapeOf(column), required: column.required })),
    max_rows: field.columns.length > 0 ? field.max_rows : null,
  };
}

/** The fields one person sees, without what hangs on fields they do not see: that is the server's to work out. */
export function withinSight<I extends FieldItem>(items: readonly I[]): I[] {
  const seen = new Set(items.map((item) => item.field_key));
  const all = (keys: readonly string[]) => keys.every((key) => seen.has(key));
  return items.map((item) => ({
    ...item,
    formula: item.formula && all(readBy(item.formula)) ? item.formula : null,
    shown_when: item.shown_when && all(fieldsOf(item.shown_when)) ? item.shown_when : null,
    required_when: item.required_when && all(fieldsOf(item.required_when)) ? item.required_when : null,
  }));
}
