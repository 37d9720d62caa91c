import { Select, Switch } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { alumni } from '../contract.ts';
import type { AlumnusFilter } from '../contract/filter.ts';

const parts = [
  { key: 'college', label: '学院', group: 'by_college' },
  { key: 'graduate_year', label: '毕业年份', group: 'by_year' },
  { key: 'city', label: '城市', group: 'by_city' },
] as const;

/** Which alumni are meant; switched off: none. */
export function AlumniFilter({ id, value, onChange, disabled }: FieldControl) {
  const { data } = useCall(alumni.count, {});
  const chosen = value as AlumnusFilter | undefined;
  return (
    <div className="kit-stack">
      <div>
        <Switch
          id={id}
          disabled={disabled}
          checked={chosen !== undefined}
          onChange={(on) => onChange?.(on ? {} : undefined)}
        />
      </div>
      {chosen && (
        <div className="kit-row" role="group" aria-label="校友范围">
          {parts.map(({ key, label, group }) => (
            <Select
              key={key}
              className="kit-filter"
              aria-label={label}
              placeholder={`全部${label}`}
              allowClear
              disabled={disabled}
              showSearch={{ optionFilterProp: 'label' }}
              options={(data?.[group] ?? [])
                .filter(({ name }) => name !== '')
                .map(({ name, count }) => ({ value: name, label: `${name}（${count} 人）` }))}
              value={chosen[key] === undefined ? undefined : String(chosen[key])}
              onChange={(next?: string) => onChange?.({ ...chosen, [key]: next })}
            />
          ))}
        </div>
      )}
    </div>
  );
}
