import { Tag } from 'antd';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetMode, meetStatus, meetType } from '../contract/codes.ts';
import { periodText } from '../contract/refusals.ts';
import { MeetRow } from '../contract/shapes.ts';
import './meetings.css';

export const choices = (labels: Readonly<Record<number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
export const numbered = (labels: Readonly<Record<number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }));

export function MeetState({ row }: { row: Pick<MeetRow, 'meet_status' | 'change_pending'> }) {
  return (
    <>
      <Tag color={meetStatus.tones[row.meet_status]}>{meetStatus.label(row.meet_status)}</Tag>
      {row.change_pending && <Tag color="warning">变更待审</Tag>}
    </>
  );
}
export const whereOf = (row: Pick<MeetRow, 'room_name' | 'location' | 'mode'>) =>
  [row.room_name || row.location, row.mode === meetMode.inPlace ? '' : '线上'].filter(Boolean).join('，') || '—';

const titleColumn = { main: true, width: 170 };
const timeColumn = {
  heading: '时间',
  sort: true,
  whole: true,
  width: 190,
  render: (row: MeetRow) => periodText(row.start_time, row.end_time),
};
/** The first columns of every list of meetings. */
export const briefColumns = listColumns(MeetRow, { title: titleColumn, start_time: timeColumn });
export const meetColumns = listColumns(MeetRow, {
  title: titleColumn,
  type_id: { width: 76, hidden: true },
  start_time: timeColumn,
  room_name: { heading: '地点', width: 112, render: whereOf },
  host_info: { width: 80 },
  dept_name: { width: 110, hidden: true },
  attend_count: { width: 52 },
  coming: {
    heading: '参加/请假/未回复',
    whole: true,
    width: 140,
    render: (row) => (row.asked > 0 ? `${row.coming} / ${row.excused} / ${row.unanswered}` : '未通知'),
  },
});
export const stateColumns = listColumns(MeetRow, {
  meet_status: {
    whole: true,
    width: 90,
    render: (row) =>
      row.act_state === actState.finished || row.meet_status === meetStatus.cancelled ? <MeetState row={row} /> : '—',
  },
});
export const approvalColumns = approvalListColumns<MeetRow & { ticket_id: number }>() as ListColumn<MeetRow>[];

export const meetFilters: ListFilter[] = [
  { key: 'meet_status', kind: 'select', often: true, options: choices(meetStatus.names) },
  { key: 'type_id', kind: 'select', options: choices(meetType.names) },
  { key: 'start_from', kind: 'date' },
  { key: 'start_to', kind: 'date' },
];
