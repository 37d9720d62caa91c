import { Button, Tag } from 'antd';
import { dayMs } from '#kernel/contract/moment.ts';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import * as codes from '../../contract/codes.ts';
import { ItemRow, SubRow } from '../../contract/shapes.ts';
import './supervise.css';

export const Light = ({ light }: { light: number }) => (
  <span className="sup-light" data-light={light}>
    {codes.superviseLight.label(light)}
    <span className="kit-muted"> {codes.labelOf(codes.lightMeanings, light)}</span>
  </span>
);

const quick = [4, 3, 2];
/** The lights to look at first with their counts; pressing one filters the list. */
export const LightTags = ({
  counts,
  value,
  set,
}: {
  counts: Readonly<Record<number, number>> | undefined;
  value: string;
  set: (value: string) => void;
}) => (
  <span role="group" aria-label="灯" className="sup-quicks">
    {quick.map((one) => (
      <Button
        key={one}
        type={value === String(one) ? 'default' : 'text'}
        className="sup-quick"
        aria-pressed={value === String(one)}
        onClick={() => set(value === String(one) ? '' : String(one))}
      >
        <Light light={one} /> {counts?.[one] ?? 0}
      </Button>
    ))}
  </span>
);
export const lightFilter = (counts: Readonly<Record<number, number>> | undefined): ListFilter => ({
  key: 'light',
  kind: 'own',
  often: true,
  render: (field) => <LightTags counts={counts} {...field} />,
});
export const choiceFilter = (key: string, names: Readonly<Record<number, string>>, often = false): ListFilter => ({
  key,
  kind: 'select',
  options: options(names),
  often,
});
export const deptFilter = (key: string): ListFilter => ({
  key,
  kind: 'own',
  render: ({ value, set, label }) => (
    <DeptPicker
      placeholder={label}
      value={Number(value) || undefined}
      onChange={(next) => set(next ? String(next) : '')}
    />
  ),
});
export const dueFilters: ListFilter[] = [
  { key: 'due_from', kind: 'date' },
  { key: 'due_to', kind: 'date' },
];

/** The due time; if it was moved, also the first one and the difference. */
export function Due({ row: { due_at, first_due_at } }: { row: Pick<ItemRow, 'due_at' | 'first_due_at'> }) {
  if (!due_at) return '—';
  const days = first_due_at ? Math.round((Date.parse(due_at) - Date.parse(first_due_at)) / dayMs) : 0;
  if (days === 0) return <Moment at={due_at} />;
  return (
    <span className="sup-due">
      <Moment at={due_at} />
      <span className="kit-muted">
        原定 <span className="kit-struck">{first_due_at!.slice(0, 10)}</span> {days > 0 ? `+${days}` : days} 天
      </span>
    </span>
  );
}

/** The accepted percent, with a mark for the expected one. */
export const Bar = ({
  row: { progress, expected, light },
}: {
  row: Pick<ItemRow, 'progress' | 'expected' | 'light'>;
}) => (
  <span title={`已认可 ${progress}%，应完成 ${expected}%`}>
    <span className="kit-figures">{progress}%</span>
    {expected > 0 && <span className="kit-muted"> / 应 {expected}%</span>}
    <span
      className="sup-bar"
      role="img"
      aria-label={`已认可 ${progress}%，应完成 ${expected}%`}
      data-light={light}
      style={{ display: 'block' }}
    >
      <i style={{ width: `${progress}%` }} />
      {expected > 0 && <b style={{ left: `${expected}%` }} />}
    </span>
  </span>
);
const colour = { 1: 'blue', 2: 'gold', 3: 'red' } as const;
export const Urges = ({ urges }: { urges: readonly number[] }) =>
  urges.some(Boolean) ? (
    <span className="sup-word">
      {urges.map(
        (count, at) =>
          count > 0 && (
            <Tag key={at} color={colour[(at + 1) as 1]}>{`${codes.sheetColour.label(at + 1)} ${count}`}</Tag>
          ),
      )}
    </span>
  ) : (
    '—'
  );
export const Colour = ({ code }: { code: number }) => (
  <Tag color={colour[code as 1] ?? 'default'}>{codes.sheetColour.label(code)}</Tag>
);

const options = (names: Readonly<Record<number, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
const shared = {
  owner_info: { width: 84 },
  due_at: { whole: true, width: 190, sort: true, render: (row: ItemRow | SubRow) => <Due row={row} /> },
  progress: { width: 124, sort: true, render: (row: ItemRow | SubRow) => <Bar row={row} /> },
};
const rest = (states: Readonly<Record<number, string>>) => ({
  last_report: { width: 120, hidden: true },
  status: { width: 90, render: (row: ItemRow | SubRow) => <Tag>{codes.labelOf(states, row.status)}</Tag> },
  urges: { width: 90, render: (row: ItemRow | SubRow) => <Urges urges={row.urges} /> },
});
const light = { width: 94, whole: true, render: (row: ItemRow | SubRow) => <Light light={row.light} /> };
export const itemColumns = listColumns(ItemRow, {
  light: { ...light, sort: true },
  sn: { width: 150, whole: true, hidden: true },
  title: { width: 220, main: true },
  source: { width: 90, hidden: true },
  lead_dept_name: { width: 96 },
  ...shared,
  subs_done: { width: 76, number: true, render: (row) => `${row.subs_done}/${row.subs_total}` },
  ...rest(codes.itemState.names),
});
export const subColumns = listColumns(SubRow, {
  light,
  title: { width: 200, main: true },
  supervise_title: { width: 186 },
  dept_name: { width: 96 },
  ...shared,
  ...rest(codes.subState.names),
});
