import { Button, Checkbox, Collapse } from 'antd';
import { fieldType, isShownOnly, type FieldType } from '../../engine/codes.ts';
import type { Column, Field } from '../../engine/definition.ts';
import { withoutColumn } from '../../engine/naming/removal.ts';
import { moved } from '#kernel/web/kit/list/columns/columns.ts';
import { fieldTypeNames, numbered } from '../words.ts';
import { changeColumn, computable, newColumn } from './field-edits.ts';
import { FieldPair } from './hanging/FieldPair.tsx';
import { FormulaInput } from './hanging/FormulaInput.tsx';
import { PartForm } from './PartForm.tsx';

interface Props {
  field: Field;
  onChange: (columns: readonly Column[]) => void;
}
const never: readonly number[] = [fieldType.table, fieldType.richtext, fieldType.records];
const types = numbered(fieldTypeNames).filter(({ value }) => !never.includes(value) && !isShownOnly(value));

/** The columns of a table field. */
export function ColumnList({ field, onChange }: Props) {
  const { columns } = field;
  const put = (index: number, part: Partial<Column>) => onChange(changeColumn(columns, index, part));
  const move = (from: number, to: number) =>
    onChange(
      moved(
        columns.map((column) => column.key),
        from,
        to,
      ).flatMap((key) => columns.find((column) => column.key === key) ?? []),
    );
  return (
    <div className="kit-stack">
      <h3 className="designer-h">表格的列</h3>
      <Collapse
        accordion
        size="small"
        items={columns.map((column, index) => ({
          key: String(index),
          label: `${column.name}（${fieldTypeNames[column.type]}）`,
          extra: (
            <Button
              size="small"
              type="text"
              disabled={index === 0}
              aria-label={`上移列“${column.name}”`}
              onClick={(event) => {
                event.stopPropagation();
                move(index, index - 1);
              }}
            >
              ↑
            </Button>
          ),
          children: (
            <>
              <PartForm
                part={column}
                id={`column-${index}`}
                types={types}
                onChange={(part) => put(index, part as Partial<Column>)}
                onType={(type: FieldType) => put(index, { type })}
              />
              {computable(column.type) && (
                <FormulaInput
                  id={`column-${index}`}
                  value={column.formula}
                  fields={columns.filter((_one, at) => at !== index)}
                  onChange={(formula) => put(index, { formula })}
                />
              )}
              <FieldPair field={column} fields={columns} id={`column-${index}`} onChange={(part) => put(index, part)} />
              <div className="kit-row">
                <Checkbox
                  checked={column.required}
                  onChange={(event) => put(index, { required: event.target.checked })}
                >
                  必填
                </Checkbox>
                <span className="kit-grow" />
                <Button size="small" type="text" danger onClick={() => onChange(withoutColumn(columns, index))}>
                  删除列
                </Button>
              </div>
            </>
          ),
        }))}
      />
      <div>
        <Button size="small" onClick={() => onChange([...columns, newColumn(field, fieldType.string)])}>
          添加列
        </Button>
      </div>
    </div>
  );
}
