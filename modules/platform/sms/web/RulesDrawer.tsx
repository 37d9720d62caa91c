import { Drawer } from 'antd';
import { useCall } from '#kernel/web/calls.ts';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { sms } from '../contract.ts';
import { smsRules } from '../contract/rules.ts';

/** Limits, times and permitted contents. Template editors see them, super administrators change them. */
export function RulesDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const narrow = useNarrow();
  const { data: me } = useCall(accounts.me, {}, { enabled: open });
  return (
    <Drawer title={smsRules.title} open={open} onClose={onClose} size={narrow ? '100%' : 560} destroyOnHidden>
      <RulesPanel
        untitled
        rules={smsRules}
        read={sms.rule}
        save={sms.saveRule}
        readOnly={me && (me.is_super ? null : '短信规则只有超级管理员可以修改')}
      />
    </Drawer>
  );
}
