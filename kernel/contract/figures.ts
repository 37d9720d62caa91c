import { z } from 'zod';
import { call, grant, type Calls } from './call.ts';
import { day, listQuery } from './shapes.ts';

/** A figure of a table: a number, 0 where there is none, unless it says otherwise. */
export interface FigureColumn {
  title: string;
  /** `maybe`: a number, or nothing; `words`: text over several lines; `day`: a date, or nothing. */
  kind?: 'maybe' | 'words' | 'day';
}
export type FigureColumns = Readonly<Record<string, FigureColumn>>;
type ValueOf<C extends FigureColumn> = C extends { kind: 'words' }
  ? string
  : C extends { kind: 'day' }
    ? string | null
    : C extends { kind: 'maybe' }
      ? number | null
      : number;

/** One line of a table; a column that its panel does not fill is 0, empty or null. */
export type FigureRow<C extends FigureColumns> = { key: string; name: string } & { [K in keyof C]: ValueOf<C[K]> };

/** One table of figures: the heading of its lines, its columns and the chart. */
export interface FigurePanel<K> {
  title: string;
  /** Heading of the names: 部门. */
  heading: string;
  columns: readonly K[];
  /** Titles of columns that differ in this table only. */
  titles?: Readonly<Record<string, string>>;
  /** Columns that the chart shows; without any, only the table is shown. */
  drawn: readonly K[];
  unit: string;
  /** Lines over the last two years, bars side by side, stacked bars, or a table with darker cells for larger values. */
  chart: 'months' | 'bars' | 'stack' | 'heat';
  /** The lines have a fixed order, which the bars keep; otherwise the longest bar comes first. */
  ordered?: boolean;
  /** The view that opens first; the chart unless given. */
  first?: 'chart' | 'table';
  /** Text shown if there are no lines. */
  none: string;
}

interface Declared<
  C extends FigureColumns,
  P extends Readonly<Record<string, FigurePanel<keyof C & string>>>,
  F extends z.ZodRawShape,
  S extends z.ZodRawShape,
> {
  path: string;
  page: string;
  title: string;
  /** Filters besides the period. */
  filters: F;
  /** Months up to today that are counted by default; 0 if the figures have no period. */
  months: number;
  columns: C;
  panels: P;
  /** Figures of the whole page. */
  summary: S;
}

const schemaOf = ({ kind }: FigureColumn): z.ZodType => {
  if (kind === 'words') return z.string();
  if (kind === 'day') return z.string().nullable();
  return kind === 'maybe' ? z.number().nullable() : z.number();
};

/**
 * Declares a statistics page: its call, tables and sheets. Without `dim` the call answers the whole page, with the first lines of each table in
 * `by_<panel>`; with `dim` it answers that table alone, as a list that can be exported.
 */
export function figures<
  const C extends FigureColumns,
  const P extends Readonly<Record<string, FigurePanel<keyof C & string>>>,
  F extends z.ZodRawShape,
  S extends z.ZodRawShape,
>(declared: Declared<C, P, F, S>) {
  const { path, page, title, filters, months, columns, panels, summary } = declared;
  type Row = FigureRow<C>;
  const line = z.object({
    key: z.string(),
    name: z.string(),
    ...Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, schemaOf(column)])),
  }) as z.ZodType<Row>;
  const lines = z.array(line);
  const names = Object.keys(panels) as [keyof P & string, ...(keyof P & string)[]];
  const tables = Object.fromEntries(names.map((name) => [`by_${name}`, lines])) as {
    [K in keyof P & string as `by_${K}`]: typeof lines;
  };
  const whole = z.object({
    summary: z.object(summary),
    ...tables,
    /** For each table that has more lines than are listed: the total, and whether the total is capped. */
    more: z.record(z.string(), z.object({ total: z.number().int(), capped: z.boolean() })),
  });
  const sortable = Object.keys(columns).filter((key) => columns[key]!.kind !== 'words');
  const period = { start: day.optional(), end: day.optional() };
  const ask = call({
    method: 'GET',
    path,
    access: grant('Retrieve', page),
    summary: title,
    query: listQuery({
      sort: sortable as [keyof C & string, ...(keyof C & string)[]],
      filters: {
        ...filters,
        /** Days, both included; two years at most. */
        ...((months > 0 ? period : {}) as typeof period),
        dim: z.enum(names).optional(),
      } as F & typeof period & { dim: z.ZodOptional<z.ZodEnum<{ [K in keyof P & string]: K }>> },
    }),
    reply: z.object({
      value: z.union([lines, whole]),
      total: z.number().int().optional(),
      total_capped: z.boolean().optional(),
      page: z.number().int().optional(),
      per_page: z.number().int().optional(),
      /** The period that was counted; empty if the figures have no period. */
      start: z.string(),
      end: z.string(),
    }),
    exports: {
      page,
      title,
      columns: ({ dim }) => {
        const { heading, columns: shown, titles } = panels[(dim as string | undefined) ?? names[0]]!;
        const sheet = shown.map((key) => ({ key, title: titles?.[key] ?? columns[key]!.title }));
        return [{ key: 'name', title: heading }, ...sheet];
      },
    },
  });
  return { ...declared, call: ask };
}

/** Any declaration of figures, for code that serves or shows it. */
export interface Figures {
  title: string;
  months: number;
  columns: FigureColumns;
  panels: Readonly<Record<string, FigurePanel<string>>>;
  summary: z.ZodRawShape;
  call: Calls[string];
}
export type RowOf<F extends Figures> = FigureRow<F['columns']>;
export type PanelOf<F extends Figures> = keyof F['panels'] & string;
export type SummaryOf<F extends Figures> = z.output<z.ZodObject<F['summary']>>;
/** The whole page as the call answers it. */
export type PageOf<F extends Figures> = {
  summary: SummaryOf<F>;
  more: Record<string, { total: number; capped: boolean }>;
} & { [K in PanelOf<F> as `by_${K}`]: RowOf<F>[] };
