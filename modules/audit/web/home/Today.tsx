import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { dayOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { audit } from '../../contract.ts';
import { logName } from '../../contract/log-names.ts';

/** How the site fares today: what was done, and the latest that was refused. */
export default function Today() {
  const today = dayOf(new Date());
  const all = useCall(audit.list, { query: { created_from: today, per_page: 1 } });
  const denied = useCall(audit.list, { query: { created_from: today, result: 'denied', per_page: 3 } });
  const error = all.error ?? denied.error;
  if (error && !(all.data && denied.data)) {
    return (
      <FailedState
        error={error}
        retry={() => {
          void all.refetch();
          void denied.refetch();
        }}
      />
    );
  }
  if (!all.data || !denied.data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  return (
    <>
      <p className="kit-muted">
        <Link to="/system/log">今日操作 {all.data.total}</Link> · 被拒绝 {denied.data.total}
      </p>
      {denied.data.value.map((row) => (
        <p key={row.id} className="kit-muted">
          <Moment at={row.gmt_created} /> {row.alias || row.username || row.ip} · {logName(row.module)} · {row.action}{' '}
          被拒绝
        </p>
      ))}
      {denied.data.total === 0 && <p className="kit-muted">今天没有被拒绝的访问</p>}
    </>
  );
}
