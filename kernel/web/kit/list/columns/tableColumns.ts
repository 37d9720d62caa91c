import type { TableProps } from 'antd';
import type { core } from 'zod';
import { cellText } from '../rows/cell.tsx';
import type { ListColumn } from './columns.ts';
import { shapeOf } from '../../form/rules.ts';
import { fieldColumn, type FieldColumn } from './listColumns.ts';

type Column<Row> = NonNullable<TableProps<Row>['columns']>[number];

/**
 * The columns of a table within a page by the names of the row's fields, titled and shown like those of a list. `form` gives the titles of fields
 * that have none.
 */
export function tableColumns<Row>(
  row: core.$ZodType<Row>,
  columns: { readonly [K in keyof Row & string]?: FieldColumn<NoInfer<Row>> },
  form: Readonly<Record<string, core.$ZodType>> = {},
): Column<Row>[] {
  const said = { ...shapeOf(row), ...form };
  return Object.entries<FieldColumn<Row>>(columns as Record<string, FieldColumn<Row>>).map(([key, column]) =>
    tableColumn(fieldColumn<Row>(key, said[key], column)),
  );
}

/** Converts a column of a list to one of a table within a page. */
export function tableColumn<Row>(column: ListColumn<Row>): Column<Row> {
  const { key, title, width, number, main } = column;
  return {
    key,
    title,
    ...(width !== undefined && { width }),
    ...(main && { className: 'kit-main' }),
    ...(number && { align: 'right' as const, className: 'kit-figures' }),
    render: (_value: unknown, one: Row) => cellText(column, one),
  };
}
