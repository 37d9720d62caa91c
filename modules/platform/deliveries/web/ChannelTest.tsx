import { App } from 'antd';
import { useState } from 'react';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { deliveries } from '../contract.ts';

/** Sends a test with the present configuration; the result is in the delivery log. */
export function ChannelTest() {
  const { message } = App.useApp();
  const [turn, setTurn] = useState(0);
  return (
    <section className="kit-panel" aria-label="发送测试">
      <p className="kit-muted">先保存接口设置，再向自己的手机或邮箱发送测试；群机器人和网络钩子在“通知方式”中测试。</p>
      <CallForm
        key={turn}
        name="delivery:test"
        secret
        call={deliveries.test}
        initial={{ channel: 'mail' }}
        submit="发送测试"
        onDone={() => {
          setTurn(turn + 1);
          void message.success(deliveries.test.message);
        }}
        fields={[
          {
            name: 'channel',
            kind: 'select',
            options: [
              { value: 'mail', label: '邮件' },
              { value: 'sms', label: '短信' },
            ],
          },
          { name: 'target', placeholder: '邮箱地址或手机号' },
        ]}
      />
    </section>
  );
}
