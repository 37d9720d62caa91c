import { Skeleton, Tag } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { deviceName } from '#kernel/contract/words/device.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { accounts } from '../contract.ts';

/** My sessions, and buttons to end them elsewhere. */
export function SessionList() {
  const { data, error, refetch } = useCall(accounts.sessions, {});
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active />;
  return (
    <ul className="kit-cards">
      {data.map((session) => (
        <li key={session.id} className="kit-panel kit-row">
          <div className="kit-grow">
            {deviceName(session.ua)} {session.current && <Tag color="processing">本机</Tag>}
            <p className="kit-muted">
              {session.ip} · 登录于 <Moment at={session.gmt_created} /> · 最近使用 <Moment at={session.last_seen} />
            </p>
          </div>
          <CallButton
            call={accounts.endSession}
            asked={{ params: { id: session.id } }}
            allowed={!session.current}
            danger
            confirm={{ title: '退出这台设备的登录', content: '该设备上未保存的内容会丢失' }}
          >
            退出
          </CallButton>
        </li>
      ))}
    </ul>
  );
}
