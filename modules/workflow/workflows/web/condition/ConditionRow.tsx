import { DeleteOutlined } from '@ant-design/icons';
import { Button, Select } from 'antd';
import type { Field } from '../../engine/definition.ts';
import type { Names } from '../names.ts';
import {
  deptSubject,
  groupSubject,
  leafFor,
  opNames,
  opsOf,
  postSubject,
  roleSubject,
  subjectOf,
  superiorSubject,
  withOp,
  type Leaf,
} from './operators.ts';
import { ValueInput } from './ValueInput.tsx';

interface Props {
  leaf: Leaf;
  fields: readonly Field[];
  names: Names;
  /** The row counts if its comparison does not hold. */
  negated: boolean;
  onChange: (leaf: Leaf) => void;
  /** Missing if there is no space for it. */
  onNegate: (() => void) | undefined;
  onRemove: () => void;
}

/** One comparison: subject, operator and value. */
export function ConditionRow({ leaf, fields, names, negated, onChange, onNegate, onRemove }: Props) {
  const subject = 'field' in leaf ? leaf.field : subjectOf(leaf.op);
  const field = fields.find((one) => one.key === subject);
  const ops = 'field' in leaf ? opsOf(field) : [leaf.op];
  const gone = 'field' in leaf && !field;
  return (
    <div className="cond-row">
      <Select
        aria-label="条件对象"
        status={gone ? 'error' : ''}
        showSearch={{ optionFilterProp: 'label' }}
        options={[
          ...(gone ? [{ value: subject, label: `已删除的字段 ${subject}` }] : []),
          { label: '表单字段', options: fields.map(({ key, name }) => ({ value: key, label: name })) },
          {
            label: '发起人',
            options: [
              { value: deptSubject, label: '发起人部门' },
              { value: roleSubject, label: '发起人角色' },
              { value: postSubject, label: '发起人职务' },
              { value: groupSubject, label: '发起人所在用户组' },
              { value: superiorSubject, label: '发起人的上级' },
            ],
          },
        ]}
        value={subject}
        onChange={(next) => onChange(leafFor(next, fields))}
      />
      <Select
        aria-label="比较方式"
        options={[...new Set([...ops, leaf.op])].map((op) => ({ value: op, label: opNames[op] }))}
        value={leaf.op}
        onChange={(op) => onChange(withOp(leaf, op, field))}
      />
      <ValueInput leaf={leaf} field={field} names={names} onChange={onChange} />
      <span className="cond-end">
        {onNegate && (
          <Button
            type={negated ? 'primary' : 'text'}
            aria-pressed={negated}
            title="这一条不成立时才算满足；没有填写的字段不算"
            onClick={onNegate}
          >
            条件取反
          </Button>
        )}
        <Button type="text" aria-label="删除这一行条件" icon={<DeleteOutlined />} onClick={onRemove} />
      </span>
    </div>
  );
}
