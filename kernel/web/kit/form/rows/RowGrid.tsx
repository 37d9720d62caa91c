import { PlusOutlined } from '@ant-design/icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { App, Button } from 'antd';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react';
import { linesOver, type BlockPlace } from '#kernel/contract/sheet/block.ts';
import type { FieldControl } from '../FieldInput.tsx';
import { GridRow, type GridColumn } from './GridRow.tsx';
import './rows.css';

interface Props<Row> {
  control: Omit<FieldControl, 'value' | 'onChange'>;
  rows: readonly Row[];
  columns: readonly GridColumn[];
  /** The control of a cell. */
  cell: (column: GridColumn, control: FieldControl, row: Row) => ReactNode;
  onRows: (next: readonly Row[]) => void;
  /** Returns a row after one of its cells was changed. */
  onCell: (row: Row, key: string, value: unknown) => Row;
  /** Returns the rows after a text was pasted into a cell, and in words what no cell could take; null if it is pasted as text. */
  paste: (text: string, at: BlockPlace) => { rows: readonly Row[]; troubles: readonly string[] } | null;
  fresh: () => Row;
  /** Returns a copy of a row; if absent, rows cannot be copied. */
  likeOf?: ((row: Row) => Row) | undefined;
  max: number;
  /** The label of the button: 添加一行. */
  add?: string | undefined;
  /** More tools beside the button; `replace` exchanges all rows. */
  tools?: ((replace: (rows: readonly Row[]) => void) => ReactNode) | undefined;
}

/** In a longer grid only the visible rows are rendered. */
const few = 50;
const rowHeight = 45;
const mostTries = 30;
const told = 3;
const toldOf = (troubles: readonly string[]) =>
  `有 ${troubles.length} 格没有粘贴：${troubles.slice(0, told).join('；')}${troubles.length > told ? ' 等' : ''}`;

const nextKey = (keys: readonly number[]) => Math.max(-1, ...keys) + 1;
/** Keys of the rows; rows that were added elsewhere get new keys. */
const keysFor = (known: readonly number[], count: number): readonly number[] =>
  known.length >= count
    ? known.slice(0, count)
    : [...known, ...Array.from({ length: count - known.length }, (_none, at) => nextKey(known) + at)];

/**
 * Rows that are filled in like a spreadsheet: Enter goes down and adds a row at the end, and a block of a spreadsheet can be pasted into a cell; on a
 * phone each row is a card.
 */
export function RowGrid<Row extends object>({ control, rows, columns, max, ...props }: Props<Row>) {
  const { id = '', disabled = false } = control;
  const { message } = App.useApp();
  const box = useRef<HTMLDivElement>(null);
  const scroll = useRef<HTMLDivElement>(null);
  const [known, setKeys] = useState<readonly number[]>([]);
  const keys = keysFor(known, rows.length);
  // Two cells may change before the next rendering, as when files of both arrive while the tab is hidden.
  const latest = useRef({ rows, keys });
  useLayoutEffect(() => void (latest.current = { rows, keys }));
  const full = rows.length >= max;
  const long = rows.length > few;
  // oxlint-disable-next-line react/incompatible-library -- its functions go to rows that are not memoized
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

  const change = (next: readonly Row[], nextKeys: readonly number[]) => {
    latest.current = { rows: next, keys: keysFor(nextKeys, next.length) };
    setKeys(nextKeys);
    props.onRows(next);
  };
  const insert = (at: number, row: Row) => {
    const { rows: present, keys: theirs } = latest.current;
    change(present.toSpliced(at, 0, row), theirs.toSpliced(at, 0, nextKey(theirs)));
  };
  const focus = (row: number, column: number, tries = mostTries) => {
    if (tries === mostTries && long) window.scrollToIndex(row);
    // A row that scrolls into view is rendered some frames later.
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
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (!(field instanceof HTMLInputElement) || field.role === 'combobox' || field.type === 'file') return;
    event.preventDefault();
    if (row === rows.length - 1) {
      if (full) return;
      insert(rows.length, props.fresh());
    }
    focus(row + 1, column);
  };
  const paste = (event: ClipboardEvent, row: number, column: number) => {
    const [text, place] = [event.clipboardData.getData('text/plain'), { row, column, max }];
    const next = props.paste(text, place);
    if (!next) return;
    event.preventDefault();
    // Existing rows keep their keys; new ones get keys of their own.
    change(next.rows, keys);
    if (next.troubles.length > 0) void message.warning(toldOf(next.troubles));
    const over = linesOver(text, place);
    if (over > 0) void message.warning(`最多 ${max} 行，多出的 ${over} 行没有粘贴`);
  };
  return (
    <div ref={box} id={id} className="kit-grid" aria-describedby={control['aria-describedby']}>
      <div ref={scroll} className={long ? 'kit-grid-scroll kit-grid-long' : 'kit-grid-scroll'}>
        <table className="kit-grid-table" aria-rowcount={long ? rows.length + 1 : undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.key} scope="col">
                  {column.title}
                  {column.required && <span className="kit-grid-must"> *</span>}
                </th>
              ))}
              <th scope="col" className="kit-grid-acts">
                <span className="unseen">操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {above > 0 && long && <tr aria-hidden="true" style={{ height: above }} />}
            {shown.map((at) => {
              const row = rows[at];
              if (row === undefined) return null;
              return (
                <GridRow
                  key={keys[at]}
                  measure={long ? window.measureElement : undefined}
                  id={id}
                  at={at}
                  row={row}
                  columns={columns}
                  cell={props.cell}
                  disabled={disabled}
                  full={full}
                  onSet={(place, key, value) => {
                    const { rows: present, keys: theirs } = latest.current;
                    const there = present[place];
                    if (there) change(present.with(place, props.onCell(there, key, value)), theirs);
                  }}
                  onDown={down}
                  onPaste={paste}
                  onCopy={props.likeOf && (() => insert(at + 1, props.likeOf!(row)))}
                  onRemove={() => {
                    const { rows: present, keys: theirs } = latest.current;
                    change(present.toSpliced(at, 1), theirs.toSpliced(at, 1));
                    focus(Math.max(0, at - 1), 0);
                  }}
                />
              );
            })}
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
            insert(rows.length, props.fresh());
            focus(rows.length, 0);
          }}
        >
          {full ? `最多 ${max} 行` : `${props.add ?? '添加一行'}${rows.length > 0 ? `（已有 ${rows.length} 行）` : ''}`}
        </Button>
        {props.tools?.((next) => change(next, []))}
      </div>
    </div>
  );
}
