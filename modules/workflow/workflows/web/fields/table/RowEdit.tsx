import { CopyOutlined, DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { FieldItem } from '../../../contract/shapes.ts';
import type { TableRow } from '../../../engine/fields/table-rows.ts';

interface Props {
  /** Where the table is long: told of the row's element, to know how high it is. */
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  /** Of the table. */
  id: string;
  at: number;
  row: TableRow;
  columns: readonly FieldItem[];
  cell: (column: FieldItem, control: FieldControl, row: TableRow) => ReactNode;
  disabled: boolean;
  /** There is no room for another row. */
  full: boolean;
  onSet: (at: number, key: string, value: unknown) => void;
  onDown: (event: KeyboardEvent, at: number, column: number) => void;
  onPaste: (event: ClipboardEvent, at: number, column: number) => void;
  onCopy: () => void;
  onRemove: () => void;
}

/** One row of a table that is filled in. */
export function RowEdit({ id, at, row, columns, cell, disabled, full, ...on }: Props) {
  return (
    <tr ref={on.measure} data-index={at} aria-label={`第 ${at + 1} 行`}>
      {columns.map((column, place) => {
        const inner = `${id}-${at}-${column.field_key}`;
        return (
          <td
            key={column.field_key}
            onKeyDown={(event) => on.onDown(event, at, place)}
            onPaste={(event) => on.onPaste(event, at, place)}
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
                onChange: (value) => on.onSet(at, column.field_key, value),
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
          onClick={on.onCopy}
        />
        <Button
          type="text"
          icon={<DeleteOutlined aria-hidden="true" />}
          title="删除这一行"
          aria-label={`删除第 ${at + 1} 行`}
          disabled={disabled}
          onClick={on.onRemove}
        />
      </td>
    </tr>
  );
}
