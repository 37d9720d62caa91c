import { App, Skeleton, Tabs } from 'antd';
import { Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { later } from '#kernel/web/later.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { CalendarFeeds } from '#modules/platform/feeds/widgets.tsx';
import { FileUsage } from '#modules/platform/files/widgets.tsx';
import { MessagePreference } from '#modules/platform/messages/widgets.tsx';
import { signOn } from '#modules/platform/signon/contract.ts';
import { WechatBinding } from '#modules/platform/signon/widgets.tsx';
import { StandIns } from '#modules/workflow/delegations/widgets.tsx';
import { forgotten } from '#modules/platform/accounts/contract/forgotten.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { AvatarInput } from '#modules/platform/accounts/web/AvatarInput.tsx';
import PasswordForm from '#modules/platform/accounts/web/PasswordForm.tsx';
import { MailForm } from '#modules/platform/accounts/web/forgotten/MailForm.tsx';
import { PhoneForm } from '#modules/platform/accounts/web/PhoneForm.tsx';
import { SessionList } from '#modules/platform/accounts/web/SessionList.tsx';

const SecondFactor = later(() => import('#modules/platform/accounts/web/SecondFactor.tsx'));

/** The personal centre, composed of several modules' data about a person: profile, password, phone, and signed-in devices. */
export default function ProfilePage() {
  const { data: me, error, refetch } = useCall(accounts.me, {});
  const { data: wechat } = useCall(signOn.bound, {}, { quiet: true });
  const { data: login } = useCall(settings.login, {}, { quiet: true });
  const { message } = App.useApp();
  const [search] = useSearchParams();
  if (error && !me) return <FailedState error={error} retry={() => void refetch()} />;
  if (!me) return <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />;
  const { email, office_phone, office_room, gender } = me;
  const saved = (text: string | undefined) => () => void message.success(text);
  return (
    <section className="kit-panel" aria-label="个人中心">
      <h1 style={{ marginTop: 0, fontSize: '1.125rem' }}>个人中心</h1>
      <p className="kit-muted">
        {[`${me.alias}（${me.username}）`, `${me.department} ${me.post}`.trim()].filter(Boolean).join(' · ')} · 角色：
        {me.roles.map((role) => role.name).join('、') || '无'}
      </p>
      <Tabs
        defaultActiveKey={search.get('tab') ?? 'info'}
        items={[
          {
            key: 'info',
            label: '资料',
            children: (
              <>
                <AvatarInput me={me} />
                <CallForm
                  key={JSON.stringify([email, office_phone, office_room, gender])}
                  name="profile"
                  call={accounts.changeInfo}
                  initial={{ email, office_phone, office_room, gender: gender || undefined }}
                  submit="保存资料"
                  onDone={saved(accounts.changeInfo.message)}
                  fields={[
                    { name: 'gender' },
                    { name: 'email', autoComplete: 'email' },
                    { name: 'office_phone' },
                    { name: 'office_room', help: '姓名、部门和职务由管理员维护' },
                  ]}
                />
              </>
            ),
          },
          {
            key: 'password',
            label: '密码',
            children: <PasswordForm onDone={saved(accounts.changePassword.message)} />,
          },
          {
            key: 'phone',
            label: '手机号',
            children: <PhoneForm current={me.phone} onDone={saved(accounts.changePhone.message)} />,
          },
          ...(login?.value.forgot_ways.includes('mail') && (me.is_super || !login.value.sso_only)
            ? [
                {
                  key: 'mail',
                  label: '找回密码的邮箱',
                  children: (
                    <MailForm
                      current={email}
                      confirmed={me.email_confirmed}
                      onDone={saved(forgotten.confirmMail.message)}
                    />
                  ),
                },
              ]
            : []),
          {
            key: 'second',
            label: '二次验证',
            children: (
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 4 }} />}>
                <SecondFactor />
              </Suspense>
            ),
          },
          ...(wechat?.open || wechat?.bound
            ? [{ key: 'wechat', label: '微信', children: <WechatBinding since={wechat.gmt_created} /> }]
            : []),
          {
            key: 'messages',
            label: '消息提醒',
            children: (
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 8 }} />}>
                <MessagePreference username={me.username} />
              </Suspense>
            ),
          },
          {
            key: 'feeds',
            label: '日历订阅',
            children: (
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 4 }} />}>
                <CalendarFeeds />
              </Suspense>
            ),
          },
          { key: 'files', label: '文件空间', children: <FileUsage of="own" /> },
          { key: 'stand-ins', label: '外出委托', children: <StandIns /> },
          { key: 'sessions', label: '登录设备', children: <SessionList /> },
        ]}
      />
    </section>
  );
}
