import { Checkbox } from 'antd';
import type { ReactNode } from 'react';
import { isMoment } from '../../show/Moment.tsx';
import { cellText } from './cell.tsx';
import type { ListRow, RowsProps } from './ListTable.tsx';
import { RowTitle } from '../RowTitle.tsx';
import type { ListColumn } from '../columns/columns.ts';

/** The list on a phone: a card for each row with its title and the facts that the list chose; the card opens the row for the rest. */
export function ListCards<Row extends ListRow>(props: RowsProps<Row>) {
  const {
    rows,
    columns,
    facts = [],
    first,
    loading,
    empty,
    selected = [],
    onSelect,
    choosable,
    to,
    onOpen,
    rowActions,
  } = props;
  const main = columns.find((column) => column.main) ?? columns[0];
  if (rows.length === 0) return <>{empty}</>;
  return (
    <ul className={loading ? 'kit-cards kit-dimmed' : 'kit-cards'} aria-busy={loading}>
      {rows.map((row, index) => (
        <li key={row.id} className="kit-panel">
          <div className="kit-row kit-card-head">
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
          <div className="kit-card-facts">
            {/* A card that cannot be opened shows everything. */}
            {(to || onOpen ? facts : columns)
              .filter((column) => column !== main && cellText(column, row) !== '—')
              .map((column) => (
                <span key={column.key}>
                  {nameOf(column, row)}
                  {cellText(column, row)}
                </span>
              ))}
          </div>
          {rowActions && <div className="kit-row kit-card-actions">{rowActions(row)}</div>}
        </li>
      ))}
    </ul>
  );
}

/** The label of a value: a moment or a number needs one, a code drawn as a tag does not. */
function nameOf<Row>(column: ListColumn<Row>, row: Row): ReactNode {
  const value = (row as Record<string, unknown>)[column.key];
  const figure = column.number === true || isMoment(value);
  if (!figure && typeof value !== 'number') return null;
  return <span className={figure ? 'kit-muted' : 'kit-muted kit-coded'}>{column.title} </span>;
}
