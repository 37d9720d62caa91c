import { FiguresPanel } from '#kernel/web/kit/figures/FiguresPanel.tsx';
import { ExportButton } from '#kernel/web/kit/list/bar/ExportButton.tsx';
import { documentStatistics, type Dim, type DocumentFigure } from '../../contract/statistics.ts';

type Figure = Exclude<keyof DocumentFigure, 'key' | 'name' | 'note'>;
const titles: Record<Figure, string> = {
  total: '公文',
  sent: '发文',
  received: '收文',
  finished: '办结',
  overdue: '逾期',
  late: '逾期办结',
  avg_hours: '平均办理（小时）',
  waiting: '待办',
  longest_hours: '最长等待（小时）',
  returned: '退回',
};
const ofDocuments: Figure[] = ['total', 'sent', 'received', 'finished', 'overdue', 'late', 'avg_hours'];
const parts: Record<Dim, { name: string; drawn: Figure[]; columns: Figure[]; note?: string }> = {
  month: { name: '月份', drawn: ['sent', 'received', 'finished'], columns: ofDocuments },
  type: { name: '文种', drawn: ['total'], columns: ofDocuments },
  dept: { name: '部门', drawn: ['sent', 'received'], columns: ofDocuments },
  level: { name: '紧急程度', drawn: ['total', 'overdue'], columns: ofDocuments },
  handler: { name: '处理人', drawn: ['waiting'], columns: ['waiting', 'overdue', 'longest_hours'] },
  return: { name: '起草人', drawn: ['returned'], columns: ['returned', 'total'], note: '最近的理由' },
  gap: { name: '字号簿', drawn: ['total'], columns: ['total'], note: '缺号' },
};

interface Props {
  dim: Dim;
  title: string;
  rows: readonly DocumentFigure[];
  /** Said where there are none. */
  none: string;
  asked: Record<string, unknown>;
}

/** Figures of documents along one dimension. */
export function DocumentFigures({ dim, title, rows, none, asked }: Props) {
  const { name, drawn, columns, note } = parts[dim];
  const figures = columns.map((key) => ({ key, title: dim === 'gap' ? '缺号个数' : titles[key] }));
  return (
    <FiguresPanel<DocumentFigure>
      title={title}
      heading={name}
      rows={rows}
      none={none}
      columns={note ? [...figures, { key: 'note', title: note, words: true }] : figures}
      drawn={drawn}
      unit="份"
      chart={dim === 'month' ? 'months' : 'bars'}
      first={note ? 'table' : 'chart'}
      exporting={<ExportButton call={documentStatistics.statistics} query={{ ...asked, dim }} />}
    />
  );
}
