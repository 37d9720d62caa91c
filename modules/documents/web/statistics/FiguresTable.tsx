import { Segmented, Table } from 'antd';
import { useMemo, useState } from 'react';
import { Chart, type Series } from '#kernel/web/kit/Chart.tsx';
import { EmptyState } from '#kernel/web/kit/EmptyState.tsx';
import { ExportButton } from '#kernel/web/kit/list/ExportButton.tsx';
import { documentStatistics, type Dim, type DocumentFigure } from '../../contract/statistics.ts';

type Figure = Exclude<keyof DocumentFigure, 'key' | 'name' | 'note'>;
const titles: Record<Figure, string> = {
  total: '公文',
  sent: '发文',
  received: '收文',
  finished: '办结',
  overdue: '逾期',
  avg_hours: '平均办理（小时）',
  waiting: '待办',
  longest_hours: '最长等待（小时）',
  returned: '退回',
};
const ofDocuments: Figure[] = ['total', 'sent', 'received', 'finished', 'overdue', 'avg_hours'];
const parts: Record<Dim, { name: string; drawn: Figure[]; columns: Figure[]; note?: string }> = {
  month: { name: '月份', drawn: ['sent', 'received', 'finished'], columns: ofDocuments },
  type: { name: '文种', drawn: ['total'], columns: ofDocuments },
  dept: { name: '部门', drawn: ['sent', 'received'], columns: ofDocuments },
  level: { name: '紧急程度', drawn: ['total', 'overdue'], columns: ofDocuments },
  handler: { name: '处理人', drawn: ['waiting'], columns: ['waiting', 'overdue', 'longest_hours'] },
  return: { name: '起草人', drawn: ['returned'], columns: ['returned', 'total'], note: '最近的理由' },
  gap: { name: '字号簿', drawn: ['total'], columns: ['total'], note: '缺号' },
};
const mostBars = 20;

interface Props {
  dim: Dim;
  title: string;
  rows: readonly DocumentFigure[];
  /** Said where there are none. */
  none: string;
  asked: Record<string, unknown>;
}

/** One table of figures and its chart; either can be shown, the table can be exported. */
export function FiguresTable({ dim, title, rows, none, asked }: Props) {
  const { name, drawn, columns, note } = parts[dim];
  const [view, setView] = useState<'chart' | 'table'>(note ? 'table' : 'chart');
  const shown = useMemo(() => (dim === 'month' ? rows.slice(-24) : rows.slice(0, mostBars)), [rows, dim]);
  const names = useMemo(() => shown.map((row) => row.name), [shown]);
  const series = useMemo(
    () =>
      drawn.map((figure): Series => ({
        name: titles[figure],
        kind: dim === 'month' ? 'line' : 'bar',
        values: shown.map((row) => row[figure]),
      })),
    [drawn, shown, dim],
  );
  return (
    <section className="kit-panel" aria-label={title}>
      <div className="kit-row">
        <h2 className="kit-grow document-figures-title">{title}</h2>
        <Segmented
          value={view}
          onChange={setView}
          options={[
            { value: 'chart', label: '图' },
            { value: 'table', label: '表' },
          ]}
        />
        <ExportButton call={documentStatistics.statistics} query={{ ...asked, dim }} />
      </div>
      {rows.length === 0 && <EmptyState why={none} />}
      {rows.length > 0 && view === 'chart' && (
        <Chart label={`${title}，数据见表`} unit="份" names={names} series={series} sideways={dim !== 'month'} />
      )}
      {rows.length > 0 && view === 'table' && (
        <Table<DocumentFigure>
          size="small"
          rowKey="key"
          dataSource={[...rows]}
          pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true }}
          scroll={{ x: 'max-content' }}
          columns={[
            { dataIndex: 'name', title: name },
            ...columns.map((figure) => ({
              dataIndex: figure,
              title: dim === 'gap' ? '缺号个数' : titles[figure],
              align: 'right' as const,
              className: 'kit-figures',
              sorter: (a: DocumentFigure, b: DocumentFigure) => a[figure] - b[figure],
            })),
            ...(note ? [{ dataIndex: 'note', title: note, className: 'document-figures-note' }] : []),
          ]}
        />
      )}
    </section>
  );
}
