import type { FieldAccess } from './codes.ts';
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
    field_attribute: access,
    order_id: order,
    columns: field.columns.map((column) => ({ ...shapeOf(column), required: column.required })),
    max_rows: field.columns.length > 0 ? field.max_rows : null,
  };
}
