import { App, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { secondCalls } from '../contract/second.ts';
import { RecoveryCodes, SetUp } from './SecondSetUp.tsx';

const codeField = { name: 'code', autoComplete: 'one-time-code' };

/** My second step of signing in: set up, renew, remove. */
export default function SecondFactor() {
  const { data, error, refetch } = useCall(secondCalls.second, {});
  const { message } = App.useApp();
  const [password, setPassword] = useState<string>();
  const [codes, setCodes] = useState<string[]>();
  const [doing, setDoing] = useState<'renew' | 'end'>();
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active paragraph={{ rows: 4 }} />;
  const over = () => {
    setCodes(undefined);
    setDoing(undefined);
    setPassword(undefined);
    void refetch();
  };
  if (codes) return <RecoveryCodes codes={codes} onDone={over} />;
  if (!data.enrolled)
    return password === undefined ? (
      <>
        <p>开启后，登录时除密码外还要填写手机验证器上每半分钟变化一次的数字，密码被别人知道也进不来。</p>
        <AskPassword onDone={setPassword} />
      </>
    ) : (
      <SetUp password={password} onDone={setCodes} />
    );
  return (
    <>
      <p>
        二次验证已开启，还有 {data.left} 个恢复码没有用过。{data.required && '单位要求您的账号使用，不能关闭。'}
      </p>
      <p className="kit-row">
        <Button onClick={() => setDoing('renew')}>重新生成恢复码</Button>
        {!data.required && (
          <Button danger onClick={() => setDoing('end')}>
            关闭二次验证
          </Button>
        )}
      </p>
      {doing === 'renew' && (
        <CallForm
          name="second-codes"
          secret
          call={secondCalls.renewCodes}
          submit="生成恢复码"
          onDone={(reply) => setCodes(reply.codes)}
          fields={[codeField]}
        />
      )}
      {doing === 'end' && (
        <CallForm
          name="second-end"
          secret
          call={secondCalls.endSecond}
          submit="确认关闭"
          onDone={() => {
            void message.success(secondCalls.endSecond.message);
            over();
          }}
          fields={[codeField]}
        />
      )}
    </>
  );
}

function AskPassword({ onDone }: { onDone: (password: string) => void }) {
  return (
    <form
      className="kit-form kit-row"
      onSubmit={(event) => {
        event.preventDefault();
        onDone(String(new FormData(event.currentTarget).get('password')));
      }}
    >
      <label htmlFor="second-password">登录密码</label>
      <input
        id="second-password"
        className="ant-input"
        name="password"
        type="password"
        autoComplete="current-password"
      />
      <Button type="primary" htmlType="submit">
        绑定验证器
      </Button>
    </form>
  );
}
