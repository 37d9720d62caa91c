import { Alert } from 'antd';
import type { PaperDetail } from '../../contract/rows.ts';

/** Where the approval of a draft stands, and what it waits for. */
export function PaperApproval({ paper }: { paper: PaperDetail }) {
  if (!paper.approval) return null;
  const { act_state, state_name, waits_for } = paper.approval;
  if (act_state === 1)
    return (
      <Alert type="info" title={`正在审批：${state_name}${waits_for && `，等待 ${waits_for}`}。审批通过后自动发布。`} />
    );
  if (act_state === 5) return <Alert type="error" title="发布审批已关闭，这份草稿不再发布" />;
  return <Alert type="warning" title="发布审批已退回或撤回，修改后可以重新提交审批" />;
}
