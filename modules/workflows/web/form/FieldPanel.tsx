import { Alert, Button, Form, InputNumber } from 'antd';
import { fieldType, type FieldType } from '../../engine/codes.ts';
import type { Field } from '../../engine/definition.ts';
import { fieldTypeNames, numbered } from '../words.ts';
import { ColumnList } from './ColumnList.tsx';
import { beginsWith, DefaultValue, isAmongChoices } from './DefaultValue.tsx';
import { hasChoices, newColumn } from './field-edits.ts';
import { FieldPair } from './FieldPair.tsx';
import { PartForm } from './PartForm.tsx';

interface Props {
  field: Field;
  /** All of the form. */
  fields: readonly Field[];
  problems: readonly string[];
  onChange: (part: Partial<Field>) => void;
  onRemove: () => void;
}

/** Everything about one field of the form. */
export function FieldPanel({ field, fields, problems, onChange, onRemove }: Props) {
  const choose = (type: FieldType) =>
    onChange({
      type,
      default_value: null,
      choices: hasChoices(type) && field.choices.length === 0 ? [{ value: 'a', label: '选项 1' }] : field.choices,
      columns:
        type === fieldType.table && field.columns.length === 0 ? [newColumn(field, fieldType.string)] : field.columns,
    });
  const change = (part: Partial<Field>) => {
    const left = part.choices && !isAmongChoices({ ...field, ...part });
    onChange(left ? { ...part, default_value: null } : part);
  };
  return (
    <section className="kit-panel kit-stack" aria-label={`字段「${field.name}」`}>
      {problems.map((problem) => (
        <Alert key={problem} type="error" showIcon title={problem} />
      ))}
      <PartForm part={field} onChange={change} onType={choose} types={numbered(fieldTypeNames)} id="field" />
      <FieldPair field={field} fields={fields} id="field" onChange={onChange} />
      {beginsWith(field.type) && (
        <DefaultValue field={field} onChange={(default_value) => onChange({ default_value })} />
      )}
      {field.type === fieldType.table && (
        <>
          <ColumnList field={field} onChange={(columns) => onChange({ columns })} />
          <Form.Item layout="vertical" label="最多行数" htmlFor="field-rows">
            <InputNumber
              id="field-rows"
              min={1}
              max={200}
              value={field.max_rows}
              onChange={(rows) => onChange({ max_rows: rows ?? 50 })}
            />
          </Form.Item>
        </>
      )}
      <div>
        <Button danger onClick={onRemove}>
          删除字段
        </Button>
      </div>
    </section>
  );
}
