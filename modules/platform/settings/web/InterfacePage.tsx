import { useCall } from '#kernel/web/calls.ts';
import type { FieldControl } from '#kernel/web/kit/form/FieldInput.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { ChannelTest } from '#modules/platform/deliveries/widgets.tsx';
import { settings } from '../contract.ts';
import { interfaceGroups, interfaceRules } from '../contract/interfaces.ts';
import { GroupInput } from './GroupInput.tsx';

const instead = Object.fromEntries(
  Object.entries(interfaceGroups).map(([name, group]) => [
    name,
    {
      group: group.kind,
      render: ({ id, value, onChange, disabled }: FieldControl) => (
        <GroupInput
          group={group}
          control={{ value, ...(id && { id }), ...(onChange && { onChange }), ...(disabled && { disabled }) }}
        />
      ),
    },
  ]),
);

/** Connections to other systems. Secrets are never shown again, and stay if left alone. */
export default function InterfacePage() {
  const { data: me } = useCall(accounts.me, {});
  const readOnly = me && (me.is_super ? null : '接口设置只有超级管理员可以修改');
  return (
    <RulesPanel
      rules={interfaceRules}
      read={settings.interfaces}
      save={settings.saveInterfaces}
      readOnly={readOnly}
      instead={instead}
      secret
    >
      {me?.is_super && <ChannelTest />}
    </RulesPanel>
  );
}
