import { App, Button } from 'antd';
import { useState } from 'react';
import { canPush, pushedTo, startPush, stopPush } from './push.ts';

/** Switches push messages on or off for this device. */
export function PushSwitch({ username }: { username: string }) {
  const { message } = App.useApp();
  const [on, setOn] = useState(pushedTo() === username);
  const [busy, setBusy] = useState(false);
  if (!canPush()) return <p className="kit-muted">本设备的浏览器不支持推送，或网址不是加密地址。</p>;
  const turn = async () => {
    setBusy(true);
    try {
      await (on ? stopPush() : startPush(username));
      setOn(!on);
    } catch (error) {
      void message.error(
        error instanceof Error && /\p{Script=Han}/u.test(error.message)
          ? error.message
          : '浏览器没有连上推送服务，请稍后再试',
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <p className="kit-row">
      <Button loading={busy} aria-pressed={on} onClick={() => void turn()}>
        {on ? '关闭本设备的推送' : '在本设备开启推送'}
      </Button>
      <span className="kit-muted">
        {on ? '本设备会弹出新消息的标题' : '开启后，不打开系统也能在本设备看到新消息的标题'}
      </span>
    </p>
  );
}
