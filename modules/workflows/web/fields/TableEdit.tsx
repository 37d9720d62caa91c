import { CopyOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { FieldItem } from '../../contract/shapes.ts';
import { withDays } from '../../engine/fields/dates.ts';
import { computedOf } from '../../engine/fields/settled-items.ts';
import { withRow } from '../../engine/formula/settle.ts';
import { columnItem, isEmptyCell, pasted, rowsIn, type TableRow } from '../../engine/fields/table-rows.ts';

interface Props {
  item: FieldItem;
  control: FieldControl;
  /** The control of one cell of a row. */
  cell: (column: FieldItem, control: FieldControl, row: TableRow) => ReactNode;
}

/**
 * Rows of a table field. Enter goes down and adds a row at the end, a block of a spreadsheet can be pasted into a cell; on a
 * phone each row stands as a card.
 */
export function TableEdit({ item, control, cell }: Props) {
  const { id = '', disabled = false } = control;
  const rows = rowsIn(control.value);
  const box = useRef<HTMLDivElement>(null);
  const [keys, setKeys] = useState<readonly number[]>([]);
  const max = item.max_rows ?? 50;
  const full = rows.length >= max;
  const columns = item.columns.map((column) => columnItem(item, column));
  const computes = columns.some((column) => column.formula);
  const put = (next: readonly TableRow[]) =>
    control.onChange?.(computes ? next.map((row) => withRow(columns.map(computedOf), row)) : next);
  const keyAt = (index: number) => keys[index] ?? -1 - index;
  const change = (next: readonly TableRow[], nextKeys: readonly number[]) => {
    setKeys(nextKeys);
    put(next);
  };
  const kept = () => rows.map((_row, index) => keyAt(index));
  const insert = (at: number, row: TableRow) =>
    change(rows.toSpliced(at, 0, row), kept().toSpliced(at, 0, Math.max(0, ...keys) + 1));
  const set = (at: number, key: string, value: unknown) => {
    const { [key]: now, ...others } = withDays(columns, rows[at] ?? {}, key, value);
    put(rows.with(at, isEmptyCell(now) ? others : { ...others, [key]: now }));
  };
  const focus = (row: number, column: number) =>
    setTimeout(() => {
      const there = box.current?.querySelectorAll('tbody tr')[row]?.querySelectorAll('td')[column];
      there?.querySelector<HTMLElement>('input, textarea, button')?.focus();
    });
  const down = (event: KeyboardEvent, row: number, column: number) => {
    const field = event.target;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (!(field instanceof HTMLInputElement) || field.role === 'combobox' || field.type === 'file') return;
    event.preventDefault();
    if (row === rows.length - 1) {
      if (full) return;
      insert(rows.length, {});
    }
    focus(row + 1, column);
  };
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const next = pasted(event.clipboardData.getData('text/plain'), item.columns, rows, { row, column, max });
    if (!next) return;
    event.preventDefault();
    put(next);
  };
  return (
    <div ref={box} id={id} className="ticket-rows" aria-describedby={control['aria-describedby']}>
      <table className="ticket-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.field_key} scope="col">
                {column.field_name}
                {column.field_attribute === 2 && <span className="ticket-must"> *</span>}
              </th>
            ))}
            <th scope="col">
              <span className="unseen">操作</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyAt(at)} aria-label={`第 ${at + 1} 行`}>
              {columns.map((column, place) => {
                const inner = `${id}-${at}-${column.field_key}`;
                return (
                  <td
                    key={column.field_key}
                    onKeyDown={(event) => down(event, at, place)}
                    onPaste={(event) => paste(event, at, place)}
                  >
                    <label htmlFor={inner}>
                      <span className="unseen">第 {at + 1} 行 </span>
                      {column.field_name}
                    </label>
                    {cell(
                      column,
                      {
                        id: inner,
                        value: row[column.field_key],
                        disabled,
                        onChange: (value) => set(at, column.field_key, value),
                      },
                      row,
                    )}
                  </td>
                );
              })}
              <td className="ticket-row-acts">
                <Button
                  type="text"
                  icon={<CopyOutlined aria-hidden="true" />}
                  title="复制这一行"
                  aria-label={`复制第 ${at + 1} 行`}
                  disabled={disabled || full}
                  onClick={() => insert(at + 1, row)}
                />
                <Button
                  type="text"
                  icon={<DeleteOutlined aria-hidden="true" />}
                  title="删除这一行"
                  aria-label={`删除第 ${at + 1} 行`}
                  disabled={disabled}
                  onClick={() => {
                    change(rows.toSpliced(at, 1), kept().toSpliced(at, 1));
                    focus(Math.max(0, at - 1), 0);
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Button
        type="dashed"
        icon={<PlusOutlined aria-hidden="true" />}
        disabled={disabled || full}
        onClick={() => {
          insert(rows.length, {});
          focus(rows.length, 0);
        }}
      >
        {full ? `最多 ${max} 行` : `添加一行${rows.length > 0 ? `（已有 ${rows.length} 行）` : ''}`}
      </Button>
    </div>
  );
}
