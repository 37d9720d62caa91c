import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { subs } from '../contract/supervise.ts';
import { Light } from './parts/columns.tsx';

const shown = 6;
/** My parts that are open, what is worst first; and what of what I supervise waits for me. */
export default function MyTasks() {
  const counts = useCall(subs.count, {}, { meta: live });
  const query = { mine: true, order_by: 'urgent', per_page: 20 } as const;
  const { data, error, refetch } = useCall(subs.list, { query }, { meta: live });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  const rows = data.value.filter((row) => row.light > 0);
  const { to_check = 0, requests = 0 } = counts.data ?? {};
  return (
    <>
      {to_check + requests > 0 && (
        <p>
          <Link to="/supervise/list?tab=check">待审核 {to_check}</Link>　
          <Link to="/supervise/list?tab=request">待决定 {requests}</Link>
        </p>
      )}
      {rows.length === 0 && <p className="kit-muted">没有办理中的督办任务</p>}
      <ul className="kit-lines">
        {rows.slice(0, shown).map((row) => (
          <li key={row.id}>
            <Link to={`/supervise/detail/${row.supervise_id}`}>{row.title}</Link>
            <span className="kit-grow" />
            <span className="kit-muted">{row.due_at?.slice(5, 16)}</span>
            <Light light={row.light} />
          </li>
        ))}
      </ul>
    </>
  );
}
