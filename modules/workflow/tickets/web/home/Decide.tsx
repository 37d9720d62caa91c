import { Button } from 'antd';
import { useState } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import type { WaitingRow } from '#kernel/web/registry.ts';
import { tickets } from '../../contract.ts';
import { BatchDrawer, inBatch } from '../lists/batch/BatchDrawer.tsx';
import { useDeciding, useGoing } from '../lists/batch/useDeciding.tsx';

interface Props {
  row: WaitingRow;
  among: readonly number[];
  whole?: boolean;
}

/** Agrees to a ticket that may be decided from a list, or refuses it; one with a record must be read first. */
export default function Decide({ row, among, whole = false }: Props) {
  const query = { category: 'duty', ticket_ids: among.join(), per_page: 100 } as const;
  const { data } = useCall(tickets.list, { query }, { meta: live, quiet: true });
  const going = useGoing();
  const decide = useDeciding();
  const [refusing, setRefusing] = useState(false);
  const ticket = data?.value.find((one) => one.id === row.id);
  if (!ticket || !inBatch(ticket) || ticket.record_path !== null) return null;
  return (
    <>
      <Button
        size="small"
        data-decides="a"
        disabled={going.has(row.id)}
        onClick={() => void decide([ticket], { action: 'agree', suggestion: '' })}
      >
        {going.has(row.id) ? '已同意' : '同意'}
      </Button>
      {whole && (
        <Button size="small" danger data-decides="r" disabled={going.has(row.id)} onClick={() => setRefusing(true)}>
          拒绝
        </Button>
      )}
      {refusing && <BatchDrawer action="refuse" rows={[ticket]} onClose={() => setRefusing(false)} />}
    </>
  );
}
