import { App, Skeleton } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { ways, type Way } from '../contract/kinds.ts';
import type { Chosen } from '../contract/preference.ts';
import { messages } from '../contract.ts';
import './messages.css';
import { PushSwitch } from './PushSwitch.tsx';
import { WayGrid } from './WayGrid.tsx';

const targets: Partial<Record<Way, string>> = { sms: '手机号', mail: '邮箱' };

/** My channels by kind of message, quiet hours, and the morning digest. */
export default function MessagePreference({ username }: { username: string }) {
  const { data, error, refetch } = useCall(messages.preference, {});
  const { message } = App.useApp();
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} />;
  const { open, reachable, groups, defaults, ...habit } = data;
  const lacking = open.flatMap((way) => (reachable.includes(way) ? [] : (targets[way] ?? [])));
  return (
    <>
      <p className="kit-muted">
        站内消息总会送达；可以按事项另外用{open.map((way) => ways[way]).join('、')}提醒。
        {lacking.length > 0 && `还没有填写${lacking.join('、')}，填写后才能收到。`}
      </p>
      <PushSwitch username={username} />
      <CallForm
        key={JSON.stringify(habit)}
        name="message-preference"
        call={messages.keepPreference}
        initial={habit}
        submit="保存提醒设置"
        onDone={() => void message.success(messages.keepPreference.message)}
        fields={[
          {
            name: 'events',
            render: ({ value, onChange, id }) => (
              <WayGrid
                id={id}
                open={open}
                groups={groups}
                value={(value as Chosen | undefined) ?? {}}
                defaults={defaults}
                onChange={onChange}
              />
            ),
          },
          { name: 'quiet_from', kind: 'time' },
          {
            name: 'quiet_to',
            kind: 'time',
            help: '这段时间里的短信、邮件和推送等结束后再发，可以跨午夜',
          },
          { name: 'digest', kind: 'switch', help: '每天 08:30 一条消息，汇总等待办理的事项' },
        ]}
      />
    </>
  );
}
