import { Alert, Button, Form } from 'antd';
import { NumberInput } from '#kernel/web/kit/form/NumberInput.tsx';
import { fieldType, type FieldType } from '../../engine/codes.ts';
import type { Field, State } from '../../engine/definition.ts';
import { fieldTypeNames, numbered } from '../words.ts';
import { ColumnList } from './ColumnList.tsx';
import { beginsWith, DefaultValue, isAmongChoices } from './DefaultValue.tsx';
import { computable, hasChoices, newColumn } from './field-edits.ts';
import { FieldConditions } from './hanging/FieldConditions.tsx';
import { FieldPair } from './hanging/FieldPair.tsx';
import { ShownFrom } from './hanging/ShownFrom.tsx';
import { FormulaInput } from './hanging/FormulaInput.tsx';
import type { Names } from '../names.ts';
import { PartForm } from './PartForm.tsx';

interface Props {
  field: Field;
  /** All fields of the form. */
  fields: readonly Field[];
  states: readonly State[];
  names: Names;
  problems: readonly string[];
  onChange: (part: Partial<Field>) => void;
  onRemove: () => void;
}

/** Everything about one field of the form. */
export function FieldPanel({ field, fields, states, names, problems, onChange, onRemove }: Props) {
  const choose = (type: FieldType) =>
    onChange({
      type,
      default_value: null,
      choices:
        hasChoices(type) && field.choices.length === 0
          ? [{ value: 'a', label: '选项 1' }]
          : field.choices.map(({ value, label }) => ({ value, label })),
      columns:
        type === fieldType.table && field.columns.length === 0 ? [newColumn(field, fieldType.string)] : field.columns,
    });
  const change = (part: Partial<Field>) => {
    const left = part.choices && !isAmongChoices({ ...field, ...part });
    onChange(left ? { ...part, default_value: null } : part);
  };
  return (
    <section className="kit-panel kit-stack" aria-label={`字段“${field.name}”`}>
      {problems.map((problem) => (
        <Alert key={problem} type="error" showIcon title={problem} />
      ))}
      <PartForm part={field} onChange={change} onType={choose} types={numbered(fieldTypeNames)} id="field" />
      {computable(field.type) && (
        <FormulaInput
          id="field"
          value={field.formula}
          fields={fields.filter((one) => one.key !== field.key)}
          onChange={(formula) => onChange({ formula })}
        />
      )}
      <ShownFrom field={field} states={states} onChange={onChange} />
      <FieldConditions field={field} fields={fields} names={names} onChange={onChange} />
      <FieldPair field={field} fields={fields} id="field" onChange={onChange} />
      {beginsWith(field.type) && (
        <DefaultValue field={field} onChange={(default_value) => onChange({ default_value })} />
      )}
      {field.type === fieldType.table && (
        <>
          <ColumnList field={field} onChange={(columns) => onChange({ columns })} />
          <Form.Item layout="vertical" label="最多行数" htmlFor="field-rows">
            <NumberInput
              id="field-rows"
              min={1}
              max={2000}
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
