import { Input, Select, Switch } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { alumni } from '../contract.ts';
import type { AlumnusFilter } from '../contract/filter.ts';
import { alumniFilters, alumniWord, optionsOf } from './filters.ts';
import './alumni.css';

/** Filters alumni; switched off: none. */
export function AlumniFilter({ id, value, onChange, disabled }: FieldControl) {
  const { data } = useCall(alumni.count, {});
  const chosen = value as AlumnusFilter | undefined;
  const set = (key: keyof AlumnusFilter, next: string | undefined) =>
    onChange?.({ ...chosen, [key]: next || undefined });
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
        <div className="alumni-range" role="group" aria-label="校友范围">
          {alumniFilters.map(({ key, group }) => (
            <Select
              key={key}
              aria-label={alumniWord(key)}
              placeholder={`全部${alumniWord(key)}`}
              allowClear
              disabled={disabled}
              showSearch={{ optionFilterProp: 'label' }}
              options={optionsOf(data, group)}
              value={chosen[key] === undefined ? undefined : String(chosen[key])}
              onChange={(next?: string) => set(key, next)}
            />
          ))}
          <Input
            aria-label="搜索校友"
            placeholder="姓名、学号、单位"
            allowClear
            disabled={disabled}
            maxLength={100}
            value={chosen.search_value ?? ''}
            onChange={(event) => set('search_value', event.target.value)}
          />
        </div>
      )}
    </div>
  );
}
