import { App, Button, Popover } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kernel/web/calls.ts';
import { DateInput } from '#kernel/web/kit/form/date/DateInput.tsx';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { waiting, type WaitingRow } from '../contract.ts';
import './later.css';

interface Props {
  rows: readonly Pick<WaitingRow, 'id' | 'title'>[];
  size?: 'small' | 'middle';
  onDone?: () => void;
}

/** Puts rows off until the next working time, or a chosen one. */
export default function Later({ rows, size = 'small', onDone }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      open={open}
      onOpenChange={setOpen}
      destroyOnHidden
      content={
        <Times
          rows={rows}
          onDone={() => {
            setOpen(false);
            onDone?.();
          }}
        />
      }
    >
      <Button size={size} aria-haspopup="dialog" aria-expanded={open}>
        稍后
      </Button>
    </Popover>
  );
}

function Times({ rows, onDone }: Pick<Props, 'rows'> & { onDone: () => void }) {
  const { message } = App.useApp();
  const [own, setOwn] = useState('');
  const { data } = useCall(waiting.times, {}, { staleTime: 60_000 });
  const sending = useSend(waiting.putAside, {
    onSuccess: ({ gone }, { body }) => {
      const done = `已放到稍后，${body.until.slice(0, 16).replace('T', ' ')} 回来`;
      const over = rows.filter(({ id }) => gone.includes(id)).map(({ title }) => `“${title}”`);
      if (over.length === 0) void message.success(done);
      else void message.warning(`${done}；${over.join('、')}已不在待办中，没有放`);
      onDone();
    },
  });
  const put = (until: string) =>
    void sending.mutateAsync({ body: { rows: rows.map(({ id }) => id), until } }).catch(() => undefined);
  return (
    <div className="later" role="group" aria-label="放到稍后">
      {data?.map(({ label, at }) => (
        <Button key={at} type="text" block disabled={sending.isPending} onClick={() => put(at)}>
          <span>{label}</span>
          <span className="kit-muted kit-figures">{shortDate(at)}</span>
        </Button>
      ))}
      <div className="kit-row">
        <DateInput kind="datetime-local" aria-label="自选时间" value={own} onChange={setOwn} />
        <Button type="primary" disabled={own === ''} loading={sending.isPending} onClick={() => put(own)}>
          放到此时
        </Button>
      </div>
    </div>
  );
}
