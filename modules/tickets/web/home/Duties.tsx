import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { tickets } from '../../contract.ts';
import { ticketState } from '../ticket-state.ts';
import { Lines } from './Lines.tsx';

/** What waits for me: how much, and the five most urgent. */
export default function Duties() {
  const { data, error, refetch } = useCall(tickets.userMsg, {}, { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  const begun = ticketState();
  return (
    <>
      <p className="kit-muted">
        <Link className="ticket-more" to="/ticket/duty">
          待处理 {data.duty}
        </Link>{' '}
        · 未读 {data.unread} · 本人逾期 {data.overdue}
      </p>
      {begun && begun.notes !== '' && begun.buttonList.length > 0 && (
        <p>
          意见写到一半：<Link to={`/ticket/detail/${begun.ticketId}`}>{begun.label}</Link>
        </p>
      )}
      <Lines rows={data.recent} empty="现在没有等您处理的工单" />
    </>
  );
}
