import { Button, Radio } from 'antd';
import { fieldAccess, type FieldAccess } from '../../engine/codes.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { accessNames } from '../words.ts';
import type { StateTabProps } from './PeopleTab.tsx';

const levels = [fieldAccess.hidden, fieldAccess.read, fieldAccess.optional, fieldAccess.required];

/** What each field of the form is in this state: hidden, to read, to write, required. */
export function FieldsTab({ state, definition, onChange }: Omit<StateTabProps, 'names'>) {
  const { fields } = definition;
  if (fields.length === 0) return <EmptyState why="表单里还没有字段，请先到“表单”中添加" />;
  const setAll = (access: FieldAccess) =>
    onChange({ access: Object.fromEntries(fields.map((field) => [field.key, access])) });
  return (
    <div className="kit-stack">
      <div className="kit-row">
        <span className="kit-muted">全部设为</span>
        {levels.map((level) => (
          <Button key={level} size="small" onClick={() => setAll(level)}>
            {accessNames[level]}
          </Button>
        ))}
      </div>
      <ul className="designer-rights">
        {fields.map((field) => (
          <li key={field.key}>
            <span>{field.name}</span>
            <Radio.Group
              size="small"
              optionType="button"
              aria-label={`字段“${field.name}”的权限`}
              options={levels.map((level) => ({ value: level, label: accessNames[level] }))}
              value={state.access[field.key] ?? fieldAccess.hidden}
              onChange={(event) => onChange({ access: { ...state.access, [field.key]: event.target.value } })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
