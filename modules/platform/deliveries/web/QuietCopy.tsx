import { Alert } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { settings } from '#modules/platform/settings/contract.ts';
import { deliveries } from '../contract.ts';

/** For a restored copy: a note that nothing is sent, and a button to allow it. */
export function QuietCopy() {
  const { data } = useCall(settings.site, {});
  const since = data?.value.quiet_since;
  if (!since) return null;
  return (
    <Alert
      type="warning"
      showIcon
      title={`本系统是从备份恢复的副本（数据截至 ${since.slice(0, 16)}），不向外发送`}
      description="原来的系统可能还在运行：演练时请保持不发送，以免同一件事通知两次。"
      action={
        <CallButton
          call={deliveries.letOut}
          asked={{}}
          invalidates={['settings', 'msg', 'system']}
          confirm={{
            title: '允许向外发送？',
            content: '请先确认原来的系统已经停下。此前没有发出的不再补发，今后的照常发送。',
          }}
          onDone={() => window.location.reload()}
        >
          允许发送
        </CallButton>
      }
    />
  );
}
