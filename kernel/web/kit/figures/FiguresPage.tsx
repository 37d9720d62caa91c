import { Select, Skeleton } from 'antd';
import { useMemo, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { dayMs } from '#kernel/contract/moment.ts';
import type { FigurePanel, Figures, PageOf, RowOf, SummaryOf } from '#kernel/contract/figures.ts';
import { useCall } from '../../calls.ts';
import { DateInput } from '../form/date/DateInput.tsx';
import { ExportButton } from '../list/bar/ExportButton.tsx';
import { useReadable } from '../permission.tsx';
import { FailedState } from '../show/FailedState.tsx';
import { FiguresPanel } from './FiguresPanel.tsx';
import { FiguresSummary, type Fact } from './FiguresSummary.tsx';
import './figures.css';

/** The query of the page: its filters, and the days it counts. */
export type Period = Readonly<{ start: string; end: string } & Record<string, string>>;

export interface FigureFilter {
  value: string | null;
  onChange: (value: string | number | null | undefined) => void;
}

export interface FiguresPageProps<F extends Figures> {
  figures: F;
  /** Shown below the title if the page is one of several. */
  tabs?: ReactNode;
  /** An explanation of what is counted, and by which time. */
  help?: string;
  /** Inputs of the filters, by their names in the call; the address holds their values. */
  filters?: Readonly<Record<string, (control: FigureFilter) => ReactNode>>;
  /** The figures of the whole page, each under its name. */
  summary?: (summary: SummaryOf<F>, asked: Period) => readonly Fact[];
  /** The address of the rows behind a line of a table, for its name and its bar in the chart. */
  to?: { readonly [K in keyof F['panels']]?: (row: RowOf<F>, asked: Period) => string };
}

/** A statistics page: filters, totals, and each table as a chart or as its rows. */
export function FiguresPage<F extends Figures>(props: FiguresPageProps<F>) {
  const { figures, tabs, help, filters = {} } = props;
  const [search, setSearch] = useSearchParams();
  const keys = [...Object.keys(filters), ...(figures.months > 0 ? ['start', 'end'] : [])];
  const asked = Object.fromEntries(keys.flatMap((key) => (search.get(key) ? [[key, search.get(key)]] : [])));
  const set = (key: string, value: string | number | null | undefined) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value) next.set(key, String(value));
      else next.delete(key);
      return next;
    });
  const { data } = useFigures(figures, asked);
  return (
    <section className="kit-list" aria-label={figures.title}>
      <h1>{figures.title}</h1>
      {tabs}
      {(keys.length > 0 || help) && (
        <div className="kit-row kit-panel">
          {Object.entries(filters).map(([key, input]) => (
            <span key={key}>{input({ value: search.get(key), onChange: (value) => set(key, value) })}</span>
          ))}
          {figures.months > 0 &&
            (['start', 'end'] as const).map((key) => (
              <DateInput
                key={key}
                kind="date"
                only
                allowClear
                className="kit-filter-date"
                aria-label={key === 'start' ? '从' : '到'}
                prefix={<span className="kit-muted">{key === 'start' ? '从' : '到'}</span>}
                min={key === 'end' ? (search.get('start') ?? data?.start) : undefined}
                value={search.get(key) ?? data?.[key]}
                onChange={(day) => set(key, day)}
              />
            ))}
          {help && <span className="kit-muted">{help}</span>}
        </div>
      )}
      <FiguresPanels {...props} asked={asked} />
    </section>
  );
}

/** The figures without their page: in a drawer, or on another page. */
export function FiguresPanels<F extends Figures>({
  figures,
  asked,
  summary,
  to,
}: Pick<FiguresPageProps<F>, 'figures' | 'summary' | 'to'> & { asked: Readonly<Record<string, unknown>> }) {
  const { data, error, refetch } = useFigures(figures, asked);
  const readable = useReadable();
  const days = data && figures.months > 0 ? periodBefore(data) : null;
  const past = useFigures(figures, { ...asked, ...days }, days !== null && summary !== undefined).data;
  const all = data ? (data.value as PageOf<F>) : null;
  const tables = data ? (data.value as Readonly<Record<`by_${string}`, readonly RowOf<F>[]>>) : {};
  if (error && !data) return <FailedState error={error} retry={() => void refetch()} />;
  if (!all) return <Skeleton active className="kit-panel" paragraph={{ rows: 10 }} />;
  const period = { ...asked, start: data!.start, end: data!.end } as Period;
  return (
    <>
      {summary && (
        <FiguresSummary
          figures={summary(all.summary, period)}
          {...(days && {
            past: {
              days: `上期：${days.start} 至 ${days.end}`,
              figures: past && summary((past.value as PageOf<F>).summary, { ...asked, ...days }),
            },
          })}
        />
      )}
      {Object.entries(figures.panels).map(([dim, panel]) => (
        <Panel
          key={dim}
          figures={figures}
          panel={panel}
          rows={tables[`by_${dim}`] ?? []}
          more={all.more[dim]}
          to={to?.[dim] && ((row: RowOf<F>) => readable(to[dim]!(row, period)))}
          query={{ ...asked, dim }}
        />
      ))}
    </>
  );
}

type Reply = { value: unknown; start: string; end: string };

/** The period of the same length just before. */
function periodBefore({ start, end }: Pick<Reply, 'start' | 'end'>): Pick<Reply, 'start' | 'end'> {
  const [first, last] = [Date.parse(start), Date.parse(end)];
  const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { start: dayAt(2 * first - last - dayMs), end: dayAt(first - dayMs) };
}

function useFigures({ call }: Figures, asked: Readonly<Record<string, unknown>>, enabled = true) {
  const { data, ...asking } = useCall(call, { query: asked }, { enabled });
  return { ...asking, data: data as Reply | undefined };
}

interface PanelProps<F extends Figures> {
  figures: F;
  panel: FigurePanel<string>;
  rows: readonly RowOf<F>[];
  more: { total: number; capped: boolean } | undefined;
  to: ((row: RowOf<F>) => string | undefined) | undefined;
  query: Record<string, unknown>;
}

function Panel<F extends Figures>({ figures, panel, rows, more, to, query }: PanelProps<F>) {
  const columns = useMemo(
    () =>
      panel.columns.map((key) => ({
        key: key as keyof RowOf<F> & string,
        title: panel.titles?.[key] ?? figures.columns[key]!.title,
        words: figures.columns[key]!.kind === 'words',
      })),
    [figures, panel],
  );
  return (
    <FiguresPanel<RowOf<F>>
      title={panel.title}
      heading={panel.heading}
      rows={rows}
      total={more?.total}
      capped={more?.capped}
      none={panel.none}
      columns={columns}
      drawn={panel.drawn as readonly (keyof RowOf<F> & string)[]}
      unit={panel.unit}
      chart={panel.chart}
      {...(panel.first ? { first: panel.first } : {})}
      ordered={panel.ordered}
      to={to}
      exporting={<ExportButton call={figures.call} query={query} />}
    />
  );
}

interface Choice {
  value: string | number;
  label: string;
}

/** The input of a filter with a few values. */
export const choiceFilter = (label: string, options: readonly Choice[]) =>
  function ChoiceFilter({ value, onChange }: FigureFilter) {
    const chosen = options.find((option) => String(option.value) === value);
    return (
      <Select
        aria-label={label}
        className="kit-filter"
        allowClear
        placeholder={`全部${label}`}
        value={chosen?.value}
        options={[...options]}
        onChange={(next?: string | number) => onChange(next)}
      />
    );
  };
