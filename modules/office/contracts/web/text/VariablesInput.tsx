import { Button, Checkbox, Input, Select } from 'antd';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { variableSources, variableTypes, type TemplateVariable } from '../../contract/templates.ts';
import './text.css';

const options = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
const fresh: TemplateVariable = { key: '', label: '', type: 'text', required: true, source: null };

/** The variables of a template, a line each. */
export function VariablesInput({ control }: { control: FieldControl }) {
  const { value, onChange, disabled = false } = control;
  const all = (value as TemplateVariable[] | undefined) ?? [];
  const change = (at: number, more: Partial<TemplateVariable>) =>
    onChange?.(all.map((one, index) => (index === at ? { ...one, ...more } : one)));
  return (
    <div id={control.id} className="contract-variables">
      {all.map((one, at) => (
        <div key={at} className="kit-row">
          <Input
            aria-label="名称"
            placeholder="名称"
            disabled={disabled}
            value={one.label}
            onChange={(event) => change(at, { label: event.target.value })}
          />
          <Input
            aria-label="变量名"
            placeholder="变量名，如 place"
            disabled={disabled}
            value={one.key}
            onChange={(event) => change(at, { key: event.target.value })}
          />
          <Select
            aria-label="类型"
            disabled={disabled}
            options={options(variableTypes)}
            value={one.type}
            onChange={(type) => change(at, { type })}
          />
          <Select
            aria-label="取自"
            disabled={disabled}
            options={[{ value: '', label: '起草人填写' }, ...options(variableSources)]}
            value={one.source ?? ''}
            onChange={(source) => change(at, { source: (source || null) as TemplateVariable['source'] })}
            popupMatchSelectWidth={false}
          />
          <Checkbox
            disabled={disabled}
            checked={one.required}
            onChange={(event) => change(at, { required: event.target.checked })}
          >
            必填
          </Checkbox>
          <Button
            size="small"
            disabled={disabled}
            onClick={() => onChange?.(all.filter((_one, index) => index !== at))}
          >
            删除
          </Button>
        </div>
      ))}
      <Button disabled={disabled} onClick={() => onChange?.([...all, fresh])}>
        添加变量
      </Button>
    </div>
  );
}
