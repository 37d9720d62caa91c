import { Tag } from 'antd';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { Stamp } from '../../contract/seals.ts';
import { stampStatus, stampType } from '../../contract/seal-codes.ts';

export const stampTo = (row: { id: number }) => `/stamp/list/detail/${row.id}`;

export function StampStatus({ status }: { status: number }) {
  return <Tag color={stampStatus.tones[status] ?? 'default'}>{stampStatus.label(status)}</Tag>;
}
/** The time of its last inventory; red if that is more than a quarter ago. */
export const Seen = ({ stamp }: { stamp: Stamp }) =>
  stamp.unseen ? <Tag color="error">待盘点</Tag> : (stamp.seen_at?.slice(0, 10) ?? '—');
/** The present holder, if that is not the keeper. */
export const keeperText = ({ keeper_info, keeper_now }: Pick<Stamp, 'keeper_info' | 'keeper_now'>) =>
  keeper_now.id === keeper_info.id ? keeper_info.alias : `${keeper_now.alias}（代 ${keeper_info.alias}）`;

export const stampColumns = listColumns(Stamp, {
  name: { main: true, sort: true, width: 180 },
  stamp_no: { sort: true, width: 110 },
  type: { sort: true, width: 120 },
  dept_name: { width: 120 },
  keeper_now: { whole: true, width: 120, render: keeperText },
  place: { width: 130, hidden: true },
  waiting: { width: 76 },
  today: { number: true, width: 90, render: (row) => `${row.today}/${row.slot_capacity * 2}` },
  seen_at: { width: 110, render: (row) => <Seen stamp={row} /> },
  status: { sort: true, width: 100, render: (row) => <StampStatus status={row.status} /> },
});

/** The columns of the custody book. */
export const custodyColumns = stampColumns.flatMap((column) =>
  column.key === 'waiting' || column.key === 'today'
    ? []
    : [column.key === 'place' ? { ...column, hidden: false } : column],
);

export const choices = (labels: Readonly<Record<number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
export const stampFilters: ListFilter[] = [
  { key: 'type', kind: 'select', often: true, options: choices(stampType.names) },
  { key: 'status', kind: 'select', often: true, options: choices(stampStatus.names) },
  { key: 'unseen', kind: 'select', options: [{ value: 'true', label: '待盘点' }] },
  { key: 'mine', kind: 'select', options: [{ value: 'true', label: '我现在保管的' }] },
];
