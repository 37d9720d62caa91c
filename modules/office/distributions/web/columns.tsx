import { Progress, Tag } from 'antd';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { docLevel, secretLevel } from '#modules/office/documents/contract/shapes.ts';
import type { Dist } from '../contract/list.ts';
import { copyState } from '../contract/list.ts';

/** Opening it has read it, though the answer was made before. */
export const opened = (dist: Dist) =>
  dist.my_state === copyState.unread && !dist.need_receipt && dist.recalled_at === null;

/** How far one person is with their copy. */
export function CopyState({ state, label }: { state: number | null; label: string }) {
  return state === null ? <>—</> : <Tag color={copyState.tones[state] ?? 'default'}>{label}</Tag>;
}

/** How urgent and how secret, in words, where it is either. */
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

/** How many of how many have read it. */
export function Reading({ dist }: { dist: Dist }) {
  if (dist.total === null || dist.read === null) return <>—</>;
  return (
    <span className="dist-reading">
      <Progress percent={Math.floor((dist.read * 100) / Math.max(1, dist.total))} size="small" showInfo={false} />
      <span className="kit-figures">
        {dist.read} / {dist.total}
      </span>
    </span>
  );
}

const title: ListColumn<Dist> = {
  key: 'title',
  title: '标题',
  main: true,
  width: 260,
  render: (row) => (
    <>
      <Marks dist={row} />
      {row.title}
    </>
  ),
};
const rest: ListColumn<Dist>[] = [
  { key: 'doc_number', title: '发文字号', width: 150, render: (row) => row.doc_number || '—' },
  { key: 'send_time', title: '分发时间', sort: true, width: 140, render: (row) => <Moment at={row.send_time} /> },
  { key: 'deadline', title: '阅读期限', sort: true, width: 140, render: (row) => <Moment at={row.deadline} /> },
];
const sender: ListColumn<Dist> = {
  key: 'sender',
  title: '分发人',
  width: 150,
  render: (row) => [row.sender, row.sender_dept_name].filter(Boolean).join(' · '),
};

export const receivedColumns: ListColumn<Dist>[] = [
  title,
  {
    key: 'my_state',
    title: '状态',
    width: 90,
    render: (row) => (
      <CopyState
        state={row.my_state}
        label={row.my_state === copyState.unread && row.need_receipt ? '待签收' : row.my_state_name}
      />
    ),
  },
  ...rest,
  sender,
];
export const sentColumns: ListColumn<Dist>[] = [
  title,
  { key: 'read', title: '已读', width: 170, render: (row) => <Reading dist={row} /> },
  {
    key: 'recalled_at',
    title: '状态',
    width: 90,
    render: (row) => (row.recalled_at ? <Tag>已收回</Tag> : <Tag color="success">已分发</Tag>),
  },
  ...rest,
  sender,
];
