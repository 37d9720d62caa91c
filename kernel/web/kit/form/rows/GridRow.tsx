import { CopyOutlined, DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import type { FieldControl } from '../FieldInput.tsx';

export interface GridColumn {
  key: string;
  title: string;
  required?: boolean | undefined;
}

interface Props<Row> {
  /** In long grids, receives the row's element in order to measure its height. */
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  /** The id of the whole grid. */
  id: string;
  at: number;
  row: Row;
  columns: readonly GridColumn[];
  cell: (column: GridColumn, control: FieldControl, row: Row) => ReactNode;
  disabled: boolean;
  onSet: (at: number, key: string, value: unknown) => void;
  onDown: (event: KeyboardEvent, at: number, column: number) => void;
  onPaste: (event: ClipboardEvent, at: number, column: number) => void;
  /** Absent if rows cannot be copied. */
  onCopy: (() => void) | undefined;
  full: boolean;
  onRemove: () => void;
}

/** One row of inputs. */
export function GridRow<Row extends object>({ id, at, row, columns, cell, disabled, full, ...on }: Props<Row>) {
  return (
    <tr ref={on.measure} data-index={at} aria-label={`第 ${at + 1} 行`}>
      {columns.map((column, place) => {
        const inner = `${id}-${at}-${column.key}`;
        const control: FieldControl = {
          id: inner,
          value: (row as Readonly<Record<string, unknown>>)[column.key],
          disabled,
          onChange: (value) => on.onSet(at, column.key, value),
        };
        const content = cell(column, control, row);
        return (
          <td
            key={column.key}
            onKeyDown={(event) => on.onDown(event, at, place)}
            onPaste={(event) => on.onPaste(event, at, place)}
          >
            {content && (
              <label htmlFor={inner} className={column.required ? 'kit-grid-needed' : undefined}>
                <span className="unseen">第 {at + 1} 行 </span>
                {column.title}
              </label>
            )}
            {content}
          </td>
        );
      })}
      <td className="kit-grid-acts">
        {on.onCopy && (
          <Button
            type="text"
            icon={<CopyOutlined aria-hidden="true" />}
            title="复制这一行"
            aria-label={`复制第 ${at + 1} 行`}
            disabled={disabled || full}
            onClick={on.onCopy}
          />
        )}
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
