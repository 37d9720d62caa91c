import { App, Button } from 'antd';
import { useEffect, useState } from 'react';
import { proving } from '../challenge.ts';

/** Sends a code, at most once a minute; `said` is the success message. */
export function SendCode({
  ready,
  send,
  said,
}: {
  ready: boolean;
  send: (challenge?: string) => Promise<unknown>;
  said: string | undefined;
}) {
  const { message } = App.useApp();
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const sendCode = async () => {
    await proving(0, send);
    void message.success(said);
    setWait(60);
  };
  return (
    <Button
      disabled={wait > 0 || !ready}
      onClick={() => void sendCode().catch((error: Error) => void message.error(error.message))}
    >
      {wait > 0 ? `${wait} 秒后重发` : '获取验证码'}
    </Button>
  );
}
