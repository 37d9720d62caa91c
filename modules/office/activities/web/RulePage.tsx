import { keepPreviousData } from '@tanstack/react-query';
import { useCall } from '#kernel/web/calls.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { RulesPanel } from '#kernel/web/kit/rules/RulesPanel.tsx';
import { boardCalls } from '../contract/board.ts';
import { activityRuleCalls, activityRules } from '../contract/rules.ts';

/** The effect of other thresholds on the last twelve months. */
function Effect({ values }: { values: Record<string, unknown> }) {
  const { in_max, out_max, publicity_types } = values;
  const query = { in_max, out_max, publicity_types: (publicity_types as number[] | undefined)?.join(',') } as object;
  const { data } = useCall(boardCalls.effect, { query }, { placeholderData: keepPreviousData, quiet: true });
  if (!data) return null;
  const { total, safety, publicity, was_safety, was_publicity } = data;
  return (
    <span className="kit-muted">
      按新规则，近一年 {total} 场中 {safety} 场需要保卫审核（实际 {was_safety} 场），{publicity} 场需要宣传审核（实际{' '}
      {was_publicity} 场）
    </span>
  );
}

/** 申报规则: the thresholds and lead times, with the effect they would have had. */
export default function RulePage() {
  const may = usePermission()('Update');
  return (
    <RulesPanel
      rules={activityRules}
      read={activityRuleCalls.rule}
      save={activityRuleCalls.saveRule}
      readOnly={may ? null : '只有党政办可以修改申报规则'}
      saved="，在办的申报仍按原规则"
      effect={(values) => <Effect values={values} />}
    />
  );
}
