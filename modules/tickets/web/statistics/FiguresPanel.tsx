import { Segmented, Skeleton, Table } from 'antd';
import { useMemo, useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { Chart, type Series } from '#kernel/web/kit/Chart.tsx';
import { EmptyState } from '#kernel/web/kit/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/FailedState.tsx';
import { ExportButton } from '#kernel/web/kit/list/ExportButton.tsx';
import { ticketStatistics, type StatisticsRow } from '../../contract/statistics.ts';

type By = 'month' | 'state' | 'person';
type Figure = Exclude<keyof StatisticsRow, 'key' | 'name'>;

const titles: Record<Figure, string> = {
  started: '发起',
  finished: '办结',
  decided: '处理',
  wait_hours: '平均等待（小时）',
  work_hours: '平均办理（小时）',
  returned: '退回',
  return_rate: '退回率（%）',
  overdue: '逾期',
  open: '待办',
  open_overdue: '待办已逾期',
};
const common: Figure[] = ['decided', 'wait_hours', 'work_hours', 'returned', 'return_rate', 'overdue'];
const parts: Record<By, { name: string; unit: string; drawn: Figure[]; columns: Figure[]; order: object }> = {
  month: {
    name: '月份',
    unit: '张 / 次',
    drawn: ['started', 'finished', 'decided'],
    columns: ['started', 'finished', ...common],
    order: {},
  },
  state: {
    name: '环节',
    unit: '小时',
    drawn: ['wait_hours', 'work_hours'],
    columns: [...common, 'open', 'open_overdue'],
    order: { order_by: 'decided', desc: true },
  },
  person: {
    name: '处理人',
    unit: '小时',
    drawn: ['wait_hours', 'work_hours'],
    columns: [...common, 'open', 'open_overdue'],
    order: { order_by: 'decided', desc: true },
  },
};
/** Most bars one chart shows; the table has all. */
const mostBars = 20;

/** Figures by month, state or person: as a chart, or as the table behind it, which can be exported. */
export function FiguresPanel({ by, title, asked }: { by: By; title: string; asked: Record<string, unknown> }) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { name, unit, drawn, columns, order } = parts[by];
  const query = { ...asked, ...order, by };
  const { data, error, refetch } = useCall(ticketStatistics.statistics, { query: { ...query, per_page: 100 } });
  const shown = useMemo(
    () => data?.value.slice(by === 'month' ? -24 : 0).slice(0, by === 'month' ? 24 : mostBars),
    [data, by],
  );
  const names = useMemo(() => shown?.map((row) => row.name) ?? [], [shown]);
  const series = useMemo(
    () =>
      drawn.map((figure): Series => {
        const values = shown?.map((row) => row[figure]) ?? [];
        return by === 'month'
          ? { name: titles[figure], kind: 'line', values }
          : { name: titles[figure], kind: 'bar', stack: 'hours', values };
      }),
    [drawn, shown, by],
  );
  return (
    <section className="kit-panel" aria-label={title}>
      <div className="kit-row">
        <h2 className="kit-grow statistics-title">{title}</h2>
        <Segmented
          value={view}
          onChange={setView}
          options={[
            { value: 'chart', label: '图' },
            { value: 'table', label: '表' },
          ]}
        />
        <ExportButton call={ticketStatistics.statistics} query={query} />
      </div>
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton active />}
      {data?.value.length === 0 && <EmptyState why="所选范围内还没有处理记录" />}
      {data && data.value.length > 0 && view === 'chart' && (
        <Chart label={`${title}，数据见表`} unit={unit} names={names} series={series} sideways={by !== 'month'} />
      )}
      {data && data.value.length > 0 && view === 'table' && (
        <Table<StatisticsRow>
          size="small"
          rowKey="key"
          dataSource={data.value}
          pagination={data.value.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
          scroll={{ x: 'max-content' }}
          columns={[
            { dataIndex: 'name', title: name },
            ...columns.map((figure) => ({
              dataIndex: figure,
              title: titles[figure],
              align: 'right' as const,
              className: 'kit-figures',
              sorter: (a: StatisticsRow, b: StatisticsRow) => a[figure] - b[figure],
            })),
          ]}
        />
      )}
    </section>
  );
}
