import { Suspense } from 'react';
import { later } from '#kernel/web/later.tsx';
import type { WaitingRow } from '#modules/platform/waits/contract.ts';
import { registry } from '../pages.ts';

const acts = Object.fromEntries(Object.entries(registry.acts).map(([page, load]) => [page, later(load)]));
const batches = Object.fromEntries(Object.entries(registry.batches).map(([page, load]) => [page, later(load)]));

/** The row in the shape that its module expects. */
const known = ({ of, title, web_path }: WaitingRow) => ({ id: of, title, web_path });

interface Props {
  row: WaitingRow;
  /** All rows that are shown with it. */
  rows: readonly WaitingRow[];
  whole?: boolean;
}

/** The one-click actions that its kind offers for a waiting item. */
export function RowActs({ row, rows, whole }: Props) {
  const Act = acts[row.page];
  const among = rows.flatMap((one) => (one.page === row.page ? one.of : []));
  return <Suspense>{Act && <Act row={known(row)} among={among} {...(whole !== undefined && { whole })} />}</Suspense>;
}

/** True if several of its kind may be decided at once: a decision from a list removes the row before it is sent. */
export const isInBatch = (row: WaitingRow): boolean => row.page in batches;

/** The actions for several rows at once, for each kind among them. */
export function BatchActs({ rows, clear }: { rows: readonly WaitingRow[]; clear: () => void }) {
  return [...Map.groupBy(rows.filter(isInBatch), (row) => row.page)].map(([page, some]) => {
    const Batch = batches[page]!;
    return (
      <Suspense key={page}>
        <Batch rows={some.map(known)} clear={clear} />
      </Suspense>
    );
  });
}
