import { Progress, Tag } from 'antd';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { docLevel, secretLevel } from '#modules/office/documents/contract/shapes.ts';
import { copyState, Dist } from '../contract/list.ts';

/** Opening marks the copy as read, although the answer was made before that. */
export const opened = (dist: Dist) =>
  dist.my_state === copyState.unread && !dist.need_receipt && dist.recalled_at === null;

/** The state of one person's copy. */
export function CopyState({ state, label }: { state: number | null; label: string }) {
  return state === null ? <>—</> : <Tag color={copyState.tones[state] ?? 'default'}>{label}</Tag>;
}

/** Urgency and secrecy in words, if it has either. */
export function Marks({ dist }: { dist: Dist }) {
  return (
    <>
      {dist.level > docLevel.usual && (
        <Tag color={dist.level === docLevel.most ? 'error' : 'warning'}>{dist.level_name}</Tag>
      )}
      {dist.secret_level > secretLevel.none && <Tag color="error">{dist.secret_level_name}</Tag>}
    </>
  );
}

/** The number of recipients who have read it. */
export function Reading({ dist }: { dist: Dist }) {
  if (dist.total === null || dist.read === null) return <>—</>;
  return (
    <span className="dist-reading">
      <Progress
        percent={Math.floor((dist.read * 100) / Math.max(1, dist.total))}
        size="small"
        showInfo={false}
        aria-label="已阅读的比例"
      />
      <span className="kit-figures">
        {dist.read} / {dist.total}
      </span>
    </span>
  );
}

const title = {
  main: true,
  width: 260,
  render: (row: Dist) => (
    <>
      <Marks dist={row} />
      {row.title}
    </>
  ),
};
const rest = {
  doc_number: { width: 140 },
  send_time: { sort: true, width: 140 },
  deadline: { sort: true, width: 140 },
  sender: {
    width: 140,
    render: (row: Dist) => [row.sender, row.sender_dept_name].filter(Boolean).join(' · '),
  },
};

export const receivedColumns = listColumns(Dist, {
  title,
  my_state: {
    width: 90,
    render: (row) => (
      <CopyState
        state={row.my_state}
        label={row.my_state === copyState.unread && row.need_receipt ? '待签收' : row.my_state_name}
      />
    ),
  },
  ...rest,
});
export const sentColumns = listColumns(Dist, {
  title,
  read: { width: 170, render: (row) => <Reading dist={row} /> },
  recalled_at: {
    heading: '状态',
    width: 90,
    render: (row) => (row.recalled_at ? <Tag>已收回</Tag> : <Tag color="success">已分发</Tag>),
  },
  ...rest,
});
