import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { ListRow } from './rows/ListTable.tsx';

/** The parameter of the address that names the current row. */
export const rowKey = 'row';

/**
 * The index of the row under the keyboard, and functions to move it. If the address names the row and the row leaves the list, the next row takes its
 * place, and the address follows.
 */
export function useCurrentRow<Row extends ListRow>(rows: readonly Row[], inAddress: boolean, settled: boolean) {
  const [kept, keep] = useState(-1);
  const [search, setSearch] = useSearchParams();
  const named = inAddress ? search.get(rowKey) : null;
  const found = named === null ? -1 : rows.findIndex((row) => String(row.id) === named);
  if (found >= 0 && found !== kept) keep(found);
  const at = found >= 0 ? found : Math.min(kept, rows.length - 1);
  const name = useCallback(
    (id: Row['id'] | undefined) =>
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete(rowKey);
          if (id !== undefined) next.set(rowKey, String(id));
          return next;
        },
        { replace: true },
      ),
    [setSearch],
  );
  const gone = settled && named !== null && found < 0;
  const next = rows[Math.max(0, at)]?.id;
  useEffect(() => {
    if (gone) name(next);
  }, [gone, next, name]);
  const move = (to: number) => {
    keep(to);
    if (inAddress) name(rows[to]?.id);
  };
  return [at, move] as const;
}
