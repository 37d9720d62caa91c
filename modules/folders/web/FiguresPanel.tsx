import { Segmented, Skeleton, Table } from 'antd';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { Chart, type Series } from '#kernel/web/kit/Chart.tsx';
import { EmptyState } from '#kernel/web/kit/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/FailedState.tsx';
import { ExportButton } from '#kernel/web/kit/list/ExportButton.tsx';
import { folders } from '../contract.ts';
import type { FigureRow, FiguresBy } from '../contract/statistics.ts';
import './folders.css';

type Figure = 'count' | 'total' | 'done' | 'rate' | 'day';
const parts: Record<FiguresBy, { name: string; drawn: 'count' | 'rate'; columns: Partial<Record<Figure, string>> }> = {
  category: { name: '分类', drawn: 'count', columns: { count: '文件' } },
  dept: { name: '部门', drawn: 'count', columns: { count: '文件' } },
  status: { name: '状态', drawn: 'count', columns: { count: '文件' } },
  must_read: {
    name: '文件',
    drawn: 'rate',
    columns: { total: '应读人数', done: '已确认人数', rate: '确认率（%）', day: '阅读期限' },
  },
  overdue: { name: '部门', drawn: 'count', columns: { count: '逾期未确认（人次）' } },
  expired: { name: '文件', drawn: 'count', columns: { day: '失效日期' } },
  miss: { name: '词', drawn: 'count', columns: { count: '次数', day: '最近一天' } },
};
const ofPapers = new Set<FiguresBy>(['must_read', 'expired']);
const mostBars = 20;

/** One table of figures, as a chart or as the table behind it, which can be exported. */
export function FiguresPanel({ by, title, none }: { by: FiguresBy; title: string; none: string }) {
  const { name, drawn, columns } = parts[by];
  const [view, setView] = useState<'chart' | 'table'>(by === 'expired' ? 'table' : 'chart');
  const query = { by };
  const { data, error, refetch } = useCall(folders.statistics, { query: { ...query, per_page: 100 } });
  const shown = useMemo(() => data?.value.slice(0, mostBars) ?? [], [data]);
  const names = useMemo(() => shown.map((row) => row.name), [shown]);
  const series = useMemo(
    (): Series[] => [{ name: columns[drawn] ?? '', kind: 'bar', values: shown.map((row) => row[drawn]) }],
    [columns, drawn, shown],
  );
  return (
    <section className="kit-panel" aria-label={title}>
      <div className="kit-row">
        <h2 className="kit-grow folder-figures-title">{title}</h2>
        {by !== 'expired' && (
          <Segmented
            value={view}
            onChange={setView}
            options={[
              { value: 'chart', label: '图' },
              { value: 'table', label: '表' },
            ]}
          />
        )}
        <ExportButton call={folders.statistics} query={query} />
      </div>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {data?.value.length === 0 && <EmptyState why={none} />}
      {shown.length > 0 && view === 'chart' && (
        <Chart label={`${title}，数据见表`} unit={drawn === 'rate' ? '%' : ''} names={names} series={series} sideways />
      )}
      {data && data.value.length > 0 && view === 'table' && (
        <Table<FigureRow>
          size="small"
          rowKey="key"
          dataSource={data.value}
          pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true }}
          scroll={{ x: 'max-content' }}
          columns={[
            {
              title: name,
              render: (_value, row) =>
                ofPapers.has(by) ? <Link to={`/folder/detail/${row.key}`}>{row.name}</Link> : row.name,
            },
            ...Object.entries(columns).map(([key, heading]) => ({
              dataIndex: key,
              title: heading,
              align: 'right' as const,
              className: 'kit-figures',
              render: (value: number | string | null) => value ?? '—',
            })),
          ]}
        />
      )}
    </section>
  );
}
