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

/** Names of those the field holds already, which come as one text in the order of the value. */
function knownOf(item: FieldItem) {
  const usernames = [item.field_value].flat().filter((name) => typeof name === 'string');
  const aliases = item.field_display.split('、');
  if (aliases.length !== usernames.length) return [];
  return usernames.map((username, index) => ({
    id: 0,
    username,
    alias: aliases[index] ?? username,
    dept_id: null,
    dept_name: '',
  }));
}
