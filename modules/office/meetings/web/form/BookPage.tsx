import { Button } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { momentText } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { useBecome } from '#kernel/web/kit/page.tsx';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { RecordForm } from '#modules/workflow/records/widgets.tsx';
import { meetCalls as calls } from '../../contract/meetings.ts';
import { askIfBusy } from './BusyMarks.tsx';
import { begunBy } from './begun.ts';
import { MeetForm } from './MeetForm.tsx';
import { RoomInput } from './RoomInput.tsx';

const hour = 3_600_000;
/** The next whole hour, unless a calendar gave a time. */
function nextHour() {
  const start = Math.ceil(Date.now() / hour) * hour;
  const text = (at: number) => momentText(new Date(at)).slice(0, 16);
  return { start_time: text(start), end_time: text(start + hour) };
}

/** A meeting by title, room and time alone: its creator hosts it, and nobody else is invited. */
export default function BookPage() {
  const [address] = useSearchParams();
  const become = useBecome();
  const { data: me, error, refetch } = useCall(accounts.info, {});
  const [first] = useState(() => ({ ...nextHour(), ...begunBy(address) }));
  const [more, setMore] = useState<Record<string, unknown> | null>(null);
  const onClose = () => become('/meet/list?category=owner');
  if (more && me) {
    const { id, username, alias, department } = me;
    const host = { id, username, alias, dept_id: null, dept_name: department };
    return <MeetForm kind="new" id={0} begin={more} people={[host]} onClose={onClose} />;
  }
  const host = { host_id: me?.id };
  return (
    <RecordForm
      title="预约会议"
      note="由您主持、只占用会议室；要邀请人员、写议程的点“更多”，已填写的内容保留"
      name="meet:book"
      coming={!me}
      error={me ? undefined : error}
      retry={() => void refetch()}
      call={calls.create}
      also={{ ...host, submit: true }}
      submit="预约"
      initial={first}
      ask={(body) => askIfBusy(body, undefined)}
      extra={(values, drop) => (
        <Button
          onClick={() => {
            // From here on it is written and sent in the full form.
            drop();
            setMore({ ...values, ...host });
          }}
        >
          更多
        </Button>
      )}
      onCancel={onClose}
      onDone={({ id }) => become(`/meet/detail/${id}`)}
      fields={[
        { name: 'title' },
        { name: 'start_time', kind: 'datetime-local', needed: true },
        { name: 'end_time', kind: 'datetime-local', notBefore: 'start_time', needed: true },
        {
          name: 'room_id',
          needed: true,
          help: '按容纳人数和当天空闲排序；色条为 7 至 22 点，深色已占用',
          render: (control) => <RoomInput control={control} />,
        },
      ]}
    />
  );
}
