import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { tickets } from '../../contract.ts';
import { Lines } from './Lines.tsx';

/** The latest tickets I started and where they stand. */
export default function Started() {
  const { data, error, refetch } = useCall(tickets.list, { query: { category: 'owner', per_page: 5 } }, { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  return (
    <>
      <p className="kit-muted">
        <Link className="ticket-more" to="/ticket/owner">
          共 {data.total}
          {data.total_capped ? '+' : ''} 张
        </Link>
      </p>
      <Lines
        rows={data.value}
        empty={
          <>
            您还没有发起过工单，可以
            <Link className="ticket-more" to="/ticket/new">
              发起工单
            </Link>
          </>
        }
      />
    </>
  );
}
