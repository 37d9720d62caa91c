import { Skeleton, Tag } from 'antd';
import { Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { later } from '#kernel/web/later.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { Waited } from '#kernel/web/kit/show/Waited.tsx';
import { lights } from '#modules/workflow/tickets/contract/due.ts';
import { HalfWritten } from '#modules/workflow/tickets/widgets.tsx';
import { registry } from '../pages.ts';
import { keepLastWaits } from './last-waits.ts';
import { byUrgency, perKind, useAllThatWaits, type Row } from './urgency.ts';

const shown = 8;
const acts = Object.fromEntries(Object.entries(registry.acts).map(([page, load]) => [page, later(load)]));

/** All that waits for me, whichever module it comes from, in one list; the most urgent few of it unless it is `whole`. */
export function Waiting({ whole = false }: { whole?: boolean }) {
  const { kinds, total: sum, error, refetch } = useAllThatWaits();
  const [chosen, setChosen] = useState<string | null>(null);
  const [more, setMore] = useState(false);
  const all = whole || more;
  useEffect(() => {
    const now = new Date();
    if (kinds) keepLastWaits(byUrgency(kinds, now), sum, now);
  }, [kinds, sum]);
  if (error && !kinds) return <FailedState error={error} retry={() => void refetch()} />;
  if (!kinds) return <Skeleton active title={false} paragraph={{ rows: shown * 2 }} />;
  const kind = kinds.find((one) => one.path === chosen);
  const rows = byUrgency(kind ? [kind] : kinds, new Date());
  const total = kind ? kind.count : sum;
  return (
    <>
      <HalfWritten />
      {kinds.length > 1 && (
        <div className="home-kinds" role="group" aria-label="事项类型">
          <Chip on={!kind} onClick={() => setChosen(null)} title="全部" count={sum} />
          {kinds.map((one) => (
            <Chip
              key={one.path}
              on={one === kind}
              onClick={() => setChosen(one.path)}
              title={one.title}
              count={one.count}
              overdue={one.overdue}
            />
          ))}
        </div>
      )}
      {rows.length === 0 && <p className="kit-muted">现在没有等您处理的事项</p>}
      <ul className="home-waits">
        {(all ? rows : rows.slice(0, shown)).map((row) => (
          <Line key={`${row.kind.page}:${row.id}:${row.web_path}`} row={row} />
        ))}
      </ul>
      {total > shown && (
        <p className="home-more">
          {kind ? (
            <Link to={kind.path}>
              打开{kind.title}，共 {total} 项
            </Link>
          ) : (
            !whole && (
              <button type="button" className="kit-link" onClick={() => setMore(!more)}>
                {more ? '收起' : `显示全部，共 ${total} 项`}
              </button>
            )
          )}
          {all &&
            !kind &&
            kinds.map(
              (one) =>
                one.count > perKind && (
                  <Link key={one.path} to={one.path}>
                    打开{one.title}，共 {one.count} 项
                  </Link>
                ),
            )}
        </p>
      )}
    </>
  );
}

interface ChipProps {
  on: boolean;
  onClick: () => void;
  title: string;
  count: number;
  overdue?: number;
}
function Chip({ on, onClick, title, count, overdue = 0 }: ChipProps) {
  return (
    <button type="button" aria-pressed={on} onClick={onClick}>
      {title} <span className="kit-figures">{count}</span>
      {overdue > 0 && <span className="home-late">逾期 {overdue}</span>}
    </button>
  );
}

function Line({ row }: { row: Row }) {
  const Act = acts[row.kind.page];
  return (
    <li>
      <div className="home-what">
        <Link to={row.web_path}>{row.title}</Link>
        <span className="kit-muted">
          {[row.what || row.kind.title, row.who].filter(Boolean).join(' · ')}
          {row.since && (
            <>
              {' '}
              · 已等 <Waited since={row.since} />
            </>
          )}
        </span>
      </div>
      {row.due_at && (
        <span className="home-due">
          <Moment at={row.due_at} />{' '}
          <Tag color={['default', 'success', 'warning', 'error'][row.light]}>{lights[row.light]}</Tag>
        </span>
      )}
      <Suspense>{Act && <Act row={row} />}</Suspense>
      <Link className="home-open" to={row.web_path} aria-label={`办理 ${row.title}`}>
        办理
      </Link>
    </li>
  );
}
