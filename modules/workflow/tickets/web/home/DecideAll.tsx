import { live, useCall } from '#kernel/web/calls.ts';
import type { WaitingRow } from '#kernel/web/registry.ts';
import { tickets } from '../../contract.ts';
import { BatchBar } from '../lists/batch/BatchBar.tsx';

/** Decides several tickets among the chosen to-dos. */
export default function DecideAll({ rows, clear }: { rows: readonly WaitingRow[]; clear: () => void }) {
  const query = { category: 'duty', ticket_ids: rows.map((row) => row.id).join(), per_page: 100 } as const;
  const { data } = useCall(tickets.list, { query }, { meta: live, quiet: true });
  return data && data.value.length > 0 ? <BatchBar rows={data.value} clear={clear} /> : null;
}
