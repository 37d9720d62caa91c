import { Alert, Button, Drawer, Form, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { applyPath, roomTimes, type DayRoom } from '../../contract/looks.ts';
import { waiting } from '../../contract/waiting.ts';

export interface Wanted {
  room_id: number;
  start_time: string;
  end_time: string;
}
const span = ({ start_time, end_time }: Omit<Wanted, 'room_id'>) =>
  `${start_time.slice(0, 16)}–${end_time.slice(11, 16)}`;

/** The availability of a room, its alternatives, and a link to the application. */
export function BookDrawer({
  rooms,
  first,
  onClose,
}: {
  rooms: readonly DayRoom[];
  first: Wanted;
  onClose: () => void;
}) {
  const narrow = useNarrow();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState(first);
  const change = (part: Partial<Wanted>) => setWanted({ ...wanted, ...part });
  const whole = wanted.start_time.length >= 16 && wanted.end_time.length >= 16 && wanted.start_time < wanted.end_time;
  const { data, error, refetch } = useCall(roomTimes.isApply, { query: wanted }, { enabled: whole, quiet: true });
  const time = (key: 'start_time' | 'end_time', label: string) => (
    <Form.Item label={label} htmlFor={`book-${key}`}>
      <DateInput
        id={`book-${key}`}
        kind="datetime-local"
        only
        value={wanted[key].slice(0, 16).replace(' ', 'T')}
        onChange={(at) => change({ [key]: `${at.replace('T', ' ')}:00` })}
      />
    </Form.Item>
  );
  return (
    <Drawer open onClose={onClose} title="预约会议室" size={narrow ? '100%' : 480}>
      <Form layout="vertical">
        <Form.Item label="会议室" htmlFor="book-room">
          <Select
            id="book-room"
            value={wanted.room_id}
            showSearch={{ optionFilterProp: 'label' }}
            options={rooms.map(({ id, name, capacity }) => ({ value: id, label: `${name}（${capacity} 人）` }))}
            onChange={(room_id) => change({ room_id })}
          />
        </Form.Item>
        {time('start_time', '开始时间')}
        {time('end_time', '结束时间')}
      </Form>
      <div className="kit-stack" aria-live="polite">
        {!whole ? (
          <Alert type="warning" title="结束时间应晚于开始时间，请修改" />
        ) : error && !data ? (
          <FailedState error={error} retry={() => void refetch()} />
        ) : !data ? (
          <Skeleton active paragraph={{ rows: 2 }} />
        ) : data.can_apply ? (
          <>
            <Alert type="success" title={data.approves ? '可以预约，提交后须会务审批' : '可以预约，提交后即可使用'} />
            <Button type="primary" block onClick={() => void navigate(applyPath(wanted))}>
              填写会议申请
            </Button>
          </>
        ) : (
          <>
            {data.reasons.map((reason) => (
              <Alert key={reason} type="warning" title={reason} />
            ))}
            {data.conflicts.map((clash) => (
              <Alert key={clash.start_time} type="error" title={`${clash.title} ${span(clash)}`} />
            ))}
            {data.alternatives.length > 0 && <strong>可改用</strong>}
            {data.alternatives.map(({ resource_id, name, ...period }) => (
              <Button
                key={`${resource_id}:${period.start_time}`}
                block
                onClick={() => setWanted({ room_id: resource_id, ...period })}
              >
                {name} {span(period)}
              </Button>
            ))}
            {data.conflicts.length > 0 && data.reasons.length === 0 && (
              <CallButton call={waiting.wait} asked={{ body: wanted }} code={null} onDone={onClose}>
                候补这段时间，有空位时通知我
              </CallButton>
            )}
          </>
        )}
      </div>
    </Drawer>
  );
}
