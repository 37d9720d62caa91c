import { App } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { CallForm } from '#kernel/web/kit/form/CallForm.tsx';
import { accounts } from '#modules/accounts/contract.ts';
import { ChannelTest } from '#modules/deliveries/widgets.tsx';
import { settings } from '../contract.ts';
import { interfaceGroups } from '../contract/interfaces.ts';
import { GroupInput } from './GroupInput.tsx';
import { SettingsPanel } from './SettingsPanel.tsx';

const fields = Object.entries(interfaceGroups).map(([name, group]) => ({
  name,
  group: group.kind,
  label: group.title,
  render: ({ id, value, onChange, disabled }: Parameters<typeof GroupInput>[0]['control']) => (
    <GroupInput group={group} control={{ id, value, onChange, disabled }} />
  ),
}));

/** Connections to other systems. Secrets are never shown again; left alone they stay. */
export default function InterfacePage() {
  const reading = useCall(settings.interfaces, {});
  const me = useCall(accounts.me, {});
  const { message } = App.useApp();
  const { data } = reading;
  const readOnly = me.data?.is_super === false ? '接口设置只有超级管理员可以修改' : null;
  return (
    <SettingsPanel title="接口设置" reading={reading} readOnly={readOnly}>
      {data && me.data?.is_super && (
        <CallForm
          key={data.version}
          name="settings-interface"
          secret
          call={settings.saveInterfaces}
          initial={data.value}
          also={{ version: data.version }}
          submit="保存接口设置"
          onDone={() => void message.success(settings.saveInterfaces.message)}
          fields={fields}
        />
      )}
      {me.data?.is_super && <ChannelTest />}
    </SettingsPanel>
  );
}
