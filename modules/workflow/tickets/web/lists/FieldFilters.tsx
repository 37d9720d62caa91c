import { Select } from 'antd';
import { PersonPicker } from '#modules/platform/people/widgets.tsx';
import { LazyRegionPick } from '#modules/workflow/workflows/widgets.tsx';
import type { FieldFilter } from '#modules/workflow/workflows/contract.ts';
import { mostFields, read, written, type Asked, type Wanted } from './field-query.ts';
import { TypedFilter } from './TypedFilter.tsx';

interface Props {
  fields: readonly FieldFilter[];
  /** The filters as in the address. */
  value: string;
  /** Shows unused filters too. */
  open: boolean;
  onChange: (value: string) => void;
}

/** Filters by the fields of a form, each with an input for its kind. */
export default function FieldFilters({ fields, value, open, onChange }: Props) {
  const asked = read(value);
  const put = (key: string, wanted: Wanted | null) => onChange(written({ ...asked, [key]: wanted }));
  // The address only contains filters in use.
  const full = Object.keys(asked).length >= mostFields;
  return (
    <>
      {fields
        .filter(({ field_key }) => field_key in asked || (open && !full))
        .map((field) => (
          <FieldInput
            key={field.field_key}
            field={field}
            wanted={asked[field.field_key]}
            onChange={(wanted) => put(field.field_key, wanted)}
          />
        ))}
      {full && open && fields.length > mostFields && (
        <span className="kit-muted" role="status">
          最多同时按 {mostFields} 个字段筛选，清除一个后可换别的
        </span>
      )}
    </>
  );
}

interface InputProps {
  field: FieldFilter;
  wanted: Asked[string] | undefined;
  onChange: (wanted: Wanted | null) => void;
}

function FieldInput({ field, wanted, onChange }: InputProps) {
  const { field_name: name, filter } = field;
  const single = typeof wanted === 'object' || wanted == null ? '' : String(wanted);
  switch (filter) {
    case 'text':
      return <TypedFilter label={name} type="text" value={single} onChange={(text) => onChange(text || null)} />;
    case 'choice':
      return (
        <Select
          className="kit-filter"
          aria-label={name}
          placeholder={name}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          options={field.choices}
          value={single || undefined}
          onChange={(value: string | undefined) => onChange(value ?? null)}
        />
      );
    case 'region':
      return (
        <span className="kit-filter">
          <LazyRegionPick label={name} value={single} onChange={onChange} />
        </span>
      );
    case 'person':
      return (
        <span className="kit-filter">
          <PersonPicker
            aria-label={name}
            placeholder={name}
            value={single}
            onChange={(username) => onChange(username ?? null)}
          />
        </span>
      );
    default:
      return <Range name={name} kind={filter} wanted={wanted} onChange={onChange} />;
  }
}

interface RangeProps {
  name: string;
  kind: 'number' | 'date' | 'datetime';
  wanted: Asked[string] | undefined;
  onChange: (wanted: Wanted | null) => void;
}

function Range({ name, kind, wanted, onChange }: RangeProps) {
  // A single value, from an address written by hand, is a range of one.
  const one = wanted ?? undefined;
  const range = typeof one === 'object' ? one : { gte: one, lte: one };
  const shown = (end: 'gte' | 'lte') => String(range[end] ?? '').slice(0, kind === 'datetime' ? 10 : 30);
  const put = (end: 'gte' | 'lte', text: string) => {
    const times = { gte: '00:00:00', lte: '23:59:59' };
    const bound = text === '' ? undefined : kind === 'number' ? Number(text) : text;
    onChange({ ...range, [end]: kind === 'datetime' && bound !== undefined ? `${bound} ${times[end]}` : bound });
  };
  const type = kind === 'number' ? 'number' : 'date';
  return (
    <>
      <TypedFilter label={`${name} 从`} type={type} value={shown('gte')} onChange={(text) => put('gte', text)} />
      <TypedFilter label={`${name} 到`} type={type} value={shown('lte')} onChange={(text) => put('lte', text)} />
    </>
  );
}
