import { Tag } from 'antd';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { openStages, orderLevel, orderLight, orderSource, orderStage, orderType } from '../../contract/codes.ts';
import { OrderRow } from '../../contract/shapes.ts';
import './orders.css';

const stageColours: Readonly<Record<number, string>> = {
  10: 'warning',
  50: 'default',
  60: 'cyan',
  70: 'success',
  80: 'success',
};
const lightColours = ['default', 'success', 'warning', 'error'] as const;
export const StageTag = ({ stage }: { stage: number }) => (
  <Tag color={stageColours[stage] ?? 'processing'}>{orderStage.label(stage)}</Tag>
);
export const Light = ({ row }: { row: Pick<OrderRow, 'light' | 'due_at'> }) =>
  row.light === orderLight.none ? null : (
    <Tag color={lightColours[row.light] ?? 'default'} title={`时限 ${row.due_at?.slice(0, 16)}`}>
      {orderLight.label(row.light)} {row.due_at && shortDate(row.due_at)}
    </Tag>
  );
export const Level = ({ level }: { level: number }) =>
  level > orderLevel.usual ? (
    <Tag color={level === orderLevel.most ? 'error' : 'orange'}>{orderLevel.label(level)}</Tag>
  ) : null;
export const Stars = ({ score }: { score: number | null }) =>
  score === null ? <>—</> : <span aria-label={`${score} 分`}>{'★'.repeat(score)}</span>;

/** The progress of an order in six steps. */
export function Way({ stage }: { stage: number }) {
  const steps = ['提交', '派单', '接单', '处理', '确认', '评价'];
  const at =
    stage >= orderStage.rated
      ? 6
      : stage >= orderStage.confirmed
        ? 5
        : stage >= orderStage.finished
          ? 4
          : stage >= orderStage.working
            ? 3
            : stage >= orderStage.taken
              ? 2
              : stage >= orderStage.assigned
                ? 1
                : 0;
  return (
    <ol className="order-way" aria-label="进度">
      {steps.map((title, step) => (
        <li
          key={title}
          data-done={step < at || undefined}
          {...(step === at ? { 'aria-current': 'step' as const } : {})}
        >
          {title}
        </li>
      ))}
    </ol>
  );
}

export const orderColumns = listColumns(OrderRow, {
  sn: { whole: true, hidden: true, width: 150 },
  title: {
    main: true,
    note: (row) => (
      <>
        {row.sn} <Level level={row.level} />
      </>
    ),
  },
  category_name: { width: 90 },
  place: { width: 112 },
  reporter_name: { width: 80 },
  handler_name: { width: 80 },
  stage: { whole: true, width: 84, render: (row) => <StageTag stage={row.stage} /> },
  due_at: { whole: true, width: 148, sort: true, render: (row) => <Light row={row} /> },
  level: {
    width: 90,
    sort: true,
    hidden: true,
    render: (row) => (row.level > orderLevel.usual ? <Level level={row.level} /> : '普通'),
  },
  score: { width: 90, hidden: true, render: (row) => <Stars score={row.score} /> },
  team_name: { width: 100, hidden: true },
  appoint_time: { hidden: true, sort: true, width: 134, render: (row) => row.appoint_time?.slice(0, 16) ?? '—' },
  gmt_created: { sort: true, width: 134, hidden: true },
});
const options = (names: object) => Object.entries(names).map(([value, label]) => ({ value, label: label as string }));
const yes = [{ value: 'true', label: '是' }];
export const orderFilters = (categories: { value: number; label: string }[]): ListFilter[] => [
  {
    key: 'stage',
    kind: 'select',
    often: true,
    options: options(orderStage.names).filter((one) => one.value !== '0'),
  },
  {
    key: 'category_id',
    kind: 'select',
    often: true,
    options: categories.map(({ value, label }) => ({ value: String(value), label })),
  },
  { key: 'overdue', kind: 'select', options: yes },
  { key: 'rework', kind: 'select', options: yes },
  { key: 'level', kind: 'select', options: options(orderLevel.names) },
  { key: 'type_id', kind: 'select', options: options(orderType.names) },
  { key: 'source', kind: 'select', options: options(orderSource.names) },
  { key: 'start', kind: 'date' },
  { key: 'end', kind: 'date' },
];
export const boardStages = openStages;
