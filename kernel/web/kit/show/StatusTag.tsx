import { Tag } from 'antd';
import '../kit.css';

const statuses = [
  { label: '草稿', color: 'default' },
  { label: '待审', color: 'processing' },
  { label: '已退回', color: 'warning' },
  { label: '已撤回', color: 'default' },
  { label: '已通过', color: 'success' },
  { label: '已关闭', color: 'default' },
  { label: '申请办结', color: 'cyan' },
] as const;

/** Label of a document status code 0–6; the code itself for any other. */
export function statusLabel(code: number): string {
  return statuses[code]?.label ?? String(code);
}

/** Document status 0–6: always as text, with colour only in addition; closed is struck through, and red marks what has ended without being settled. */
export function StatusTag({ code, label, unsettled }: { code: number; label?: string; unsettled?: boolean }) {
  if (unsettled)
    return (
      <Tag color="error" className="kit-status">
        {label}
      </Tag>
    );
  return (
    <Tag color={statuses[code]?.color ?? 'default'} className={code === 5 ? 'kit-status kit-struck' : 'kit-status'}>
      {label ?? statusLabel(code)}
    </Tag>
  );
}
