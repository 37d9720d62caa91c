import { useMemo, type ReactNode } from 'react';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { RowGrid } from '#kernel/web/kit/form/rows/RowGrid.tsx';
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
import { SheetIn } from './SheetIn.tsx';
import { Cell } from './TableValue.tsx';

interface Props {
  item: FieldItem;
  control: FieldControl;
  /** The control of one cell of a row. */
  cell: (column: FieldItem, control: FieldControl, row: TableRow) => ReactNode;
  /** The form's workflow; missing in a preview, which cannot read sheets. */
  workflow?: number | undefined;
}

/** Editable rows of a table field, which may also come from a sheet. */
export function TableEdit({ item, control, cell, workflow }: Props) {
  const { disabled = false } = control;
  const rows = rowsIn(control.value);
  const max = item.max_rows ?? 50;
  const columns = useMemo(() => item.columns.map((column) => columnItem(item, column)), [item]);
  const works = useWorks(item);
  const formulas = columns.some(isComputed) ? columns.map(computedOf) : null;

  const isMarked = rowsIn(item.field_value).some((row) => rowMark in row);
  /** Recomputes the computed columns of changed rows. If rows are numbered, new ones are marked as new. */
  const put = (next: readonly TableRow[]) => {
    const before = new Set(rows);
    const settled = (row: TableRow) => {
      if (before.has(row)) return row;
      const own = isMarked && !(rowMark in row) ? { ...row, [rowMark]: 0 } : row;
      return formulas ? withRow(formulas, own, { left: usualBudget, works }) : own;
    };
    control.onChange?.(next.map(settled));
  };
  /** A copy of a row with the cells its writer may fill in. */
  const likeOf = (row: TableRow): TableRow =>
    Object.fromEntries(
      columns.flatMap(({ field_key: key, field_attribute }) =>
        field_attribute !== 1 && key in row ? [[key, row[key]]] : [],
      ),
    );
  return (
    <RowGrid<TableRow>
      control={control}
      rows={rows}
      columns={columns.map(({ field_key, field_name, field_attribute }) => ({
        key: field_key,
        title: field_name,
        required: field_attribute === 2,
      }))}
      max={max}
      fresh={() => ({})}
      likeOf={likeOf}
      onRows={put}
      onCell={(row, key, value) => {
        const { [key]: _before, ...others } = row;
        return isEmptyCell(value) ? others : { ...others, [key]: value };
      }}
      paste={(text, place) => pasted(text, item.columns, rows, place)}
      cell={({ key }, inner, row) => {
        const column = columns.find((one) => one.field_key === key)!;
        return column.field_attribute === 1 && !isComputed(column) ? (
          <Cell item={item} column={column} row={row} />
        ) : (
          cell(column, inner, row)
        );
      }}
      tools={(replace) =>
        workflow !== undefined && (
          <SheetIn
            label={item.field_name}
            columns={item.columns}
            room={max - rows.filter((row) => !isBlank(row)).length}
            disabled={disabled}
            workflow={workflow}
            onRows={(more) => replace([...rows.filter((row) => !isBlank(row)), ...more])}
          />
        )
      }
    />
  );
}
