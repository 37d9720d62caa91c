import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { PersonPicker } from '#modules/people/widgets.tsx';
import { fieldType } from '#modules/workflows/engine/codes.ts';
import type { FieldItem } from '#modules/workflows/contract/shapes.ts';

/** Picks the person or the people of a form field; its value is user names. */
export function PersonField({ item, control }: { item: FieldItem; control: FieldControl }) {
  const { value, ...rest } = control;
  const common = { ...rest, known: knownOf(item), ...(item.placeholder ? { placeholder: item.placeholder } : {}) };
  return item.field_type_id === fieldType.users ? (
    <PersonPicker {...common} multiple value={(value as string[] | undefined) ?? []} />
  ) : (
    <PersonPicker {...common} value={value as string | undefined} />
  );
}

/** Those the field, or the table it is a column of, holds already. */
function knownOf({ field_people }: FieldItem) {
  return Object.entries(field_people).map(([username, alias]) => ({
    id: 0,
    username,
    alias,
    dept_id: null,
    dept_name: '',
  }));
}
