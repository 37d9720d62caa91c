import type { QueryOf } from '#kernel/contract/call.ts';
import type { Figures, PanelOf, RowOf, SummaryOf } from '#kernel/contract/figures.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Db } from '../db/db.ts';
import { handlersOf } from '../generic.ts';
import type { Context, Handler } from '../http/implement.ts';
import { pageOfRead, type PageAsked } from '../list/paging.ts';
import { periodOf, type Period } from '../list/period.ts';
import { countCube, type Cube, type Sum } from './cube.ts';

/** The maximum number of lines of one table, and of each table on the whole page. */
const mostRows = 1000;
const listed = 100;

type Some<F extends Figures> = Partial<RowOf<F>> & { key: string; name: string };

export interface ServedFigures<F extends Figures, B> {
  /** Returns the conditions for what the viewer may count of the request, made once for all tables. */
  counted(tx: Db, user: Viewer, asked: QueryOf<F['call']>, period: Period, now: Date): Promise<B>;
  /** Tables that count the same things along different dimensions: one statement serves all of them. */
  cube?(of: B): Cube;
  /** Tables with statements of their own, at most `most` lines and one more if there are more. */
  panels?: { readonly [K in PanelOf<F>]?: (tx: Db, of: B, most: number) => Promise<Some<F>[]> };
  /** Figures of the whole page; `sum` is the cube's total. */
  summary(tx: Db, of: B, sum: Sum): Promise<SummaryOf<F>> | SummaryOf<F>;
}

const empty = { maybe: null, day: null, words: '' };

/** The handler of a statistics page: it runs as many statements for all its tables as there are kinds of things to count. */
export function figuresHandler<F extends Figures, B>(figures: F, served: ServedFigures<F, B>): Handler<F['call']> {
  const known = Object.keys(figures.panels) as PanelOf<F>[];
  const columns = Object.entries(figures.columns);
  const whole = (line: Record<string, unknown>) => ({
    key: String(line['key']),
    name: String(line['name']),
    ...Object.fromEntries(columns.map(([key, { kind }]) => [key, line[key] ?? (kind ? empty[kind] : 0)])),
  });

  const handler = async (
    { query }: { query: QueryOf<F['call']> & PageAsked & { dim?: PanelOf<F>; start?: string; end?: string } },
    { tx, user, now }: Context & { user: Viewer },
  ) => {
    const days = figures.months > 0 ? periodOf(query, now, figures.months) : { start: '', end: '' };
    const of = await served.counted(tx, user, query, days, now);
    const asked = query.dim ?? (query.export ? known[0] : undefined);
    const wanted = asked ? [asked] : known;
    const cube = served.cube?.(of);
    const inCube = wanted.filter((name) => cube && name in cube.dims);
    const counting = cube && (!asked || inCube.length > 0);
    const { tables, sum } = counting ? await countCube(tx, cube, inCube, mostRows) : { tables: {}, sum: {} };
    const all: Record<string, ReturnType<typeof whole>[]> = {};
    for (const name of wanted)
      all[name] = (tables[name] ?? (await served.panels?.[name]?.(tx, of, mostRows)) ?? []).map(whole);
    if (asked) return { ...pageOfRead(query, sorted(all[asked]!, query), mostRows), ...days };
    const more = Object.entries(all).flatMap(([name, rows]) =>
      rows.length > listed
        ? [[name, { total: Math.min(rows.length, mostRows), capped: rows.length > mostRows }] as const]
        : [],
    );
    const first = Object.entries(all).map(([name, rows]) => [
      `by_${name}`,
      isByMonth(figures, name) ? rows.slice(-listed) : rows.slice(0, listed),
    ]);
    const summary = await served.summary(tx, of, sum);
    return { value: { summary, ...Object.fromEntries(first), more: Object.fromEntries(more) }, ...days };
  };
  return handlersOf<{ handler: Handler<F['call']> }>({ handler }).handler;
}

const isByMonth = ({ panels }: Figures, name: string) => panels[name]?.chart === 'months';

function sorted<R extends Record<string, unknown>>(rows: readonly R[], { order_by: by, desc }: PageAsked): R[] {
  if (!by) return [...rows];
  const compare = (a: unknown, b: unknown) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a ?? '') < String(b ?? '') ? -1 : 1;
  return rows.toSorted((a, b) => (desc ? compare(b[by], a[by]) : compare(a[by], b[by])));
}
