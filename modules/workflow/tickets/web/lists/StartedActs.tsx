import { Button, Spin } from 'antd';
import { useState, type ReactNode } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { StartedRow } from '#kernel/web/registry.ts';
import type { Offered } from '#modules/workflow/workflows/contract/shapes.ts';
import { tickets } from '../../contract.ts';
import { ActionDrawer } from '../actions/ActionDrawer.tsx';
import { actionOf } from '../actions/actions.ts';

interface Props {
  row: StartedRow;
  none: ReactNode;
  /** Additional actions of its module. */
  besides?: ReactNode;
  among?: readonly Offered['code'][];
}

/** Urges the holder of a ticket that one started, or takes it back: under the same rules as the ticket's page. */
export default function StartedActs({ row: { ticket }, none, besides, among = ['urge', 'retreat'] }: Props) {
  const [opened, setOpened] = useState<Offered | null>(null);
  const { data, error, refetch } = useCall(
    tickets.transitions,
    { params: { id: ticket?.id ?? 0 } },
    { quiet: true, enabled: ticket !== null },
  );
  // If loading is refused there are no ticket actions; those of its module are shown all the same.
  if (ticket && !data && !error) return <Spin size="small" />;
  const transitions = data?.value ?? [];
  const offers = transitions.filter(({ code }) => among.includes(code));
  const action = opened && actionOf(opened);
  if (offers.length === 0 && !besides && !opened) return none;
  return (
    <>
      {besides}
      {offers.map((offer) => (
        <Button key={offer.code} size="small" danger={offer.code === 'retreat'} onClick={() => setOpened(offer)}>
          {offer.transition_name}
        </Button>
      ))}
      {ticket && opened && action && (
        <ActionDrawer
          ticket={{ ...ticket, transitions }}
          offer={opened}
          action={action}
          words=""
          onDone={() => setOpened(null)}
          onStale={() => void refetch()}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
