import { App } from 'antd';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { signOn } from '../contract.ts';

/** The WeChat account bound to mine, and a button to unbind it. */
export function WechatBinding({ since }: { since: string | null }) {
  const { message } = App.useApp();
  if (since === null)
    return (
      <p className="kit-muted">
        还没有绑定微信。退出后在登录页选择“微信登录”，扫码并用登记的手机号验证，就会绑定到您的账号。
      </p>
    );
  return (
    <>
      <p>
        已于 <Moment at={since} /> 绑定微信，可以用它扫码登录。
      </p>
      <p className="kit-muted">
        更换手机或微信后请先解除，再用新的微信绑定。解除后，其他设备上的微信登录会退出。不用密码登录的，请联系管理员解除。
      </p>
      <CallForm
        name="wechat"
        secret
        call={signOn.unbind}
        submit="解除微信绑定"
        onDone={() => void message.success(signOn.unbind.message)}
        fields={[{ name: 'password', kind: 'password', autoComplete: 'current-password' }]}
      />
    </>
  );
}
