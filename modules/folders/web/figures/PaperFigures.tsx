import { Link } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { FiguresPanel, type FigureColumn } from '#kernel/web/kit/figures/FiguresPanel.tsx';
import { ExportButton } from '#kernel/web/kit/list/bar/ExportButton.tsx';
import { folders } from '../../contract.ts';
import type { FigureRow, FiguresBy } from '../../contract/statistics.ts';

interface Part {
  name: string;
  columns: FigureColumn<FigureRow>[];
  /** Nothing to draw where there are only days. */
  drawn: ('count' | 'rate')[];
  unit?: string;
  /** Its names are papers that can be opened. */
  ofPapers?: boolean;
}
const papers = (name: string): Part => ({ name, columns: [{ key: 'count', title: '文件' }], drawn: ['count'] });
const parts: Record<FiguresBy, Part> = {
  category: papers('分类'),
  dept: papers('部门'),
  status: papers('状态'),
  must_read: {
    name: '文件',
    columns: [
      { key: 'total', title: '应读人数' },
      { key: 'done', title: '已确认人数' },
      { key: 'rate', title: '确认率（%）' },
      { key: 'day', title: '阅读期限' },
    ],
    drawn: ['rate'],
    unit: '%',
    ofPapers: true,
  },
  overdue: { name: '部门', columns: [{ key: 'count', title: '逾期未确认（人次）' }], drawn: ['count'] },
  expired: { name: '文件', columns: [{ key: 'day', title: '失效日期' }], drawn: [], ofPapers: true },
  miss: {
    name: '词',
    columns: [
      { key: 'count', title: '次数' },
      { key: 'day', title: '最近一天' },
    ],
    drawn: ['count'],
  },
};
const link = (row: FigureRow) => <Link to={`/folder/detail/${row.key}`}>{row.name}</Link>;

/** Figures of papers and their reading. */
export function PaperFigures({ by, title, none }: { by: FiguresBy; title: string; none: string }) {
  const { name, columns, drawn, unit = '', ofPapers } = parts[by];
  const query = { by };
  const { data, error, refetch } = useCall(folders.statistics, { query: { ...query, per_page: 100 } });
  return (
    <FiguresPanel<FigureRow>
      title={title}
      heading={name}
      rows={data?.value}
      total={data?.total}
      capped={data?.total_capped}
      error={error}
      retry={() => void refetch()}
      none={none}
      columns={columns}
      drawn={drawn}
      unit={unit}
      chart="bars"
      nameOf={ofPapers ? link : undefined}
      exporting={<ExportButton call={folders.statistics} query={query} />}
    />
  );
}
