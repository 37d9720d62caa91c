import { Button } from 'antd';
import { live, useCall } from '#kernel/web/calls.ts';
import type { WaitingRow } from '#kernel/web/registry.ts';
import { tickets } from '../../contract.ts';
import { inBatch } from '../lists/batch/BatchDrawer.tsx';
import { useDeciding, useGoing } from '../lists/batch/useDeciding.tsx';

/** Agrees to a ticket that may be decided from a list; one that decides a record is read first. */
export default function Agree({ row }: { row: WaitingRow }) {
  // The same for every row, so it is asked once.
  const query = { category: 'duty', order_by: 'due_at', per_page: 50 } as const;
  const { data } = useCall(tickets.list, { query }, { meta: live, quiet: true });
  const going = useGoing();
  const decide = useDeciding();
  const ticket = data?.value.find((one) => one.id === row.id);
  if (!ticket || !inBatch(ticket) || ticket.record_path !== null) return null;
  return (
    <Button
      size="small"
      disabled={going.has(row.id)}
      onClick={() => void decide([ticket], { action: 'agree', suggestion: '' })}
    >
      {going.has(row.id) ? '已同意' : '同意'}
    </Button>
  );
}
