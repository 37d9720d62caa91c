import { Alert, Button, Form, Input, InputNumber, Select } from 'antd';
import { fieldType, type FieldType } from '../../engine/codes.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { fieldTypeNames, numbered } from '../words.ts';
import { ColumnList } from './ColumnList.tsx';
import { ChoiceList } from './ChoiceList.tsx';
import { hasChoices, newColumn } from './field-edits.ts';
import { FieldLimits } from './FieldLimits.tsx';

interface Props {
  field: Field;
  problems: readonly string[];
  onChange: (part: Partial<Field>) => void;
  onRemove: () => void;
}

/** Everything about one field of the form. */
export function FieldPanel({ field, problems, onChange, onRemove }: Props) {
  const choose = (type: FieldType) =>
    onChange({
      type,
      choices: hasChoices(type) && field.choices.length === 0 ? [{ value: 'a', label: '选项 1' }] : field.choices,
      columns:
        type === fieldType.table && field.columns.length === 0 ? [newColumn(field, fieldType.string)] : field.columns,
    });
  return (
    <section className="kit-panel kit-stack" aria-label={`字段「${field.name}」`}>
      {problems.map((problem) => (
        <Alert key={problem} type="error" showIcon title={problem} />
      ))}
      <PartForm part={field} onChange={onChange} onType={choose} types={numbered(fieldTypeNames)} id="field" />
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

interface PartFormProps {
  part: Field | Column;
  /** Begins the ids of the controls. */
  id: string;
  types: { value: FieldType; label: string }[];
  onChange: (part: Partial<Field>) => void;
  onType: (type: FieldType) => void;
}

/** What fields and columns have in common: name, type, words around it, choices, limits. */
export function PartForm({ part, id, types, onChange, onType }: PartFormProps) {
  const text = part.type === fieldType.textarea || part.type === fieldType.richtext;
  return (
    <Form layout="vertical" component="div">
      <Form.Item label="名称" htmlFor={`${id}-name`} required>
        <Input
          id={`${id}-name`}
          maxLength={50}
          value={part.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
      </Form.Item>
      <Form.Item label="类型" htmlFor={`${id}-type`}>
        <Select id={`${id}-type`} options={types} value={part.type} onChange={onType} />
      </Form.Item>
      <Form.Item
        label="标识"
        htmlFor={`${id}-key`}
        extra="程序使用的名字，用小写字母、数字和下划线；已有工单后请不要修改"
      >
        <Input
          id={`${id}-key`}
          maxLength={50}
          value={part.key}
          onChange={(event) => onChange({ key: event.target.value })}
        />
      </Form.Item>
      {hasChoices(part.type) && (
        <Form.Item label="选项">
          <ChoiceList choices={part.choices} onChange={(choices) => onChange({ choices })} />
        </Form.Item>
      )}
      <FieldLimits part={part} id={id} onChange={onChange} />
      <Form.Item label="占位提示" htmlFor={`${id}-placeholder`}>
        <Input
          id={`${id}-placeholder`}
          maxLength={100}
          value={part.placeholder}
          onChange={(event) => onChange({ placeholder: event.target.value })}
        />
      </Form.Item>
      <Form.Item label="填写说明" htmlFor={`${id}-description`}>
        <Input
          id={`${id}-description`}
          maxLength={200}
          value={part.description}
          onChange={(event) => onChange({ description: event.target.value })}
        />
      </Form.Item>
      {text && (
        <Form.Item label="范文" htmlFor={`${id}-template`} extra="发起时先填好，供修改">
          <Input.TextArea
            id={`${id}-template`}
            maxLength={5000}
            autoSize={{ minRows: 2, maxRows: 8 }}
            value={part.template}
            onChange={(event) => onChange({ template: event.target.value })}
          />
        </Form.Item>
      )}
    </Form>
  );
}
