import { Tag } from 'antd';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetMode, meetStatus, meetType } from '../contract/codes.ts';
import { periodText } from '../contract/refusals.ts';
import type { MeetRow } from '../contract/shapes.ts';
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

export const titleColumn: ListColumn<MeetRow> = { key: 'title', title: '会议', main: true, width: 170 };
export const timeColumn: ListColumn<MeetRow> = {
  key: 'start_time',
  title: '时间',
  sort: true,
  whole: true,
  width: 190,
  render: (row) => periodText(row.start_time, row.end_time),
};
export const meetColumns: ListColumn<MeetRow>[] = [
  titleColumn,
  { key: 'type_id', title: '类型', width: 76, hidden: true, render: (row) => meetType.label(row.type_id) },
  timeColumn,
  { key: 'room_name', title: '地点', width: 112, render: whereOf },
  { key: 'host_info', title: '主持人', width: 80, render: (row) => row.host_info?.alias ?? '—' },
  { key: 'dept_name', title: '主办部门', width: 110, hidden: true },
  { key: 'attend_count', title: '人数', number: true, width: 52 },
  {
    key: 'coming',
    title: '参加/请假/未回复',
    whole: true,
    width: 140,
    render: (row) => (row.asked > 0 ? `${row.coming} / ${row.excused} / ${row.unanswered}` : '未通知'),
  },
];
export const stateColumn: ListColumn<MeetRow> = {
  key: 'meet_status',
  title: '会议状态',
  whole: true,
  width: 90,
  render: (row) =>
    row.act_state === actState.finished || row.meet_status === meetStatus.cancelled ? <MeetState row={row} /> : '—',
};
export const approvalColumns = approvalListColumns<MeetRow & { ticket_id: number }>() as ListColumn<MeetRow>[];

export const meetFilters: ListFilter[] = [
  { key: 'meet_status', label: '会议状态', kind: 'select', often: true, options: choices(meetStatus.names) },
  { key: 'type_id', label: '会议类型', kind: 'select', options: choices(meetType.names) },
  { key: 'start_from', label: '日期自', kind: 'date' },
  { key: 'start_to', label: '日期至', kind: 'date' },
];
