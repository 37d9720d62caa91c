import { Select } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { meetType, scopes } from '../../contract/codes.ts';
import { meetCalls as calls } from '../../contract/meetings.ts';
import { periodText } from '../../contract/refusals.ts';
import type { MeetRow } from '../../contract/shapes.ts';

type Row = Pick<MeetRow, 'id' | 'title' | 'type_id' | 'room_id' | 'start_time' | 'end_time' | 'series_id'>;
interface Props {
  row: Row;
  onClose: () => void;
}

/** 取消: the reason, and of a repeat the dates. */
export function CancelDrawer({ row, onClose }: Props) {
  const repeats = row.series_id !== null;
  return (
    <FormDrawer
      open
      title={`取消会议：${row.title}`}
      name={`meet-cancel:${row.id}`}
      call={calls.cancel}
      params={{ id: row.id }}
      submit="取消会议"
      initial={repeats ? { scope: 'this' } : {}}
      onClose={onClose}
      onDone={() => undefined}
      fields={[
        ...(repeats
          ? [
              {
                name: 'scope',
                kind: 'select' as const,
                options: Object.entries(scopes).map(([value, label]) => ({ value, label })),
              },
            ]
          : []),
        { name: 'reason', kind: 'textarea', help: '会议室随即释放，已通知的人员会收到取消通知' },
      ]}
    />
  );
}

/** 让位: the meeting of higher rank that wants the same room and time. */
export function DisplaceDrawer({ row, onClose }: Props) {
  const { data } = useCall(calls.list, {
    query: { per_page: 100, start_from: row.start_time?.slice(0, 10), start_to: row.end_time?.slice(0, 10) },
  } as never);
  const higher = (data?.value ?? []).filter(
    (one) =>
      one.id !== row.id &&
      one.type_id < row.type_id &&
      one.room_id === row.room_id &&
      one.start_time! < row.end_time! &&
      one.end_time! > row.start_time!,
  );
  return (
    <FormDrawer
      open
      title={`让位：${row.title}`}
      name={`meet-displace:${row.id}`}
      call={calls.displace}
      params={{ id: row.id }}
      submit="取消本会议并让位"
      onClose={onClose}
      onDone={() => undefined}
      fields={[
        {
          name: 'for_id',
          help: `要用同一会议室、时间重叠且级别高于${meetType.label(row.type_id)}的会议；还没有的，请先新建并保存草稿，让位后立即提交`,
          render: ({ id, value, onChange }) => (
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
          ),
        },
        { name: 'reason', kind: 'textarea', help: '发起人会收到原因和三个可改用的时间或会议室' },
      ]}
    />
  );
}
