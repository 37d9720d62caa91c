import { Tag } from 'antd';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { shortDate } from '#kernel/web/kit/show/Moment.tsx';
import { approvalListColumns } from '#modules/workflow/records/widgets.tsx';
import { ApplicationRow, type Line } from '../../contract/application.ts';
import { fileKind, lineState, slotText, usageType } from '../../contract/codes.ts';
import { choices } from '../seals/columns.tsx';

export const SealState = ({ status }: { status: number }) => (
  <Tag color={lineState.tones[status] ?? 'default'}>{lineState.label(status)}</Tag>
);
export const stateOf = (line: Line) =>
  line.pending_at ? (line.lapsed ? '过时未监印' : '待监印') : lineState.label(line.state);
/** The seals of an application, each with its progress. */
export const Seals = ({ lines }: { lines: readonly Line[] }) => (
  <span className="kit-row">
    {lines.map((line) => (
      <Tag key={line.id} color={line.pending_at ? 'warning' : lineState.tones[line.state]} title={stateOf(line)}>
        {line.stamp_name}
      </Tag>
    ))}
  </span>
);
export const slotsOf = (lines: readonly Line[]) =>
  [...new Set(lines.map(({ day, part }) => slotText(day && shortDate(day), part)).filter(Boolean))].join('、');

export const applicationColumns: ListColumn<ApplicationRow>[] = [
  ...listColumns(ApplicationRow, {
    sn: { whole: true, width: 130 },
    title: { main: true, width: 150 },
    reason: { hidden: true },
    lines: { render: (row) => <Seals lines={row.lines} />, width: 150 },
    copies: { sort: true, width: 64 },
    file_kind: { width: 90, hidden: true },
  }),
  { key: 'appoint', title: '预约', width: 120, render: (row) => slotsOf(row.lines) || '—' },
  ...approvalListColumns<ApplicationRow>(),
  ...listColumns(ApplicationRow, {
    seal_status: { width: 90, render: (row) => <SealState status={row.seal_status} /> },
    operator_info: { width: 80 },
    dept_name: { hidden: true, width: 110 },
    gmt_created: { sort: true, hidden: true, width: 140 },
  }),
];
export const applicationFilters: ListFilter[] = [
  { key: 'seal_status', kind: 'select', often: true, options: choices(lineState.names) },
  {
    key: 'act_state',
    kind: 'select',
    options: Object.entries(actState.names).map(([value, label]) => ({ value, label })),
  },
  { key: 'file_kind', kind: 'select', options: choices(fileKind.names) },
  { key: 'use_type', kind: 'select', options: choices(usageType.names) },
  { key: 'late', kind: 'select', options: [{ value: 'true', label: '逾期未还' }] },
];
