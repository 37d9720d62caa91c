import { send } from '#kernel/web/client.ts';
import { signOn } from '#modules/platform/signon/contract.ts';
import { bindToken, keepBindToken } from './bindToken.ts';
import { PhoneCodeForm } from './PhoneCodeForm.tsx';
import { Sheet } from './Sheet.tsx';
import { enter } from './signIn.ts';
import type { Site } from './useSite.ts';

/** Binds an unknown WeChat identity to an account by its phone number, once. */
export default function BindPhone({ site }: { site: Site }) {
  const bind = async (phone: string, code: string) => {
    const body = { bind_token: bindToken() ?? '', phone, code };
    const reply = await send(signOn.bindPhone, { body }, { quiet: true });
    keepBindToken(null);
    enter({ ...reply, token: reply.jwt, staff: reply.is_yg }, reply.redirect);
  };
  return (
    <Sheet site={site} title="绑定手机号">
      <p>首次使用微信登录，请用账号登记的手机号完成绑定，5 分钟内有效</p>
      <PhoneCodeForm scene="bind" submit="绑定并登录" onSubmit={(phone, code) => bind(phone, code)} />
      <a
        className="other"
        href="/loginTwo"
        onClick={() => {
          keepBindToken(null);
        }}
      >
        放弃绑定，使用其他方式登录
      </a>
    </Sheet>
  );
}
