import { Checkbox } from 'antd';
import { cellText } from './cell.tsx';
import type { ListRow, RowsProps } from './ListTable.tsx';
import { RowTitle } from '../RowTitle.tsx';

/** The phone's form of a list: one card a row, the same columns as named lines. */
export function ListCards<Row extends ListRow>(props: RowsProps<Row>) {
  const { rows, columns, first, loading, empty, selected = [], onSelect, choosable, rowActions } = props;
  const main = columns.find((column) => column.main) ?? columns[0];
  if (rows.length === 0) return <>{empty}</>;
  return (
    <ul className={loading ? 'kit-cards kit-dimmed' : 'kit-cards'} aria-busy={loading}>
      {rows.map((row, index) => (
        <li key={row.id} className="kit-panel">
          <div className="kit-row">
            {onSelect && choosable(row) && (
              <Checkbox
                aria-label={`选择第 ${index + 1} 行`}
                checked={selected.includes(row.id)}
                onChange={(event) =>
                  onSelect(event.target.checked ? [...selected, row.id] : selected.filter((id) => id !== row.id))
                }
              />
            )}
            <RowTitle {...props} row={row} className="kit-link kit-card-title">
              {first !== undefined && <span className="kit-muted">{first + index}. </span>}
              {main && cellText(main, row)}
            </RowTitle>
          </div>
          <dl>
            {columns
              .filter((column) => column !== main && cellText(column, row) !== '—')
              .map((column) => (
                <div key={column.key}>
                  <dt>{column.title}</dt>
                  <dd>{cellText(column, row)}</dd>
                </div>
              ))}
          </dl>
          {rowActions && <div className="kit-row">{rowActions(row)}</div>}
        </li>
      ))}
    </ul>
  );
}
