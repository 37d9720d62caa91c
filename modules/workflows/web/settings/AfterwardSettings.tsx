import { childrenOnCloseNames, childrenOnRetreatNames, coded, revokeNames } from '../words.ts';
import type { Draft } from '../designer/draft.ts';
import { LabelledSelect } from '../LabelledSelect.tsx';

interface Props {
  settings: Draft['settings'];
  onChange: (part: Partial<Draft['settings']>) => void;
}

/** What may become of a ticket that is finished or closed. */
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
        label="工单关闭时，还在办的下级工单"
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
    </>
  );
}
