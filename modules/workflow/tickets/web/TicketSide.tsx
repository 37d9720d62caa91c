import { Button, Modal } from 'antd';
import { useState } from 'react';
import type { Detail } from '../contract/shapes.ts';
import { FlowGraph } from './FlowGraph.tsx';
import { Copies } from './log/Copies.tsx';
import { Family } from './log/Family.tsx';
import type { Edited } from './record/ahead.ts';
import type { isNews } from './log/news.tsx';
import { Looking } from './log/Looking.tsx';
import { Timeline } from './log/Timeline.tsx';

interface Props {
  ticket: Detail;
  /** The last log row that was read. */
  until: Parameters<typeof isNews>[1];
  edited: Edited;
}

/** The side of a ticket's page: progress, related items and log. */
export function TicketSide({ ticket, until, edited }: Props) {
  return (
    <>
      {ticket.record_path !== null && ticket.why_me && <p className="kit-muted">等您办理：{ticket.why_me}</p>}
      <Looking ticket={ticket.id} />
      <Timeline ticket={ticket} until={until} edited={edited} />
      {ticket.record_path !== null && <FlowButton ticket={ticket} />}
      <Family ticket={ticket} />
      <Copies copies={ticket.copies} />
    </>
  );
}

function FlowButton({ ticket }: { ticket: Detail }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>流程图</Button>
      <Modal title="流程图" open={open} onCancel={() => setOpen(false)} footer={null} width={960} destroyOnHidden>
        <FlowGraph ticket={ticket} />
      </Modal>
    </>
  );
}
