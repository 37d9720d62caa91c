import { Skeleton, Tag } from 'antd';
import { Suspense, useState } from 'react';
import { Link } from 'react-router';
import { momentOf } from '#kernel/contract/moment.ts';
import { later } from '#kernel/web/later.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { Waited } from '#kernel/web/kit/show/Waited.tsx';
import { lightOf, lights } from '#modules/tickets/contract/due.ts';
import { HalfWritten } from '#modules/tickets/widgets.tsx';
import type { Waiting as Kind } from '#modules/waits/contract.ts';
import { useWaits } from '#modules/waits/widgets.tsx';
import { registry } from '../pages.ts';

const perKind = 20;
const shown = 8;
const acts = Object.fromEntries(Object.entries(registry.acts).map(([page, load]) => [page, later(load)]));

type Row = Kind['rows'][number] & { kind: Kind; light: 0 | 1 | 2 | 3 };

/** What is late or nearly so first, then what is due soonest, then what has waited longest. */
export function byUrgency(kinds: readonly Kind[], now: Date): Row[] {
  const time = (at: string | null) => (at ? momentOf(at).getTime() : Infinity);
  const urgent = (row: Row) => (row.light > 1 ? -row.light : 0);
  const rows = kinds.flatMap((kind) =>
    kind.rows.map((row) => ({ ...row, kind, light: lightOf(row.due_at, true, now) as Row['light'] })),
  );
  // What two kinds show alike is one thing to do.
  const once = rows.filter(
    (row, at) => rows.findIndex((one) => one.web_path === row.web_path && one.title === row.title) === at,
  );
  return once.toSorted(
    (a, b) =>
      urgent(a) - urgent(b) ||
      (urgent(a) === 0 ? 0 : time(a.due_at) - time(b.due_at)) ||
      time(a.since) - time(b.since) ||
      time(a.due_at) - time(b.due_at),
  );
}

/** All that waits for me, whichever module it comes from, in one list. */
export function Waiting() {
  const { data, error, refetch } = useWaits(perKind);
  const [chosen, setChosen] = useState<string | null>(null);
  const [all, setAll] = useState(false);
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: shown * 2 }} />;
  const kinds = data.value;
  const kind = kinds.find((one) => one.page === chosen);
  const rows = byUrgency(kind ? [kind] : kinds, new Date());
  const total = kind ? kind.count : data.total;
  return (
    <>
      <HalfWritten />
      {kinds.length > 1 && (
        <div className="home-kinds" role="group" aria-label="事项类型">
          <Chip on={!kind} onClick={() => setChosen(null)} title="全部" count={data.total} />
          {kinds.map((one) => (
            <Chip
              key={one.page}
              on={one === kind}
              onClick={() => setChosen(one.page)}
              title={one.title}
              count={one.count}
              overdue={one.overdue}
            />
          ))}
        </div>
      )}
      {rows.length === 0 && <p className="kit-muted">现在没有等你处理的事项</p>}
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
            <button type="button" className="kit-link" onClick={() => setAll(!all)}>
              {all ? '收起' : `显示全部，共 ${total} 项`}
            </button>
          )}
          {all &&
            !kind &&
            kinds.map(
              (one) =>
                one.count > perKind && (
                  <Link key={one.page} to={one.path}>
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
          {[row.kind.title, row.who].filter(Boolean).join(' · ')}
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
