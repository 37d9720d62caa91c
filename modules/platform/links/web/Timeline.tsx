import { Skeleton } from 'antd';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { links } from '../contract.ts';

/** Events, newest first; with the record's name if it is another than this. */
export function Timeline({ module, id }: { module: string; id: number }) {
  const { data, error, refetch } = useCall(links.timeline, { query: { module, id } });
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  const isOther = (record: { module: string; id: number }) => record.module !== module || record.id !== id;
  return (
    <ol className="link-time" aria-label="事项时间线">
      {data.value.map((row, index) => (
        <li key={index}>
          <time className="kit-muted kit-figures">{row.at.slice(0, 16)}</time>
          <span>
            {row.who} {row.what}
            {isOther(row.record) && (
              <>
                {' · '}
                {row.record.module_name} <Link to={row.record.page}>{row.record.title}</Link>
              </>
            )}
          </span>
        </li>
      ))}
      {data.more && <li className="kit-muted">更早的记录请到各事项中查看</li>}
    </ol>
  );
}
