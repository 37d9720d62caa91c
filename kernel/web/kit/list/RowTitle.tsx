import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ListRow, RowsProps } from './rows/ListTable.tsx';

interface Props<Row extends ListRow> extends Pick<RowsProps<Row>, 'to' | 'onOpen'> {
  row: Row;
  className: string;
  children: ReactNode;
}

/** Opens a row: a link if the row has an address, a button if this page opens it. */
export function RowTitle<Row extends ListRow>({ row, to, onOpen, className, children }: Props<Row>) {
  if (to)
    return (
      <Link to={to(row)} className={className}>
        {children}
      </Link>
    );
  if (!onOpen) return <>{children}</>;
  return (
    <button type="button" className={className} onClick={() => onOpen(row)}>
      {children}
    </button>
  );
}
