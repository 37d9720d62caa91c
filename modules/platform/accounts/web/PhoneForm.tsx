import { App, Button } from 'antd';
import { useEffect, useState } from 'react';
import { send } from '#kernel/web/client.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { accounts } from '../contract.ts';
import { proving } from './challenge.ts';

/** Changes my phone with a code sent to the new number. */
export function PhoneForm({ current, onDone }: { current: string; onDone: () => void }) {
  return (
    <CallForm
      name="phone"
      secret
      call={accounts.changePhone}
      submit="修改手机号"
      onDone={onDone}
      fields={[
        { name: 'phone', label: '新手机号', autoComplete: 'tel', help: current ? `当前：${current}` : '当前未绑定' },
        { name: 'code', label: '验证码', autoComplete: 'one-time-code' },
        { name: 'password', label: '登录密码', kind: 'password', autoComplete: 'current-password' },
      ]}
      extra={(values) => <SendCode phone={String(values['phone'] ?? '')} />}
    />
  );
}

function SendCode({ phone }: { phone: string }) {
  const { message } = App.useApp();
  const [wait, setWait] = useState(0);
  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);
  const sendCode = async () => {
    await proving(0, (challenge) =>
      send(accounts.smsCode, { params: { phone }, query: { scene: 'change', challenge } }, { quiet: true }),
    );
    void message.success(accounts.smsCode.message);
    setWait(60);
  };
  return (
    <Button
      disabled={wait > 0 || !/^1[3-9]\d{9}$/.test(phone)}
      onClick={() => void sendCode().catch((error: Error) => void message.error(error.message))}
    >
      {wait > 0 ? `${wait} 秒后重发` : '获取验证码'}
    </Button>
  );
}
