import { Segmented, Skeleton, Table } from 'antd';
import { paged } from '../list/Pager.tsx';
import { useMemo, useState } from 'react';
import type { CSSProperties, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import { Chart, type Series } from '../show/Chart.tsx';
import { EmptyState } from '../show/EmptyState.tsx';
import { FailedState } from '../show/FailedState.tsx';
import './figures.css';

export interface FigureColumn<Row> {
  key: keyof Row & string;
  title: string;
  /** The column holds text over several lines; other columns are figures. */
  words?: boolean;
}

interface Props<Row> {
  title: string;
  /** Heading of the names. */
  heading: string;
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined;
  /** The total of all rows, of which `rows` may be the first; if there are more, the panel says so. */
  total?: number | undefined;
  capped?: boolean | undefined;
  error?: unknown;
  retry?: () => void;
  /** Text shown if there are none. */
  none: string;
  columns: readonly FigureColumn<Row>[];
  /** Columns that the chart shows; without any, only the table is shown. */
  drawn: readonly (keyof Row & string)[];
  unit: string;
  /** Lines over the last two years, bars side by side, stacked bars, or a table with darker cells for larger values. */
  chart: 'months' | 'bars' | 'stack' | 'heat';
  /** The view that opens first; the chart unless given. */
  first?: 'chart' | 'table';
  /** The bars keep the order of the lines; otherwise the longest comes first. */
  ordered?: boolean | undefined;
  /** The address of the rows behind a line. */
  to?: ((row: Row) => string | undefined) | undefined;
  exporting: ReactNode;
}

const mostMonths = 24;
/** The maximum number of bars in a chart; the table has all lines. */
const mostBars = 20;

/** The months of a table, with the missing ones in between added. */
export function everyMonth<Row extends { key: string | number; name: string }>(rows: readonly Row[]): Row[] {
  const known = new Map(rows.map((row) => [row.name, row]));
  const [first, last] = [rows[0]?.name, rows.at(-1)?.name];
  if (!isMonth(first) || !isMonth(last)) return [...rows];
  const all: Row[] = [];
  for (let month = first; month <= last && all.length < 1200; month = monthAfter(month))
    all.push(known.get(month) ?? ({ key: month, name: month } as Row));
  return all;
}
const isMonth = (name: string | undefined): name is string => /^\d{4}-\d{2}$/.test(name ?? '');
const monthAfter = (month: string) => {
  const [year, at] = month.split('-').map(Number) as [number, number];
  return at === 12 ? `${year + 1}-01` : `${year}-${String(at + 1).padStart(2, '0')}`;
};

/** One table of figures, shown as a chart or as its rows, which can be exported. */
export function FiguresPanel<Row extends { key: string | number; name: string }>(props: Props<Row>) {
  const { title, heading, rows, error, retry, none, columns, drawn, unit, chart, to, exporting } = props;
  const navigate = useNavigate();
  const [view, setView] = useState(drawn.length === 0 ? 'table' : (props.first ?? 'chart'));
  const months = chart === 'months';
  const shown = useMemo(
    () =>
      months
        ? everyMonth(rows ?? []).slice(-mostMonths)
        : (chart === 'heat' || props.ordered ? (rows ?? []) : longestFirst(rows ?? [], drawn)).slice(0, mostBars),
    [months, chart, props.ordered, drawn, rows],
  );
  const names = useMemo(() => shown.map((row) => row.name), [shown]);
  const series = useMemo(
    () =>
      drawn.map((key): Series => ({
        name: columns.find((column) => column.key === key)?.title ?? '',
        kind: months ? 'line' : 'bar',
        values: shown.map((row) => Number(row[key] ?? 0)),
        ...(chart === 'stack' && { stack: 'all' }),
      })),
    [chart, columns, drawn, months, shown],
  );
  return (
    <section className="kit-panel" aria-label={title}>
      <div className="kit-row">
        <h2 className="kit-grow figures-title">{title}</h2>
        {drawn.length > 0 && (
          <Segmented
            aria-label={`${title}的显示方式`}
            value={view}
            onChange={setView}
            options={[
              { value: 'chart', label: '图' },
              { value: 'table', label: '表' },
            ]}
          />
        )}
        {exporting}
      </div>
      {error !== null && error !== undefined && !rows && <FailedState error={error} retry={retry} />}
      {!rows && !error && <Skeleton active />}
      {rows?.length === 0 && <EmptyState why={none} />}
      {shown.length > 0 && view === 'chart' && chart === 'heat' && (
        <Heat heading={heading} rows={shown} columns={columns.filter(({ key }) => drawn.includes(key))} unit={unit} />
      )}
      {shown.length > 0 && view === 'chart' && chart !== 'heat' && (
        <Chart
          label={`${title}，数据见表`}
          unit={unit}
          names={names}
          series={series}
          sideways={!months}
          onPick={
            to &&
            ((at) => {
              const address = shown[at] && to(shown[at]);
              if (address) void navigate(address);
            })
          }
        />
      )}
      {rows && (props.total ?? 0) > rows.length && (
        <p className="kit-muted">
          共 {props.total}
          {props.capped ? '+' : ''} 项，这里只列出前 {rows.length} 项{props.capped ? '，请缩小范围' : '，全部请导出'}
        </p>
      )}
      {rows && rows.length > 0 && view === 'table' && (
        <Table<Row>
          size="small"
          rowKey="key"
          dataSource={[...rows]}
          pagination={paged(20)}
          scroll={{ x: 'max-content' }}
          columns={[
            { title: heading, render: (_value, row) => nameIn(row, to?.(row)) },
            ...columns.map(({ key, title: text, words }) => ({
              dataIndex: key,
              title: text,
              render: (value: ReactNode) => value ?? '—',
              ...(words
                ? { className: 'figures-words' }
                : {
                    align: 'right' as const,
                    className: 'kit-figures',
                    sorter: (a: Row, b: Row) => compare(a[key], b[key]),
                  }),
            })),
          ]}
        />
      )}
    </section>
  );
}

/** Sorts by the total of the drawn columns. */
export function longestFirst<Row>(rows: readonly Row[], drawn: readonly (keyof Row)[]): Row[] {
  const length = (row: Row) => drawn.reduce((sum, key) => sum + Number(row[key] ?? 0), 0);
  return rows.toSorted((a, b) => length(b) - length(a));
}

const nameIn = ({ name }: { name: string }, address: string | undefined) =>
  address ? <Link to={address}>{name}</Link> : name;

/** Figures as shades; each cell also shows its figure. */
function Heat<Row extends { key: string | number; name: string }>(props: {
  heading: string;
  rows: readonly Row[];
  columns: readonly FigureColumn<Row>[];
  unit: string;
}) {
  const { heading, rows, columns, unit } = props;
  const most = Math.max(1, ...rows.flatMap((row) => columns.map(({ key }) => Number(row[key]))));
  return (
    <div className="figures-heat" role="region" aria-label={heading} tabIndex={0}>
      <table>
        <caption className="kit-muted">{unit}</caption>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.name}</th>
              {columns.map(({ key }) => (
                <td key={key} style={{ '--heat': `${Math.round((Number(row[key]) / most) * 45)}%` } as CSSProperties}>
                  {Number(row[key]) || ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a ?? '').localeCompare(String(b ?? ''));
}
