import { Checkbox, Radio, Rate } from 'antd';
import { fileKinds } from '#kernel/contract/upload.ts';
import { FieldInput, type FieldControl, type FormField, type NamedField } from '#kernel/web/kit/form/FieldInput.tsx';
import { MoneyInput } from '#kernel/web/kit/form/MoneyInput.tsx';
import { FilesField } from '#modules/platform/files/widgets.tsx';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { fieldType, isNumberType, isWholeType } from '../../engine/codes.ts';
import type { FieldItem } from '../../contract/shapes.ts';
import { choiceTree } from '../../engine/fields/choice-tree.ts';
import { DateRangeInput } from './DateRangeInput.tsx';
import { FieldValue } from './FieldValue.tsx';
import { LazyRegionInput } from './path/LazyRegionInput.tsx';
import { PathInput } from './path/PathInput.tsx';
import { PersonField } from './PersonField.tsx';
import { PlaceInput } from './PlaceInput.tsx';
import { RecordsField } from './RecordsField.tsx';
import { TableEdit } from './table/TableEdit.tsx';

const kinds: Partial<Record<number, FormField['kind']>> = {
  [fieldType.string]: 'text',
  [fieldType.phone]: 'text',
  [fieldType.identity]: 'text',
  [fieldType.int]: 'number',
  [fieldType.float]: 'number',
  [fieldType.bool]: 'switch',
  [fieldType.date]: 'date',
  [fieldType.datetime]: 'datetime-local',
  [fieldType.select]: 'select',
  [fieldType.multiSelect]: 'select',
  [fieldType.textarea]: 'textarea',
  [fieldType.richtext]: 'textarea',
};

interface Props {
  item: FieldItem;
  control: FieldControl;
  /** The present form, for dependencies on other fields. */
  values?: Readonly<Record<string, unknown>>;
  /** The ticket's workflow. */
  workflow?: number | undefined;
}
const accepted = ['jpeg', ...fileKinds].map((kind) => `.${kind}`).join(',');

/** The control of a writable form field. */
export function FieldEdit({ item, control, values = {}, workflow }: Props) {
  const { id, value, onChange, disabled } = control;
  if (item.field_attribute === 1) return <FieldValue item={{ ...item, field_value: value ?? null }} />;
  switch (item.field_type_id) {
    case fieldType.radio:
      return (
        <Radio.Group
          id={id}
          disabled={disabled}
          value={value}
          options={item.choices}
          aria-label={item.field_name}
          onChange={(event) => onChange?.(event.target.value)}
        />
      );
    case fieldType.checkbox:
      return (
        <Checkbox.Group
          disabled={disabled}
          value={(value as string[] | null) ?? []}
          options={item.choices}
          onChange={onChange}
        />
      );
    case fieldType.dateRange:
      return <DateRangeInput control={control} label={item.field_name} />;
    case fieldType.place:
      return <PlaceInput item={item} control={control} workflow={workflow} />;
    case fieldType.region:
      return (
        <LazyRegionInput
          control={control}
          label={item.field_name}
          placeholder={item.placeholder}
          levels={item.max ?? 3}
        />
      );
    case fieldType.cascade:
      return (
        <PathInput
          control={control}
          label={item.field_name}
          placeholder={item.placeholder}
          nodes={choiceTree(item.choices)}
        />
      );
    case fieldType.money:
      return <MoneyInput {...control} />;
    case fieldType.rating:
      return (
        <Rate
          aria-label={item.field_name}
          count={item.max ?? 5}
          disabled={disabled ?? false}
          value={typeof value === 'number' ? value : 0}
          onChange={(stars) => onChange?.(stars || undefined)}
        />
      );
    case fieldType.user:
    case fieldType.users:
      return <PersonField item={item} control={control} />;
    case fieldType.dept:
      return <DeptPicker {...(control as object)} />;
    case fieldType.depts:
      return <DeptPicker multiple {...(control as object)} />;
    case fieldType.file:
    case fieldType.image:
      return (
        <FilesField
          control={control}
          label={item.field_name}
          module="tickets"
          accept={item.field_type_id === fieldType.image ? 'image/*' : accepted}
          known={item.field_files}
          max={item.max ?? 20}
        />
      );
    case fieldType.records:
      return <RecordsField item={item} control={control} />;
    case fieldType.table:
      return (
        <TableEdit
          item={item}
          control={control}
          workflow={workflow}
          cell={(column, inner, row) => <FieldEdit item={column} control={inner} values={row} />}
        />
      );
    default:
      return <FieldInput field={fieldOf(item)} rule={ruleOf(item)} control={control} values={values} />;
  }
}

function fieldOf(item: FieldItem): NamedField {
  return {
    name: item.field_key,
    label: item.field_name,
    kind: kinds[item.field_type_id] ?? 'text',
    placeholder: item.placeholder,
    ...(item.not_before ? { notBefore: item.not_before } : {}),
    ...(item.choices.length > 0 ? { options: item.choices } : {}),
    multiple: item.field_type_id === fieldType.multiSelect,
  };
}

function ruleOf(item: FieldItem) {
  const number = isNumberType(item.field_type_id);
  const max = number ? item.max : item.max_length;
  return {
    required: item.field_attribute === 2,
    type: 'other' as const,
    ...(max === null ? {} : { max }),
    ...(item.min === null ? {} : { min: item.min }),
    integer: isWholeType(item.field_type_id),
  };
}
