import { Skeleton } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Waited } from '#kernel/web/kit/show/Waited.tsx';
import { HalfWritten } from '#modules/workflow/tickets/widgets.tsx';
import { allKinds, type WaitingRow } from '#modules/platform/waits/contract.ts';
import { useUrgent, useWaits, WaitingLight } from '#modules/platform/waits/widgets.tsx';
import { RowActs } from '../inbox/RowActs.tsx';
import { isOwn, mostKept, useKeptLastWaits } from './last-waits.ts';

const most = 8;

/** The most urgent items that wait for me, from whichever module, of one kind or all, and the number of the others. */
export function Waiting() {
  const { data: counts, error, refetch } = useWaits();
  const [chosen, setChosen] = useState(allKinds);
  const kind = counts?.value.find(({ key, count }) => key === chosen && count > 0);
  const category = kind?.key ?? allKinds;
  const kinds = counts?.value.filter(({ count }) => count > 0) ?? [];
  useKeptLastWaits();
  // The stored list needs more rows, so one query serves both.
  const urgent = useUrgent(isOwn() ? mostKept : most, category);
  const failed = error ?? urgent.error;
  if (failed && !(counts && urgent.data))
    return <FailedState error={failed} retry={() => void Promise.all([refetch(), urgent.refetch()])} />;
  if (!counts) return <Skeleton active title={false} paragraph={{ rows: most * 2 }} />;
  const rows = urgent.data?.value.slice(0, most) ?? [];
  const further = (kind?.count ?? counts.total) - rows.length;
  return (
    <>
      <HalfWritten />
      {kinds.length > 1 && (
        <div className="home-kinds" role="group" aria-label="事项类型">
          <Chip on={!kind} onClick={() => setChosen(allKinds)} title="全部" count={counts.total} />
          {kinds.map((one) => (
            <Chip
              key={one.key}
              on={one === kind}
              onClick={() => setChosen(one.key)}
              title={one.title}
              count={one.count}
              overdue={one.overdue}
            />
          ))}
        </div>
      )}
      {counts.total === 0 && <p className="kit-muted">现在没有等您处理的事项</p>}
      <ul className="home-waits">
        {rows.map((row) => (
          <Line key={row.id} row={row} rows={rows} />
        ))}
      </ul>
      {urgent.data && further > 0 && (
        <p className="home-more">
          <Link className="kit-link" to={kind ? `/todo?category=${kind.key}` : '/todo'}>
            还有 {further} 项
          </Link>
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

function Line({ row, rows }: { row: WaitingRow; rows: readonly WaitingRow[] }) {
  return (
    <li>
      <div className="home-what">
        <Link to={row.web_path}>{row.title}</Link>
        <span className="kit-muted">
          {[row.what || row.kind, row.who].filter(Boolean).join(' · ')}
          {row.since && (
            <>
              {' '}
              · 已等 <Waited since={row.since} />
            </>
          )}
        </span>
      </div>
      {(row.due_at || row.light) && (
        <span className="home-due">
          <WaitingLight row={row} />
        </span>
      )}
      <RowActs row={row} rows={rows} />
      <Link className="home-open" to={row.web_path} aria-label={`办理 ${row.title}`}>
        办理
      </Link>
    </li>
  );
}
