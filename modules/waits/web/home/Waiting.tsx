import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import type { Waiting as Kind } from '../../contract.ts';
import { useWaits } from '../use-waits.ts';

/** Tickets have a part of the home page of their own. */
const elsewhere = 'ticket/duty';
const shown = 5;

/** What waits for me besides tickets: how much of each kind, and what is due soonest. */
export default function Waiting() {
  const { data, error, refetch } = useWaits(shown);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  const kinds = data.value.filter((kind) => kind.count > 0 && kind.page !== elsewhere);
  if (kinds.length === 0) return <p className="kit-muted">现在没有等待阅读和确认的事项</p>;
  return (
    <>
      {kinds.map((kind) => (
        <Rows key={kind.page} kind={kind} />
      ))}
    </>
  );
}

function Rows({ kind }: { kind: Kind }) {
  return (
    <section aria-label={kind.title}>
      <p className="kit-muted">
        <Link to={kind.path}>
          {kind.title} {kind.count}
        </Link>
        {kind.overdue > 0 && ` · 逾期 ${kind.overdue}`}
      </p>
      <ul className="kit-lines">
        {kind.rows.map((row) => (
          <li key={row.id}>
            <Link to={row.web_path}>{row.title}</Link>
            <span className="kit-grow" />
            {row.due_at && <span className="kit-muted">{row.due_at.slice(0, 16)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
