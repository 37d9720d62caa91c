import { Button, Popover } from 'antd';
import { live, useCall } from '#kernel/web/calls.ts';
import { tickets } from '../../contract.ts';
import type { Detail, FlowLog } from '../../contract/shapes.ts';
import { latestActionsOf, doerOf, sentencesOf, still } from './opinions.ts';

/** Explains why a ticket waits for the reader: the last action, and the flow's reasons. */
export function WhyMe({ ticket }: { ticket: Detail }) {
  const { data } = useCall(tickets.flowsteps, { params: { id: ticket.id } }, { meta: live });
  const mine = ticket.transitions.find((offer) => offer.task_no !== null);
  if (!mine) return null;
  const here = data?.value.find((step) => step.state_id === mine.state_id)?.state_name ?? ticket.state.state_name;
  return (
    <>
      {ticket.why_me && <span className="ticket-why-me">{ticket.why_me}</span>}
      <Popover
        trigger="click"
        placement="bottomLeft"
        content={
          <div className="ticket-why">
            {ticket.why_me && <p>{ticket.why_me}。</p>}
            {whyOf(latestActionsOf(data?.value ?? [])).map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
            <p>现在处于“{here}”，等您办理。</p>
          </div>
        }
      >
        <Button type="link" size="small" className="ticket-why-open">
          为什么到我这里
        </Button>
      </Popover>
    </>
  );
}

/** The last action that moved the ticket and the automatic ones after it, with their reasons, as sentences. */
export function whyOf(actions: readonly FlowLog[]): string[] {
  const moving = actions.filter((log) => !still.includes(log.action));
  const from = moving.findLastIndex((log) => log.participant_info !== null);
  const sentences = moving.slice(Math.max(0, from)).flatMap((log) => {
    const { words, reasons } = sentencesOf(log);
    const action = `${doerOf(log)} ${log.gmt_created.slice(0, 16)} 在“${log.state.state_name}”办理：${log.transition.transition_name}`;
    return [words ? `${action}，${words}` : action, ...reasons];
  });
  return [...new Set(sentences)];
}
