import { Button, Select } from 'antd';
import { useState } from 'react';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import type { FieldType } from '../../engine/codes.ts';
import type { Names } from '../names.ts';
import { numbered, fieldTypeNames } from '../words.ts';
import type { Designer } from '../designer/state/useDesigner.ts';
import { addField, changeField, moveField, removeField } from './field-edits.ts';
import { FieldList } from './FieldList.tsx';
import { FieldPanel } from './FieldPanel.tsx';
import { FormPreview } from './FormPreview.tsx';
import './form.css';

interface Props {
  designer: Designer;
  names: Names;
  /** Id of the field that is open. */
  open: number | null;
  onOpen: (field: number | null) => void;
  /** Set while the same fields are shown in front: no preview, because its controls would have the same names. */
  covered: boolean;
}

/** The form: its fields in order, one of them open, and a preview. */
export function FormTab({ designer, names, open, onOpen, covered }: Props) {
  const { draft, edit, ids, problems } = designer;
  const [preview, setPreview] = useState(true);
  const field = draft.fields.find((one) => one.id === open);
  const add = (type: FieldType | null) => {
    if (type === null) return;
    edit((now) => addField(now, ids.field, type));
    onOpen(ids.field);
  };
  const adding = (
    <Select
      className="kit-wide"
      aria-label="添加字段"
      placeholder="添加字段…"
      listHeight={480}
      value={null}
      options={numbered(fieldTypeNames)}
      onChange={add}
    />
  );
  return (
    <div className="form-design">
      <div className="kit-stack">
        <FieldList
          fields={draft.fields}
          open={open}
          wrong={new Set(problems.filter((one) => one.kind === 'field').map((one) => one.key))}
          onOpen={onOpen}
          onMove={(from, to) => edit((now) => moveField(now, from, to))}
        />
        {adding}
        <Button aria-pressed={preview} onClick={() => setPreview(!preview)}>
          {preview ? '收起预览' : '预览表单'}
        </Button>
      </div>
      {field ? (
        <FieldPanel
          key={field.id}
          field={field}
          fields={draft.fields}
          states={draft.states}
          names={names}
          problems={problems.filter((one) => one.kind === 'field' && one.key === field.key).map((one) => one.msg)}
          onChange={(part) =>
            edit((now) => changeField(now, field.id, part), `field:${field.id}:${Object.keys(part).join()}`)
          }
          onRemove={() => {
            edit((now) => removeField(now, field.id));
            onOpen(null);
          }}
        />
      ) : (
        <EmptyState why={draft.fields.length === 0 ? '表单里还没有字段，从左侧添加' : '选择一个字段进行编辑'} />
      )}
      {preview && !covered && <FormPreview draft={draft} />}
    </div>
  );
}
