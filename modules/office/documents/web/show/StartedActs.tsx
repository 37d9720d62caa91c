import { App, Button, Spin } from 'antd';
import { useState, type ReactNode } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import type { StartedRow } from '#kernel/web/registry.ts';
import { StartedActs as OfTicket } from '#modules/workflow/tickets/widgets.tsx';
import { documents } from '../../contract.ts';
import { UrgeDrawer } from './UrgeDrawer.tsx';

/** Urges the handlers of one's own document, as its page does, or withdraws it. */
export default function StartedActs({ row, none }: { row: StartedRow; none: ReactNode }) {
  const { message } = App.useApp();
  const [open, setOpen] = useState(false);
  const { data, error } = useCall(documents.get, { params: { id: row.of } }, { quiet: true });
  if (!data && !error) return <Spin size="small" />;
  const urges = data?.value.actions.includes('urge') && (
    <Button size="small" onClick={() => setOpen(true)}>
      催办
    </Button>
  );
  return (
    <>
      <OfTicket row={row} none={none} besides={urges} among={['retreat']} />
      {open && (
        <UrgeDrawer
          id={row.of}
          onClose={() => setOpen(false)}
          onDone={({ sent }) => void message.success(`已提醒 ${sent} 人`)}
        />
      )}
    </>
  );
}
