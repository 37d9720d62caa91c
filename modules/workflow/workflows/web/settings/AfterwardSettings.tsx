import { childrenOnCloseNames, childrenOnRetreatNames, coded, onLeavingNames, revokeNames } from '../words.ts';
import type { Draft } from '../designer/state/draft.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';

interface Props {
  settings: Draft['settings'];
  onChange: (part: Partial<Draft['settings']>) => void;
}

/** Settings for tickets outside their normal flow: finished ones, lower ones, and those of leavers. */
export function AfterwardSettings({ settings, onChange }: Props) {
  return (
    <>
      <LabelledSelect
        id="settings-revoke"
        label="办结后作废"
        extra="作废之后不再有效，状态为“已关闭”，记录都保留"
        options={coded(revokeNames)}
        value={settings.revoke}
        onChange={(revoke) => onChange({ revoke })}
      />
      <LabelledSelect
        id="settings-children"
        label="工单关闭或由发起人撤回时，还在办的下级工单"
        options={coded(childrenOnCloseNames)}
        value={settings.children_on_close}
        onChange={(children_on_close) => onChange({ children_on_close })}
      />
      <LabelledSelect
        id="settings-children-retreat"
        label="撤回时，还在办的下级工单"
        extra="下级工单只属于它开出的那一次经过：重新提交之后，以前的下级工单不再算数，也不会推动工单。发起人撤回整张工单不受下级工单限制"
        options={coded(childrenOnRetreatNames)}
        value={settings.children_on_retreat}
        onChange={(children_on_retreat) => onChange({ children_on_retreat })}
      />
      <LabelledSelect
        id="settings-leaving"
        label="办理人离岗（账号停用或删除）后，只等他一人处理的待办"
        extra="停用时立即转交并告知接办人和发起人。接了单的退回给可以接单的人；部门或角色中还有他人的，由他人处理"
        options={coded(onLeavingNames)}
        value={settings.on_leaving}
        onChange={(on_leaving) => onChange({ on_leaving })}
      />
    </>
  );
}
