import { Skeleton, Tag } from 'antd';
import { Link } from 'react-router';
import { anyLive, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { started } from '#modules/platform/started/contract.ts';
import '../tickets.css';

/** The latest things I started, of any module, with their progress. */
export default function Started() {
  const { data, error, refetch } = useCall(started.list, { query: { per_page: 5 } }, { meta: anyLive });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  if (data.value.length === 0)
    return (
      <p className="kit-muted">
        您还没有发起过事项，可以
        <Link className="ticket-more" to="/ticket/new">
          去发起
        </Link>
      </p>
    );
  return (
    <>
      <p className="kit-muted">
        <Link className="ticket-more" to="/ticket/owner">
          共 {data.total} 项
        </Link>
      </p>
      <ul className="ticket-lines">
        {data.value.map((row) => (
          <li key={row.id}>
            <Link to={row.web_path}>{row.title}</Link>
            <span className="kit-muted">
              {row.step} {row.light && <Tag color={row.light.tone}>{row.light.word}</Tag>}
            </span>
            <Tag color={row.state.tone}>{row.state.word}</Tag>
          </li>
        ))}
      </ul>
    </>
  );
}
