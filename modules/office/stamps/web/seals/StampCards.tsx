import { Alert, Skeleton } from 'antd';
import { keepPreviousData } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FilterBar } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { namedFilters } from '#kernel/web/kit/list/bar/filters.ts';
import { SearchBox } from '#kernel/web/kit/list/bar/SearchBox.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { sealCalls, type Stamp } from '../../contract/seals.ts';
import { stampType } from '../../contract/seal-codes.ts';
import { keeperText, Seen, stampFilters, StampStatus, stampTo } from './columns.tsx';

const named = namedFilters(sealCalls.stamps, stampFilters);

/** Seals as cards, with the imprint for those who may see it. */
export function StampCards({ title, purpose, tools }: { title: string; purpose: string; tools: ReactNode }) {
  const [search_value, search] = useState('');
  const [filters, setFilters] = useState<Record<string, string>>({});
  const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value));
  const { data, error, refetch } = useCall(
    sealCalls.stamps,
    { query: { per_page: 100, search_value, ...chosen } },
    { placeholderData: keepPreviousData },
  );
  const rows = data?.value ?? [];
  return (
    <section className="kit-list" aria-label={title}>
      <header className="kit-row kit-list-head">
        <div>
          <h1>{title}</h1>
          <p className="kit-muted">{purpose}</p>
        </div>
        {tools}
      </header>
      <div className="kit-row kit-tools">
        <SearchBox value={search_value} onSearch={search} />
        <FilterBar filters={named} values={filters} onChange={setFilters} />
      </div>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />}
      {data && rows.length === 0 && <EmptyState why="没有符合条件的印章，可换个关键字，或点“登记印章”" />}
      <ul className="stamp-cards">
        {rows.map((row) => (
          <li key={row.id} className="kit-panel">
            <Card row={row} />
          </li>
        ))}
      </ul>
      {data && data.total > rows.length && <p className="kit-muted">只显示前 {rows.length} 枚，其余请搜索或改用表格</p>}
    </section>
  );
}

function Card({ row }: { row: Stamp }) {
  return (
    <>
      <div className="stamp-imprint" data-type={row.type} aria-hidden={!row.picture_info}>
        {row.picture_info?.thumb_url ? (
          <img src={row.picture_info.thumb_url} alt={`${row.name}印模`} />
        ) : (
          <span>{stampType.label(row.type).slice(0, 2)}</span>
        )}
      </div>
      <div className="stamp-facts">
        <div className="kit-row">
          <Link to={stampTo(row)}>
            <strong>{row.name}</strong>
          </Link>
          <StampStatus status={row.status} />
        </div>
        <span className="kit-muted">
          {stampType.label(row.type)} · {row.dept_name}
        </span>
        <span>保管 {keeperText(row)}</span>
        <span className="kit-muted stamp-numbers">
          <span>待用印 {row.waiting}</span>
          <span>今日预约 {row.today}</span>
          <span>
            盘点 <Seen stamp={row} />
          </span>
        </span>
        {row.warning && <Alert type="warning" showIcon title={row.warning} />}
      </div>
    </>
  );
}
