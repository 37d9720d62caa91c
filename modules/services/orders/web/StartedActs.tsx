import { Spin } from 'antd';
import type { ReactNode } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { StartedRow } from '#kernel/web/registry.ts';
import { StartedActs as OfTicket } from '#modules/workflow/tickets/widgets.tsx';
import { orders } from '../contract/orders.ts';
import { useActions } from './parts/actions.tsx';

/** Withdraws one's own report, as its page does, or urges its handler. */
export default function StartedActs({ row, none }: { row: StartedRow; none: ReactNode }) {
  const { data, error } = useCall(orders.get, { params: { id: row.of } }, { quiet: true });
  const { buttons, drawer } = useActions();
  if (!data && !error) return <Spin size="small" />;
  const own = data?.value.actions.includes('withdraw') && buttons(data.value, ['withdraw'], 'small');
  return (
    <>
      <OfTicket row={row} none={none} besides={own} among={['urge']} />
      {drawer}
    </>
  );
}
