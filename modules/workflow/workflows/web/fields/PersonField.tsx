import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { fieldType } from '../../engine/codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { PeopleField } from './PeopleField.tsx';

/** Chooses the people of a form field; its value is user names. */
export function PersonField({ item, control }: { item: FieldItem; control: FieldControl }) {
  const { value, onChange, ...rest } = control;
  const one = item.field_type_id === fieldType.user;
  return (
    <PeopleField
      {...rest}
      {...(item.placeholder ? { placeholder: item.placeholder } : {})}
      known={knownOf(item)}
      one={one}
      value={[value ?? []].flat() as string[]}
      onChange={(names) => onChange?.(one ? names[0] : names)}
    />
  );
}

/** The people the field, or its table, holds already. */
function knownOf({ field_people }: FieldItem) {
  return Object.entries(field_people).map(([username, alias]) => ({
    id: 0,
    username,
    alias,
    dept_id: null,
    dept_name: '',
  }));
}
