import { Button, Radio, Select } from 'antd';
import { fieldAccess, type FieldAccess } from '../../engine/codes.ts';
import type { Field, State } from '../../engine/definition.ts';
import { accessIn, isWritable, saidOfColumn } from '../../engine/fields/rights.ts';
import { isComputed } from '../../engine/formula/formula.ts';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { accessNames } from '../words.ts';
import type { StateTabProps } from './PeopleTab.tsx';

const levels = [fieldAccess.hidden, fieldAccess.read, fieldAccess.optional, fieldAccess.required];

/** Access to each field of the form in this state: hidden, read, write, required; for a visible table each column, too. */
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
            {field.columns.length > 0 && accessIn(state, field.key) !== fieldAccess.hidden && (
              <ColumnRights state={state} field={field} onChange={onChange} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ColumnsProps extends Pick<StateTabProps, 'onChange'> {
  state: State;
  field: Field;
}

/** The columns of a table with other access than the table. */
function ColumnRights({ state, field, onChange }: ColumnsProps) {
  const writes = isWritable(accessIn(state, field.key));
  const put = (column: string, access: FieldAccess | 'table') => {
    const { [column]: _was, ...others } = state.columns?.[field.key] ?? {};
    const own = access === 'table' ? others : { ...others, [column]: access };
    onChange({ columns: { ...state.columns, [field.key]: own } });
  };
  return (
    <ul className="designer-columns" aria-label={`表格“${field.name}”各列的权限`}>
      {field.columns.map((column) => {
        const { key, name } = column;
        const open = writes && !isComputed(column) ? levels : [fieldAccess.hidden, fieldAccess.read];
        return (
          <li key={key}>
            <span>{name}</span>
            <Select<FieldAccess | 'table'>
              size="small"
              aria-label={`列“${name}”的权限`}
              options={[
                { value: 'table', label: '随表格' },
                ...open.map((level) => ({ value: level, label: accessNames[level] })),
              ]}
              value={saidOfColumn(state, field.key, key) ?? 'table'}
              onChange={(access) => put(key, access)}
            />
          </li>
        );
      })}
    </ul>
  );
}
