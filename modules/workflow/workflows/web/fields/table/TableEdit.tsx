import { PlusOutlined } from '@ant-design/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { FieldItem } from '../../../contract/shapes.ts';
import { computedOf } from '../../../engine/fields/settled-items.ts';
import {
  columnItem,
  isBlank,
  isEmptyCell,
  pasted,
  rowMark,
  rowsIn,
  type TableRow,
} from '../../../engine/fields/table-rows.ts';
import { usualBudget } from '../../../engine/formula/evaluate.ts';
import { isComputed } from '../../../engine/formula/formula.ts';
import { withRow } from '../../../engine/formula/settle.ts';
import { useWorks } from '../useWorks.ts';
import { RowEdit } from './RowEdit.tsx';
import { SheetIn } from './SheetIn.tsx';
import { Cell } from './TableValue.tsx';

interface Props {
  item: FieldItem;
  control: FieldControl;
  /** The control of one cell of a row. */
  cell: (column: FieldItem, control: FieldControl, row: TableRow) => ReactNode;
}

/** With more rows than these only those in view are there. */
const few = 50;
const rowHeight = 45;
const mostTries = 30;

/**
 * Rows of a table field. Enter goes down and adds a row at the end, a block of a spreadsheet can be pasted into a cell and a sheet
 * read; on a phone each row stands as a card.
 */
export function TableEdit({ item, control, cell }: Props) {
  const { id = '', disabled = false } = control;
  const rows = rowsIn(control.value);
  const box = useRef<HTMLDivElement>(null);
  const [keys, setKeys] = useState<readonly number[]>([]);
  const max = item.max_rows ?? 50;
  const full = rows.length >= max;
  const columns = item.columns.map((column) => columnItem(item, column));
  const works = useWorks(item);
  const formulas = columns.some(isComputed) ? columns.map(computedOf) : null;
  const long = rows.length > few;
  const scroll = useRef<HTMLDivElement>(null);
  const window = useVirtualizer({
    count: rows.length,
    enabled: long,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 10,
  });
  const inView = window.getVirtualItems();
  const shown = long ? inView.map(({ index }) => index) : [...rows.keys()];
  const above = inView[0]?.start ?? 0;
  const below = window.getTotalSize() - (inView.at(-1)?.end ?? 0);

  const isMarked = rowsIn(item.field_value).some((row) => rowMark in row);
  /** The computed columns of the rows that changed are worked out; the others have theirs. Where rows are marked, new ones say they are new. */
  const put = (next: readonly TableRow[]) => {
    const before = new Set(rows);
    const settled = (row: TableRow) => {
      if (before.has(row)) return row;
      const own = isMarked && !(rowMark in row) ? { ...row, [rowMark]: 0 } : row;
      return formulas ? withRow(formulas, own, { left: usualBudget, works }) : own;
    };
    control.onChange?.(next.map(settled));
  };
  /** A row like another one, with what is its writer's to fill in. */
  const likeOf = (row: TableRow): TableRow =>
    Object.fromEntries(
      columns.flatMap(({ field_key: key, field_attribute }) =>
        field_attribute !== 1 && key in row ? [[key, row[key]]] : [],
      ),
    );
  const cellOf: Props['cell'] = (column, inner, row) =>
    column.field_attribute === 1 && !isComputed(column) ? (
      <Cell item={item} column={column} row={row} />
    ) : (
      cell(column, inner, row)
    );
  const keyAt = (index: number) => keys[index] ?? -1 - index;
  const change = (next: readonly TableRow[], nextKeys: readonly number[]) => {
    setKeys(nextKeys);
    put(next);
  };
  const kept = () => rows.map((_row, index) => keyAt(index));
  const insert = (at: number, row: TableRow) =>
    change(rows.toSpliced(at, 0, row), kept().toSpliced(at, 0, Math.max(0, ...keys) + 1));
  const set = (at: number, key: string, value: unknown) => {
    const { [key]: now, ...others } = { ...rows[at], [key]: value };
    put(rows.with(at, isEmptyCell(now) ? others : { ...others, [key]: now }));
  };
  const focus = (row: number, column: number, tries = mostTries) => {
    if (tries === mostTries && long) window.scrollToIndex(row);
    // A row that comes into view is there some frames later.
    setTimeout(
      () => {
        const there = box.current?.querySelector(`tr[data-index="${row}"]`)?.querySelectorAll('td')[column];
        if (there) there.querySelector<HTMLElement>('input, textarea, button')?.focus();
        else if (tries > 0) focus(row, column, tries - 1);
      },
      tries === mostTries ? 0 : 16,
    );
  };
  const down = (event: KeyboardEvent, row: number, column: number) => {
    const field = event.target;
    if (event.key !== 'Enter') return;
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
      <div ref={scroll} className={long ? 'ticket-rows-long' : undefined}>
        <table className="ticket-table" aria-rowcount={long ? rows.length + 1 : undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.field_key} scope="col">
                  {column.field_name}
                  {column.field_attribute === 2 && <span className="ticket-must"> *</span>}
                </th>
              ))}
              <th scope="col" className="ticket-row-acts">
                <span className="unseen">操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {above > 0 && long && <tr aria-hidden="true" style={{ height: above }} />}
            {shown.map((at) => (
              <RowEdit
                key={keyAt(at)}
                measure={long ? window.measureElement : undefined}
                id={id}
                at={at}
                row={rows[at] ?? {}}
                columns={columns}
                cell={cellOf}
                disabled={disabled}
                full={full}
                onSet={set}
                onDown={down}
                onPaste={paste}
                onCopy={() => insert(at + 1, likeOf(rows[at] ?? {}))}
                onRemove={() => {
                  change(rows.toSpliced(at, 1), kept().toSpliced(at, 1));
                  focus(Math.max(0, at - 1), 0);
                }}
              />
            ))}
            {below > 0 && long && <tr aria-hidden="true" style={{ height: below }} />}
          </tbody>
        </table>
      </div>
      <div className="kit-row">
        <Button
          type="dashed"
          className="kit-grow"
          icon={<PlusOutlined aria-hidden="true" />}
          disabled={disabled || full}
          onClick={() => {
            insert(rows.length, {});
            focus(rows.length, 0);
          }}
        >
          {full ? `最多 ${max} 行` : `添加一行${rows.length > 0 ? `（已有 ${rows.length} 行）` : ''}`}
        </Button>
        <SheetIn
          label={item.field_name}
          columns={item.columns}
          room={max - rows.filter((row) => !isBlank(row)).length}
          disabled={disabled}
          onRows={(more) => change([...rows.filter((row) => !isBlank(row)), ...more], [])}
        />
      </div>
    </div>
  );
}
