import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import type { Acts } from '#kernel/web/kit/press/acts.tsx';
import { meetType, scopes } from '../../contract/codes.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import { periodText } from '../../contract/refusals.ts';
import type { MeetDetail } from '../../contract/shapes.ts';

/** Chooses the meeting of higher rank that wants the same room and time. */
function HigherSelect({ row, control: { id, value, onChange } }: { row: MeetDetail; control: FieldControl }) {
  const { start_time, end_time } = row;
  const { data } = useCall(calls.list, {
    query: {
      per_page: 100,
      ...(start_time && end_time ? { start_from: start_time.slice(0, 10), start_to: end_time.slice(0, 10) } : {}),
    },
  });
  const higher = (data?.value ?? []).filter(
    (one) =>
      one.id !== row.id &&
      one.type_id < row.type_id &&
      one.room_id === row.room_id &&
      one.start_time! < row.end_time! &&
      one.end_time! > row.start_time!,
  );
  return (
    <Select
      id={id}
      value={value as number}
      onChange={onChange}
      placeholder={higher.length > 0 ? '选择会议' : '没有级别更高的会议要用这段时间'}
      options={higher.map((one) => ({
        value: one.id,
        label: `${one.title}（${meetType.label(one.type_id)}，${periodText(one.start_time, one.end_time)}）`,
      }))}
    />
  );
}

export const scopeField = {
  name: 'scope',
  kind: 'select' as const,
  options: Object.entries(scopes).map(([value, label]) => ({ value, label })),
};

/** The acts on a meeting besides those of its approval and the answers of those who are asked. */
export const meetActs: Acts<MeetDetail> = {
  send: {
    label: (row) => (row.asked > 0 ? '通知未通知的人' : '发送会议通知'),
    call: calls.send,
    also: { content: '' },
    atOnce: true,
  },
  drop_change: {
    label: '撤销变更',
    title: '撤销变更',
    call: calls.dropChange,
    offered: (row) => row.actions.includes('drop_change'),
    confirm: '申请的新时间和会议室随即释放，会议按原安排举行',
  },
  again: { label: '再次召开', to: ({ id }) => `/meet/new?copy=${id}` },
  displace: {
    label: '让位',
    call: calls.displace,
    fields: (row) => [
      {
        name: 'for_id',
        help: `要用同一会议室、时间重叠且级别高于${meetType.label(row.type_id)}的会议；还没有的，请先新建并保存草稿，让位后立即提交`,
        render: (control) => <HigherSelect row={row} control={control} />,
      },
      { name: 'reason', kind: 'textarea', help: '发起人会收到原因和三个可改用的时间或会议室' },
    ],
    submit: '取消本会议并让位',
  },
  cancel: {
    label: '取消会议',
    call: calls.cancel,
    danger: true,
    initial: (row) => (row.series_id === null ? {} : { scope: 'this' }),
    fields: (row) => [
      ...(row.series_id === null ? [] : [scopeField]),
      { name: 'reason', kind: 'textarea', help: '会议室随即释放，已通知的人员会收到取消通知' },
    ],
  },
};
