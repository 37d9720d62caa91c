import { cellText } from './cell.tsx';
import type { ListRow, RowsProps } from './ListTable.tsx';

/** A list on paper: every column in full, its header on each page. */
export function PrintedRows<Row extends ListRow>({ rows, columns, first }: RowsProps<Row>) {
  return (
    <table className="kit-printed">
      <thead>
        <tr>
          {first !== undefined && <th>序号</th>}
          {columns.map((column) => (
            <th key={column.key}>{column.title}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={row.id}>
            {first !== undefined && <td>{first + index}</td>}
            {columns.map((column) => (
              <td key={column.key}>
                {cellText(column, row)}
                {column.note && <div>{column.note(row)}</div>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
