import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { codes } from '#kernel/contract/refusal.ts';
import { anyOwn, useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { setupCalls } from '../../contract/setup.ts';

/** The steps of setting up that are left, on the home page of administrators; nothing once all are done. */
export default function SetupLeft() {
  const { data, error, refetch } = useCall(setupCalls.steps, {}, { meta: anyOwn, quiet: true });
  // The page is theirs, the whole organisation is not: there is nothing for them to prepare.
  if (error?.code === codes.forbidden) return <span className="home-nothing" />;
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />;
  const left = data.value.filter(({ state }) => state === 'open');
  if (left.length === 0) return <span className="home-nothing" />;
  return (
    <ul className="kit-lines">
      <li>
        <Link to="/system/setup">
          已完成 {data.value.filter(({ state }) => state === 'done').length} 项，还有 {left.length} 项
        </Link>
      </li>
      {left.map((row) => (
        <li key={row.key}>
          <Link to={row.web_path ?? '/system/setup'}>{row.title}</Link>
          <span className="kit-muted">{row.found}</span>
        </li>
      ))}
    </ul>
  );
}
