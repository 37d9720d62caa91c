import { Tag } from 'antd';
import { dayOf } from '#kernel/contract/moment.ts';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { activityStatus, activityType, typeText } from '../contract/codes.ts';
import { ActivityRow } from '../contract/shapes.ts';

/** True if there is a mark to show; before approval the ticket's own state says enough. */
const isMarked = ({ act_state, activity_status, urgent, changing }: ActivityRow) =>
  act_state === actState.finished || activity_status === activityStatus.cancelled || urgent || changing;
/** The status of an approved activity, and its unusual features. */
export function Marks({ row }: { row: ActivityRow }) {
  const over = row.activity_status === activityStatus.toSummarise && (row.summary_due ?? '9') < dayOf(new Date());
  return (
    <>
      {(row.act_state === actState.finished || row.activity_status === activityStatus.cancelled) && (
        <Tag color={over ? 'error' : activityStatus.tones[row.activity_status]}>
          {over ? '总结逾期' : activityStatus.label(row.activity_status)}
        </Tag>
      )}
      {row.urgent && <Tag color="error">急办</Tag>}
      {row.changing && <Tag color="warning">变更待审</Tag>}
    </>
  );
}
const when = ({ start_time: start, end_time: end }: ActivityRow) =>
  start
    ? [shortDate(start), end && (end.startsWith(start.slice(0, 10)) ? end.slice(11, 16) : shortDate(end))]
        .filter(Boolean)
        .join('–')
    : '—';

export const activityColumns: ListColumn<ActivityRow>[] = [
  ...listColumns(ActivityRow, {
    title: { main: true, width: 180, sort: true },
    type_id: { whole: true, width: 100, render: (row) => typeText(row.type_id) },
    dept_name: { width: 110 },
    start_time: { heading: '时间', whole: true, sort: true, width: 150, render: when },
    location: { width: 150 },
    in_count: {
      heading: '规模（内/外）',
      width: 116,
      hidden: true,
      render: (row) => `${row.in_count ?? '—'} / ${row.out_count ?? '—'}`,
    },
    leader_names: { width: 100, hidden: true },
  }),
  ...approvalListColumns<ActivityRow>(),
  ...listColumns(ActivityRow, {
    activity_status: { whole: true, width: 110, render: (row) => (isMarked(row) ? <Marks row={row} /> : '—') },
  }),
];
const yes = (label: string) => [{ value: 'true', label }];
const options = (names: object) => Object.entries(names).map(([value, label]) => ({ value, label: label as string }));
export const activityFilters: ListFilter[] = [
  { key: 'type_id', kind: 'select', often: true, options: options(activityType.names) },
  { key: 'activity_status', kind: 'select', often: true, options: options(activityStatus.names) },
  { key: 'start', kind: 'date' },
  { key: 'end', kind: 'date' },
  { key: 'foreign', kind: 'select', options: yes('涉外') },
  { key: 'external', kind: 'select', options: yes('有校外嘉宾') },
  { key: 'overdue_summary', kind: 'select', options: yes('逾期未总结') },
];
