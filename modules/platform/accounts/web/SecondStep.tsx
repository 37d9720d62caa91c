import { Skeleton } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { secondCalls } from '../contract/second.ts';
import { RecoveryCodes, SetUp } from './SecondSetUp.tsx';

/** Blocks all pages until the second step is completed, or set up if required. */
export default function SecondStep({ onDone }: { onDone: () => void }) {
  const { data, error, refetch } = useCall(secondCalls.second, {});
  const [made, setMade] = useState<string[]>();
  if (made) return <RecoveryCodes codes={made} onDone={onDone} />;
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />;
  if (data.owed === 'enrol')
    return (
      <>
        <p>单位要求您的账号使用二次验证：用手机上的验证器扫描二维码，以后登录时填写它显示的数字。</p>
        <SetUp onDone={setMade} />
      </>
    );
  return (
    <CallForm
      name="second-step"
      secret
      call={secondCalls.proveSecond}
      submit="验证"
      onDone={onDone}
      fields={[
        {
          name: 'code',
          autoComplete: 'one-time-code',
          help: '验证器显示的 6 位数字；手机不在身边时，填写一个没有用过的恢复码',
        },
      ]}
    />
  );
}
