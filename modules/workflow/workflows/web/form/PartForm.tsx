import { Form, Input } from 'antd';
import { fieldType, type FieldType } from '../../engine/codes.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';
import { ChoiceList } from './ChoiceList.tsx';
import { ChoiceTree } from './ChoiceTree.tsx';
import { hasChoices } from './field-edits.ts';
import { FieldLimits } from './FieldLimits.tsx';

interface PartFormProps {
  part: Field | Column;
  /** Prefix of the controls' ids. */
  id: string;
  types: { value: FieldType; label: string }[];
  onChange: (part: Partial<Field>) => void;
  onType: (type: FieldType) => void;
}

/** The common settings of fields and columns: name, type, texts, choices, limits. */
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
      <LabelledSelect id={`${id}-type`} label="类型" options={types} value={part.type} onChange={onType} />
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
          {part.type === fieldType.cascade ? (
            <ChoiceTree choices={part.choices} onChange={(choices) => onChange({ choices })} />
          ) : (
            <ChoiceList choices={part.choices} onChange={(choices) => onChange({ choices })} />
          )}
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
