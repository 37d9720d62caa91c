import { Table, theme } from 'antd';
import type { TableProps } from 'antd';
import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { ColumnEdge } from '../columns/ColumnEdge.tsx';
import type { Density, ListColumn } from '../columns/columns.ts';
import type { ListState } from '../listState.ts';
import { RowTitle } from '../RowTitle.tsx';
import { cellText } from './cell.tsx';
import { RowActions } from './RowActions.tsx';
import { measureIn, usualText } from './measure.ts';
import { pinnedWithin, widthsWithin } from './shown.ts';

export type RowId = number | string;
export interface ListRow {
  id: RowId;
}

export interface RowsProps<Row extends ListRow> {
  rows: readonly Row[];
  columns: readonly ListColumn<Row>[];
  /** The columns that a card shows below its title. */
  facts?: readonly ListColumn<Row>[];
  state: ListState;
  /** Number of the first row, for row numbers that continue across pages; absent without row numbers. */
  first?: number;
  density: Density;
  loading: boolean;
  empty: ReactNode;
  selected?: readonly RowId[];
  onSelect?: (ids: RowId[]) => void;
  choosable: (row: Row) => boolean;
  /** Index of the row under the keyboard. */
  current: number;
  /** Called when a clicked row becomes the row under the keyboard. */
  onCurrent?: ((at: number) => void) | undefined;
  to?: (row: Row) => string;
  onOpen?: (row: Row) => void;
  rowActions?: (row: Row) => ReactNode;
  /** Buttons that appear in the row under the pointer or the keyboard. */
  hoverActions?: (row: Row) => ReactNode;
  /** True for rows that the person should open and has not. */
  unread?: (row: Row) => boolean;
  /** CSS pixels. */
  actionsWidth?: number;
  onSort: (order_by: string | undefined, desc: boolean) => void;
  /** Stores the new width of a column. */
  onResize?: (key: string, width: number) => void;
}

const usualWidth = (column: ListColumn<never>) => column.width ?? (column.main ? 240 : column.number ? 90 : 120);

/** Width in CSS pixels of the checkboxes, and of the row numbers. */
const choiceWidth = 48;
const numberWidth = 56;

/** The list on a wide screen. */
export function ListTable<Row extends ListRow>(props: RowsProps<Row>) {
  const {
    rows,
    state,
    first,
    density,
    loading,
    empty,
    selected,
    onSelect,
    choosable,
    current,
    rowActions,
    hoverActions,
    unread,
    onSort,
    onResize,
  } = props;
  // A person who reads larger text needs as many characters in a column as others.
  const { fontSize, fontFamily } = theme.useToken().token;
  const scale = fontSize / usualText;
  const actionsWidth = Math.ceil((props.actionsWidth ?? 150) * scale);
  const [dragged, setDragged] = useState<{ key: string; width: number } | null>(null);
  const resize = (key: string, width: number, kept: boolean) => {
    setDragged(kept ? null : { key, width });
    if (kept) onResize?.(key, width);
  };
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(Infinity);
  useLayoutEffect(() => {
    const measure = () => setRoom(box.current?.clientWidth || Infinity);
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, []);
  const besides =
    (rowActions ? actionsWidth : 0) + (onSelect ? choiceWidth : 0) + (first === undefined ? 0 : numberWidth);
  const given = props.columns.map((column) =>
    dragged?.key === column.key
      ? { ...column, width: dragged.width, sized: true }
      : { ...column, width: usualWidth(column) * (column.sized ? 1 : scale) },
  );
  const columns = pinnedWithin(
    widthsWithin(given, rows, room - besides, { scale, measure: measureIn(fontFamily) }),
    room - (rowActions ? actionsWidth : 0),
    usualWidth,
  );
  const shown: TableProps<Row>['columns'] = columns.map((column, at) => ({
    key: column.key,
    dataIndex: column.key,
    title: onResize ? (
      <>
        {column.title}
        <ColumnEdge
          title={column.title}
          width={usualWidth(column)}
          onResize={(width, kept) => resize(column.key, width, kept)}
        />
      </>
    ) : (
      column.title
    ),
    width: usualWidth(column),
    fixed: column.pin === 'left' ? 'start' : column.pin === 'right' ? 'end' : undefined,
    align: column.number ? 'right' : 'left',
    className: [column.number && 'kit-figures', column.main && 'kit-main'].filter(Boolean).join(' '),
    ellipsis: !column.main && !column.whole,
    sorter: column.sort,
    sortOrder: state.order_by === column.key ? (state.desc ? 'descend' : 'ascend') : null,
    render: (_value, row) => (
      <>
        {column.main ? (
          <RowTitle {...props} row={row} className="kit-link">
            {cellText(column, row)}
          </RowTitle>
        ) : (
          cellText(column, row)
        )}
        {column.note && <div className="kit-muted kit-note">{column.note(row)}</div>}
        {at === columns.length - 1 && hoverActions && <div className="kit-hover">{hoverActions(row)}</div>}
      </>
    ),
  }));
  if (first !== undefined) {
    shown.unshift({
      key: '#',
      title: '序号',
      width: numberWidth,
      align: 'right',
      className: 'kit-figures',
      fixed: 'start',
      render: (_value, _row, index) => first + index,
    });
  }
  if (rowActions)
    shown.push({
      key: '…',
      title: '操作',
      width: actionsWidth,
      fixed: 'end',
      render: (_value, row) => <RowActions>{rowActions(row)}</RowActions>,
    });
  return (
    <div ref={box}>
      <Table<Row>
        className={loading ? 'kit-rows kit-dimmed' : 'kit-rows'}
        aria-busy={loading}
        rowKey="id"
        size={density}
        columns={shown}
        dataSource={rows as Row[]}
        pagination={false}
        sticky
        // A number fixes the widths; wider windows distribute the rest. An empty table has nothing to scroll.
        scroll={
          rows.length > 0
            ? { x: shown.reduce((sum, column) => sum + Number(column.width), onSelect ? choiceWidth : 0) }
            : {}
        }
        showSorterTooltip={false}
        locale={{ emptyText: empty }}
        onRow={(_row, index) => ({ onClick: () => props.onCurrent?.(index ?? -1) })}
        rowClassName={(row, index) =>
          [index === current && 'kit-current', unread?.(row) && 'kit-unread'].filter(Boolean).join(' ')
        }
        rowSelection={
          onSelect && {
            selectedRowKeys: [...(selected ?? [])],
            preserveSelectedRowKeys: true,
            onChange: (keys) => onSelect(keys as RowId[]),
            hideSelectAll: !rows.some(choosable),
            // Screen readers read an empty header as none.
            ...(!rows.some(choosable) && { columnTitle: <span className="unseen">选择</span> }),
            getTitleCheckboxProps: () => ({ 'aria-label': '全选' }),
            getCheckboxProps: (row) => ({
              'aria-label': `选择第 ${rows.indexOf(row) + 1} 行`,
              disabled: !choosable(row),
            }),
            renderCell: (_checked, row, _index, box) => (choosable(row) ? box : null),
          }
        }
        onChange={(_page, _filters, sorter) => {
          const by = Array.isArray(sorter) ? sorter[0] : sorter;
          onSort(by?.order ? String(by.columnKey) : undefined, by?.order === 'descend');
        }}
      />
    </div>
  );
}
