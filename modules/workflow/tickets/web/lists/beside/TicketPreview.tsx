import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { tickets } from '../../../contract.ts';
import { Timeline } from '../../log/Timeline.tsx';
import { useChangedFields, useReadUntil } from '../../log/news.tsx';
import { Handling } from '../../record/Handling.tsx';
import { WhyMe } from '../../log/WhyMe.tsx';

/** A ticket beside its list: its form, its progress, and my actions. A record that it decides is read and decided on its own page. */
export default function TicketPreview({ id }: { id: number }) {
  const { data, error, refetch, dataUpdatedAt } = useCall(tickets.get, { params: { id } }, { meta: live });
  const ticket = data?.value;
  const until = useReadUntil(ticket, dataUpdatedAt);
  const changed = useChangedFields(ticket, until);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!ticket) return <Skeleton active paragraph={{ rows: 8 }} />;
  return (
    <Handling ticket={ticket} changed={changed} onMoved={() => undefined}>
      {({ form, actions, notice, edited }) => (
        <div className="kit-stack">
          <header>
            <h2>{ticket.title}</h2>
            <p className="kit-muted">
              {ticket.sn} · {ticket.workflow_info.workflow_name} · {ticket.state.state_name}
            </p>
            <WhyMe ticket={ticket} />
          </header>
          {ticket.record_path && (
            <Link className="kit-link" to={ticket.record_path}>
              打开后查看内容并办理
            </Link>
          )}
          {notice}
          {form}
          <Timeline ticket={ticket} until={until} edited={edited} />
          {actions && !ticket.record_path && (
            <footer className="kit-actions" aria-label="操作">
              {actions}
            </footer>
          )}
        </div>
      )}
    </Handling>
  );
}
