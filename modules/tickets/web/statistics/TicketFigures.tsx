import { useCall } from '#kernel/web/calls.ts';
import { FiguresPanel, type FigureColumn } from '#kernel/web/kit/figures/FiguresPanel.tsx';
import { ExportButton } from '#kernel/web/kit/list/bar/ExportButton.tsx';
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
const column = (key: Figure): FigureColumn<StatisticsRow> => ({ key, title: titles[key] });
const common = (['decided', 'wait_hours', 'work_hours', 'returned', 'return_rate', 'overdue'] as const).map(column);
const waiting = (['open', 'open_overdue'] as const).map(column);
const parts: Record<
  By,
  { name: string; unit: string; drawn: Figure[]; columns: FigureColumn<StatisticsRow>[]; order: object }
> = {
  month: {
    name: '月份',
    unit: '张 / 次',
    drawn: ['started', 'finished', 'decided'],
    columns: [column('started'), column('finished'), ...common],
    order: {},
  },
  state: {
    name: '环节',
    unit: '小时',
    drawn: ['wait_hours', 'work_hours'],
    columns: [...common, ...waiting],
    order: { order_by: 'decided', desc: true },
  },
  person: {
    name: '处理人',
    unit: '小时',
    drawn: ['wait_hours', 'work_hours'],
    columns: [...common, ...waiting],
    order: { order_by: 'decided', desc: true },
  },
};

/** Figures of tickets by month, state or person. */
export function TicketFigures({ by, title, asked }: { by: By; title: string; asked: Record<string, unknown> }) {
  const { name, unit, drawn, columns, order } = parts[by];
  const query = { ...asked, ...order, by };
  const { data, error, refetch } = useCall(ticketStatistics.statistics, { query: { ...query, per_page: 100 } });
  return (
    <FiguresPanel<StatisticsRow>
      title={title}
      heading={name}
      rows={data?.value}
      total={data?.total}
      capped={data?.total_capped}
      error={error}
      retry={() => void refetch()}
      none="所选范围内还没有处理记录"
      columns={columns}
      drawn={drawn}
      unit={unit}
      chart={by === 'month' ? 'months' : 'stack'}
      exporting={<ExportButton call={ticketStatistics.statistics} query={query} />}
    />
  );
}
