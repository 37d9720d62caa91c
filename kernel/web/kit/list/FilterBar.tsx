import { Button, Input, Select } from 'antd';
import { Fragment, useState, type ReactNode } from 'react';

export interface ListFilter {
  /** Query key of the call. */
  key: string;
  label: string;
  kind: 'select' | 'text' | 'date' | 'own';
  options?: { value: string; label: string }[];
  /** Shown at once; the others open under 更多筛选. */
  often?: boolean;
  /** Keys of filters that mean nothing any more when this one changes. */
  drops?: readonly string[];
  /** It says the order of the rows, instead of a column. */
  sorts?: boolean;
  /** Draws one of its own kind; `open` while all filters are shown. */
  render?: (field: { value: string; open: boolean; set: (value: string) => void }) => ReactNode;
}

interface Props {
  filters: readonly ListFilter[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** Filters of a list. Dates use the browser's own field, which a keyboard can operate. */
export function FilterBar({ filters, values, onChange }: Props) {
  const [more, setMore] = useState(false);
  const set = ({ key, drops = [] }: ListFilter, value: string | undefined) =>
    onChange({ ...values, ...Object.fromEntries(drops.map((gone) => [gone, ''])), [key]: value ?? '' });
  const shown = filters.filter((filter) => filter.often || more || values[filter.key]);
  const used = filters.filter((filter) => values[filter.key]).length;
  return (
    <>
      {shown.map((filter) =>
        filter.kind === 'own' ? (
          <Fragment key={filter.key}>
            {filter.render?.({
              value: values[filter.key] ?? '',
              open: more,
              set: (value) => set(filter, value),
            })}
          </Fragment>
        ) : filter.kind === 'select' ? (
          <Select
            key={filter.key}
            className="kit-filter"
            aria-label={filter.label}
            placeholder={filter.label}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            options={filter.options}
            value={values[filter.key] || undefined}
            onChange={(value) => set(filter, value)}
          />
        ) : (
          <Input
            key={filter.key}
            className={filter.kind === 'date' ? 'kit-filter kit-filter-date' : 'kit-filter'}
            type={filter.kind}
            // A date field shows no placeholder.
            prefix={filter.kind === 'date' && <span className="kit-muted">{filter.label}</span>}
            aria-label={filter.label}
            title={filter.label}
            placeholder={filter.label}
            allowClear
            defaultValue={values[filter.key]}
            onBlur={(event) => event.target.value !== (values[filter.key] ?? '') && set(filter, event.target.value)}
            onPressEnter={(event) => set(filter, event.currentTarget.value)}
          />
        ),
      )}
      {filters.some((filter) => !filter.often) && (
        <Button type="text" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? '收起筛选' : '更多筛选'}
        </Button>
      )}
      {used > 0 && (
        <Button type="text" onClick={() => onChange({})}>
          清除 {used} 项筛选
        </Button>
      )}
    </>
  );
}
