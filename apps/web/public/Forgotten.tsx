import { useState } from 'react';
import { send } from '#kernel/web/client.ts';
import { forgotten } from '#modules/platform/accounts/contract/forgotten.ts';
import { proving } from '#modules/platform/accounts/web/challenge.ts';
import { CodeForm } from './CodeForm.tsx';
import { Sheet } from './Sheet.tsx';
import type { Site } from './useSite.ts';

const names = { sms: '手机号', mail: '邮箱' };

/** Sets a new password after a forgotten one, by a code sent to the phone or mail. */
export default function Forgotten({ site }: { site: Site }) {
  const [password, setPassword] = useState('');
  const [plain, setPlain] = useState(false);
  const [done, setDone] = useState(false);
  const { login } = site;
  if (done)
    return (
      <Sheet site={site} title="密码已修改">
        <p role="status">其他设备上的登录已全部退出，请用新密码登录</p>
        <a className="filled" href="/login">
          去登录
        </a>
      </Sheet>
    );
  const ways = login?.forgot_ways ?? [];
  if (login && ways.length === 0)
    return (
      <Sheet site={site} title="找回密码">
        <p>本单位没有开放自助找回密码，请联系管理员重置密码</p>
        <a className="other" href="/login">
          返回登录
        </a>
      </Sheet>
    );
  const label = ways.map((way) => names[way]).join('或') || '手机号或邮箱';
  const byPhone = !ways.includes('mail');
  const reset = async (target: string, code: string, work: number) => {
    if (!password) throw new Error('请填写新密码');
    const body = { target, code, new_password: password };
    await proving(work > 1 ? work : 0, (challenge) =>
      send(forgotten.reset, { body: { ...body, challenge } }, { quiet: true }),
    );
    setDone(true);
  };
  const { pwd_min = 8, pwd_classes = 0 } = login ?? {};
  const classes = pwd_classes > 1 ? `，含大写、小写、数字、符号中的 ${pwd_classes} 类` : '';
  return (
    <Sheet site={site} title="找回密码">
      {login?.sso_only && <p className="hint">本单位只允许单点登录，这里只能找回超级管理员的密码</p>}
      <p className="hint">
        填写账号登记的{label}
        {ways.includes('mail') && '（邮箱须是您在个人中心验证过的）'}，凭收到的验证码设置新密码
      </p>
      <CodeForm
        label={label}
        kind={byPhone ? 'tel' : 'text'}
        flaw={(target) => (target ? '' : `请填写${label}`)}
        least={1}
        sendCode={(target, challenge) => send(forgotten.code, { body: { target, challenge } }, { quiet: true })}
        submit="设置新密码"
        onSubmit={reset}
      >
        <label htmlFor="new-password">新密码</label>
        <div className="joined">
          <input
            id="new-password"
            type={plain ? 'text' : 'password'}
            autoComplete="new-password"
            maxLength={128}
            aria-describedby="password-rules"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
          <button type="button" className="quiet" aria-pressed={plain} onClick={() => setPlain(!plain)}>
            {plain ? '隐藏' : '显示'}
          </button>
        </div>
        <p id="password-rules" className="hint">
          {`至少 ${pwd_min} 位${classes}；不能包含用户名、姓名和手机号，不能是常见密码或最近用过的密码`}
        </p>
      </CodeForm>
      <p className="hint">没有收到？请核对填写的{label}；仍收不到的，请联系管理员重置密码</p>
      <a className="other" href="/login">
        返回登录
      </a>
    </Sheet>
  );
}
