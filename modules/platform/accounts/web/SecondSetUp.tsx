import { Button, Skeleton } from 'antd';
import { useEffect, useState } from 'react';
import { send } from '#kernel/web/client.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { CopyText } from '#kernel/web/kit/show/CopyText.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { secondCalls } from '../contract/second.ts';

/** The QR code for an app, and the first code it shows. `password`: for somebody already signed in. */
export function SetUp({ password, onDone }: { password?: string; onDone: (codes: string[]) => void }) {
  const [made, setMade] = useState<{ secret: string; qr: string }>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    send(secondCalls.beginSecond, { body: { password } }, { quiet: true }).then(setMade, setFailure);
  }, [password]);
  if (failure) return <FailedState error={failure} />;
  if (!made) return <Skeleton active paragraph={{ rows: 6 }} />;
  return (
    <>
      <img src={made.qr} alt="绑定验证器的二维码" width={220} height={220} />
      <p>
        不能扫描时，在验证器中手工输入密钥：
        <CopyText text={made.secret} />
      </p>
      <CallForm
        name="second-set-up"
        secret
        call={secondCalls.confirmSecond}
        submit="开启二次验证"
        onDone={({ codes }) => onDone(codes)}
        fields={[{ name: 'code', autoComplete: 'one-time-code', help: '验证器现在显示的 6 位数字' }]}
      />
    </>
  );
}

/** Shown once: each lets its person in once without the app. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <section aria-label="恢复码">
      <h2>请保存恢复码</h2>
      <p>手机不在身边时，每个恢复码可以代替动态码登录一次。关闭后不再显示，请抄写或打印后妥善保管。</p>
      <ul className="kit-lines">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Button type="primary" onClick={onDone}>
        我已保存，关闭
      </Button>
    </section>
  );
}
