import { Badge, Button, Drawer, Input, Select, Spin } from 'antd';
import { Fragment, Suspense, useState, type ReactNode } from 'react';
import { later } from '../../../later.tsx';
import { useNarrow } from '../../narrow.ts';
import { startOf } from '#kernel/contract/words/periods.ts';

export interface ListFilter {
  /** Query key of the call. */
  key: string;
  /** The label, if it differs from the title in the query or the row. */
  label?: string;
  kind: 'select' | 'text' | 'date' | 'own';
  /** Those of the schema unless given; absent while they are loading. */
  options?: { value: string; label: string }[];
  /** Called when the person opens the filter, so that costly options are queried only then. */
  wanted?: () => void;
  /** Shown at once; other filters open under 更多筛选. */
  often?: boolean;
  /** Keys of filters that become meaningless when this one changes. */
  drops?: readonly string[];
  /** It determines the order of the rows, instead of a column. */
  sorts?: boolean;
  /** Renders a custom filter; `open` while all filters are shown. */
  render?: (field: { value: string; label: string; open: boolean; set: (value: string) => void }) => ReactNode;
}

/** A filter with its label. */
export interface NamedFilter extends ListFilter {
  label: string;
}

interface Props {
  filters: readonly NamedFilter[];
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
}

/** Few lists are filtered by a date. */
const DateInput = later(() => import('../../form/date/DateInput.tsx').then((one) => ({ default: one.DateInput })));

/** The filters of a list; on a phone all behind one button. */
export function FilterBar({ filters, values, onChange }: Props) {
  const [more, setMore] = useState(false);
  const narrow = useNarrow();
  const set = ({ key, drops = [] }: ListFilter, value: string | undefined) =>
    onChange({ ...values, ...Object.fromEntries(drops.map((gone) => [gone, ''])), [key]: value ?? '' });
  const shown = filters.filter((filter) => filter.often || more || values[filter.key]);
  const used = filters.filter((filter) => values[filter.key]).length;
  const clear = used > 0 && (
    <Button type="text" onClick={() => onChange({})}>
      清除 {used} 项筛选
    </Button>
  );
  const fields = (
    <>
      {shown.map((filter) =>
        filter.kind === 'own' ? (
          <Fragment key={filter.key}>
            {filter.render?.({
              value: values[filter.key] ?? '',
              label: filter.label,
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
            notFoundContent={filter.options ? undefined : <Spin size="small" />}
            onFocus={filter.wanted}
            value={values[filter.key] || undefined}
            onChange={(value) => set(filter, value)}
          />
        ) : filter.kind === 'date' ? (
          <DateFilter
            key={filter.key}
            label={filter.label}
            value={values[filter.key] ?? ''}
            min={
              values[
                startOf(
                  filter.key,
                  filters.map(({ key }) => key),
                ) ?? ''
              ]
            }
            onSet={(value) => set(filter, value)}
          />
        ) : (
          <TypedFilter
            key={filter.key}
            label={filter.label}
            value={values[filter.key] ?? ''}
            onSet={(value) => set(filter, value)}
          />
        ),
      )}
    </>
  );
  if (narrow)
    return filters.length === 0 ? null : (
      <>
        <Badge count={used} size="small">
          <Button aria-haspopup="dialog" aria-expanded={more} onClick={() => setMore(true)}>
            筛选
          </Button>
        </Badge>
        <Drawer
          title="筛选"
          placement="bottom"
          size="auto"
          open={more}
          onClose={() => setMore(false)}
          destroyOnHidden
          footer={
            <div className="kit-row kit-filter-foot">
              {clear}
              <Button type="primary" onClick={() => setMore(false)}>
                查看结果
              </Button>
            </div>
          }
        >
          <div className="kit-stack">{fields}</div>
        </Drawer>
      </>
    );
  return (
    <>
      {fields}
      {filters.some((filter) => !filter.often) && (
        <Button type="text" aria-expanded={more} onClick={() => setMore(!more)}>
          {more ? '收起筛选' : '更多筛选'}
        </Button>
      )}
      {clear}
    </>
  );
}

interface TypedProps {
  label: string;
  value: string;
  onSet: (value: string) => void;
}

/** A date filter. Its empty field shows the format of a date, so its name stands before it. */
function DateFilter({ label, value, min, onSet }: TypedProps & { min: string | undefined }) {
  const look = { className: 'kit-filter kit-filter-date', prefix: <span className="kit-muted">{label}</span> };
  return (
    <Suspense fallback={<Input {...look} aria-label={label} disabled />}>
      <DateInput
        {...look}
        kind="date"
        only
        allowClear
        aria-label={label}
        title={label}
        min={min}
        value={value}
        onChange={onSet}
      />
    </Suspense>
  );
}

/** A text filter, which applies on Enter or when the field is left, and follows changes of its value from elsewhere. */
function TypedFilter({ label, value, onSet }: TypedProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  return (
    <Input
      className="kit-filter"
      aria-label={label}
      title={label}
      placeholder={label}
      allowClear
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => text !== value && onSet(text)}
      onPressEnter={() => onSet(text)}
    />
  );
}
