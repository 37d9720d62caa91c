import { Select } from 'antd';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { fieldsOf } from '#kernel/web/kit/form/fields.ts';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { albums } from '../contract/albums.ts';
import { PhotoChange, type PhotoDetail } from '../contract/shapes.ts';

const words = (name: string): Partial<FormField> => ({
  name,
  render: ({ id, value, onChange }) => (
    <Select
      id={id}
      mode="tags"
      maxCount={20}
      open={false}
      placeholder="输入后回车"
      value={value as string[]}
      onChange={onChange}
    />
  ),
});
const seen = (values: Record<string, unknown>) => Boolean(values['faces']);
const { version: _version, ...shape } = PhotoChange.shape;

/** The descriptive fields of a photo. */
export const photoFields: FormField[] = fieldsOf(shape, {
  category_id: { render: (control) => <CategoryPicker {...(control as object)} call={albums.list} /> },
  taken_at: { kind: 'datetime-local' },
  tags: words('tags'),
  people: words('people'),
  consent: { when: seen },
  consent_until: { kind: 'date', when: seen },
});

/** The form values of a photo. */
export const valuesOf = (row: PhotoDetail) => ({ ...row, taken_at: row.taken_at?.slice(0, 16).replace(' ', 'T') });
