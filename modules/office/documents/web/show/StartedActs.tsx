import { Spin } from 'antd';
import type { ReactNode } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { StartedRow } from '#kernel/web/registry.ts';
import { StartedActs as OfTicket } from '#modules/workflow/tickets/widgets.tsx';
import { documents } from '../../contract.ts';
import { useUrging } from './DocumentActions.tsx';

/** Urges the handlers of one's own document, as its page does, or withdraws it. */
export default function StartedActs({ row, none }: { row: StartedRow; none: ReactNode }) {
  const { buttons, drawer } = useUrging();
  const { data, error } = useCall(documents.get, { params: { id: row.of } }, { quiet: true });
  if (!data && !error) return <Spin size="small" />;
  const urges = data?.value.actions.includes('urge') && buttons(data.value, data.value.actions, { size: 'small' });
  return (
    <>
      <OfTicket row={row} none={none} besides={urges} among={['retreat']} />
      {drawer}
    </>
  );
}
