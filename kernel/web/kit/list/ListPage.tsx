import { keepPreviousData } from '@tanstack/react-query';
import { App, Button, Skeleton } from 'antd';
import type { InputRef } from 'antd';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import type { ReplyOf } from '#kernel/contract/call.ts';
import { anyOwn, moduleOf, useCall } from '../../calls.ts';
import { later } from '../../later.tsx';
import { patiently } from '../../patiently.ts';
import { anyTopic, useHeardSince } from '../../live/heard.ts';
import { EmptyState } from '../show/EmptyState.tsx';
import { FailedState } from '../show/FailedState.tsx';
import { useNarrow } from '../narrow.ts';
import { usePreference } from '../preferences.tsx';
import { usePrinting } from '../printing.ts';
import { CategoryTabs } from './bar/CategoryTabs.tsx';
import type { ListCategory } from './bar/CategoryTabs.tsx';
import { ColumnSettings } from './columns/ColumnSettings.tsx';
import { arranged, asDesigned } from './columns/columns.ts';
import type { ColumnChoice, ListColumn } from './columns/columns.ts';
import { ExportButton } from './bar/ExportButton.tsx';
import { FilterBar } from './bar/FilterBar.tsx';
import { namedFilters } from './bar/filters.ts';
import type { ListFilter } from './bar/FilterBar.tsx';
import { ListCards } from './rows/ListCards.tsx';
import { ListPager } from './rows/ListPager.tsx';
import { useCounted } from './useCounted.ts';
import { Preview, press } from './rows/Preview.tsx';
import { PrintedRows } from './rows/PrintedRows.tsx';
import { telling } from './rows/shown.ts';
import { useListState } from './listState.ts';
import type { ListCall, ListReply } from './list-call.ts';
import { ListTable } from './rows/ListTable.tsx';
import type { ListRow, RowId } from './rows/ListTable.tsx';
import { SavedViews } from './bar/SavedViews.tsx';
import { SearchBox } from './bar/SearchBox.tsx';
import { listKeys, useListKeys } from './useListKeys.ts';
import { rowKey, useCurrentRow } from './useCurrentRow.ts';
import { useNextWithRows } from './useNextWithRows.ts';
import { useLeft } from '../press/undo.tsx';
import '../kit.css';

/** Optional: if it cannot be loaded the list stays as it is. */
const NewRows = later(() => patiently(() => import('./rows/NewRows.tsx')).catch(() => ({ default: () => null })));

export interface ListPageProps<Row extends ListRow> {
  /** Page component, and the key of columns and views: `stamp/list`. */
  name: string;
  title: string;
  purpose?: string;
  call: ListCall<Row>;
  /** Part of the query that is always sent. */
  query?: Record<string, unknown>;
  columns: readonly ListColumn<Row>[];
  /** Keys of the two or three columns that a phone's card shows under the title, in this order: status, due date, owner. */
  card: readonly string[];
  filters?: readonly ListFilter[];
  categories?: readonly ListCategory[];
  /** Tabs between several lists, if categories of one list are not enough. */
  tabs?: { categories: readonly ListCategory[]; value: string; onChange: (value: string) => void };
  numbered?: boolean;
  /** The only filled button of the page. */
  primary?: ReactNode;
  /** Actions on the chosen rows; `clear` empties the selection. If absent, rows cannot be chosen. */
  batch?: (rows: Row[], clear: () => void) => ReactNode;
  /** True for rows with an action for several at once; other rows cannot be chosen. If absent, all can. */
  choosable?: (row: Row) => boolean;
  /** Address of a row: its title is a link that people may open wherever they like. */
  to?: (row: Row) => string;
  /** Opens a row that has no address. */
  onOpen?: (row: Row) => void;
  /** `rows` are all rows shown, so that data about them is queried once. */
  rowActions?: (row: Row, rows: readonly Row[]) => ReactNode;
  /** True for rows with actions: the actions column is shown if one of the rows shown has any. If absent, it is always shown. */
  acts?: (row: Row) => boolean;
  /** Width of the actions column in CSS pixels, if the default is too wide. */
  actionsWidth?: number;
  /** Buttons that appear in the row under the pointer or the keyboard; `data-decides` marks those that `a` and `r` press. */
  hoverActions?: (row: Row, rows: readonly Row[]) => ReactNode;
  /** True for rows that the person should open and has not: their titles are bold. */
  unread?: (row: Row) => boolean;
  /** Shows a row beside the list, on wide screens, while it is switched on. */
  preview?: (row: Row) => ReactNode;
  /** The preview is on until the person closes it. */
  previewed?: boolean;
  /** The address also names the current row. */
  rowInAddress?: boolean;
  /** The rows come from all modules: the list is queried again after every action, and notified of every change. */
  ofAll?: boolean;
  /** True for rows that are about to leave because of an action elsewhere. */
  leaving?: (row: Row) => boolean;
  /** The reason why there may be nothing yet, and what to do about it. */
  empty: { why: string; next?: ReactNode };
}

const none: ListCategory[] = [];
const unsorted = { order_by: undefined, desc: undefined };

/** A list screen: categories, search, filters, views, columns, export; rows; selection; pages. Its state is in the address. */
export function ListPage<Row extends ListRow>(props: ListPageProps<Row>) {
  const {
    name,
    title,
    purpose,
    call,
    columns,
    card,
    filters = [],
    categories,
    numbered,
    primary,
    batch,
    choosable = () => true,
    to,
    onOpen,
    preview,
    previewed = false,
    rowInAddress = false,
    ofAll = false,
    leaving = () => false,
  } = props;
  const narrow = useNarrow();
  const navigate = useNavigate();
  const { modal } = App.useApp();
  const search = useRef<InputRef>(null);
  const page = useRef<HTMLElement>(null);
  const printing = usePrinting();
  const [selected, setSelected] = useState<Map<RowId, Row>>(new Map());
  const [choice, saveChoice] = usePreference<ColumnChoice>(`columns:${name}`, asDesigned);
  const [beside, setBeside] = usePreference(`preview:${name}`, previewed);
  // The call of a list without categories refuses this parameter.
  const keys = [...(categories ? ['category'] : []), ...filters.map((filter) => filter.key)];
  const { state, change, apply, text } = useListState(keys);
  const { filters: chosen, ...paging } = state;
  const sorting = filters.find((filter) => filter.sorts)?.key;
  const [opening, setOpening] = useState<{ at: number; found: boolean }>({ at: 0, found: false });
  const searching = state.search_value !== '' || Object.entries(chosen).some(([key, on]) => key !== 'category' && on);
  // Until a tab is chosen, it is the first one that has rows when the list is opened, or the last if none has any.
  const inTurn = categories?.filter(({ apart }) => !apart);
  const category = chosen['category'] ?? inTurn?.[opening.at]?.value;
  // Rows chosen in one tab cannot be acted on in another.
  const [chosenIn, setChosenIn] = useState(category);
  if (chosenIn !== category) {
    setChosenIn(category);
    setSelected(new Map());
  }
  const query = { ...props.query, ...paging, ...chosen, ...(category ? { category } : {}) };
  const { data, error, isFetching, isPending, isPlaceholderData, refetch } = useCall(
    call,
    { query },
    {
      placeholderData: keepPreviousData,
      ...(ofAll && { meta: anyOwn }),
    },
  );
  const news = useHeardSince(ofAll ? anyTopic : moduleOf(call), isFetching);
  const list = data as (ReplyOf<typeof call> & ListReply<Row>) | undefined;
  const { page: _page, per_page: _size, ...chosenBy } = query;
  const counted = useCounted(JSON.stringify(chosenBy), list, !isPlaceholderData);
  const left = useLeft(name);
  const rows = list?.value.filter((row) => !left.has(row.id) && !leaving(row)) ?? [];
  const [current, setCurrent] = useCurrentRow(rows, rowInAddress, list !== undefined && !isFetching);
  const { rowActions: actions, hoverActions } = props;
  const rowActions = actions && (!props.acts || rows.some(props.acts)) ? (row: Row) => actions(row, rows) : undefined;
  const opened = list !== undefined && !isPlaceholderData && !opening.found;
  const further = inTurn !== undefined && opening.at < inTurn.length - 1;
  const onward = opened && further && list.total === 0 && !searching && chosen['category'] === undefined;
  const next = useNextWithRows(onward ? inTurn.slice(opening.at + 1) : none, { call, query: { ...props.query } });
  useEffect(() => {
    if (opened && !onward) setOpening(({ at }) => ({ at, found: true }));
    if (onward && next !== undefined) setOpening(({ at }) => ({ at: at + 1 + next, found: false }));
  }, [opened, onward, next]);
  // The previous tab's answer does not count for this one.
  const seeking = onward || (opening.at > 0 && !opening.found && isPlaceholderData);
  const last = list && Math.max(1, Math.ceil(list.total / state.per_page));
  const beyond = list !== undefined && !isPlaceholderData && rows.length === 0 && state.page > 1 && !list.total_capped;
  useEffect(() => {
    if (beyond && last && state.page > last) change({ page: last });
  }, [beyond, last, state.page, change]);

  const select = (ids: RowId[]) => {
    const known = new Map([...selected, ...rows.map((row) => [row.id, row] as const)]);
    setSelected(new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id) as Row] as const] : []))));
  };
  const clear = () => setSelected(new Map());
  // A preview always shows a row; when a row leaves the list, the next one takes its place.
  const under = beside && preview ? Math.min(rows.length - 1, Math.max(0, current)) : current;
  const at = rows[under];
  useListKeys({
    move: (step) => setCurrent(Math.min(rows.length - 1, Math.max(0, under + step))),
    open: () => at && (to ? void navigate(to(at)) : onOpen?.(at)),
    select: () => {
      if (!at || !batch || !choosable(at)) return;
      const ids = [...selected.keys()];
      select(ids.includes(at.id) ? ids.filter((id) => id !== at.id) : [...ids, at.id]);
    },
    decide: (key) => press(page.current, key),
    preview: preview && (() => setBeside(!beside)),
    search: () => search.current?.focus({ cursor: 'all' }),
    help: () =>
      modal.info({
        title: '快捷键',
        content: listKeys.map(([key, does]) => (
          <p key={key}>
            <kbd>{key}</kbd> {does}
          </p>
        )),
        okText: '知道了',
      }),
  });

  const tab = categories?.find(({ value }) => value === category);
  // If there are more rows outside this tab, its being empty does not mean that there is nothing.
  const whole = categories?.find(({ value }) => value === 'all');
  const empty = searching ? (
    <EmptyState
      why="没有符合条件的记录，可换个关键字或清除筛选"
      next={<ClearAll onClear={() => change({ search_value: '', filters: { category: chosen['category'] ?? '' } })} />}
    />
  ) : tab?.empty ? (
    <EmptyState why={tab.empty} />
  ) : tab && whole && tab !== whole ? (
    <EmptyState
      why={`“${tab.label}”中没有记录`}
      next={
        <button type="button" className="kit-link" onClick={() => change({ filters: { ...chosen, category: 'all' } })}>
          查看全部
        </button>
      }
    />
  ) : (
    <EmptyState {...props.empty} />
  );
  const tabs = props.tabs
    ? {
        ...props.tabs,
        onChange: (next: string) => {
          clear();
          props.tabs?.onChange(next);
        },
      }
    : categories && {
        categories,
        value: category,
        onChange: (category: string) => change({ filters: { ...chosen, category } }),
      };
  const Rows = printing ? PrintedRows : narrow ? ListCards : ListTable;
  const previewing = beside && !narrow && !printing ? preview : undefined;
  const shown = telling(arranged(columns, choice), rows, state, choice.shown);
  return (
    <section className="kit-list" aria-label={title} ref={page}>
      <header className="kit-row kit-list-head">
        <div>
          <h1>{title}</h1>
          {purpose && <p className="kit-muted">{purpose}</p>}
        </div>
        {primary}
        {news > 0 && list && (
          <Suspense>
            <NewRows call={call} query={query} shown={list} turn={news} onRefresh={() => void refetch()} />
          </Suspense>
        )}
      </header>
      {tabs && (
        <CategoryTabs {...tabs} counted={props.tabs || !list ? undefined : { call, query: { ...props.query } }} />
      )}
      <div className="kit-row kit-tools">
        <SearchBox ref={search} value={state.search_value} onSearch={(search_value) => change({ search_value })} />
        <FilterBar
          filters={namedFilters(call, filters)}
          values={chosen}
          onChange={(values) =>
            change({
              filters: { ...values, category: values['category'] ?? chosen['category'] ?? '' },
              ...(sorting && values[sorting] && values[sorting] !== chosen[sorting] && unsorted),
            })
          }
        />
        <div className="kit-row kit-tools-end">
          <SavedViews
            list={name}
            call={call}
            fixed={props.query}
            keys={keys}
            search={withCategory(text, category)}
            onApply={apply}
          />
          {preview && !narrow && (
            <Button aria-pressed={beside} onClick={() => setBeside(!beside)}>
              预览
            </Button>
          )}
          {!narrow && (
            <ColumnSettings
              list={name}
              columns={columns as readonly ListColumn<never>[]}
              choice={choice}
              onChange={saveChoice}
            />
          )}
          <ExportButton call={call} query={query} />
        </div>
      </div>
      {batch && selected.size > 0 && (
        <div className="kit-row kit-batch" role="status">
          <span>已选 {selected.size} 项</span>
          {batch([...selected.values()], clear)}
          <button type="button" className="kit-link" onClick={clear}>
            取消选择
          </button>
        </div>
      )}
      {error && !list ? (
        <FailedState error={error} retry={() => void refetch()} />
      ) : isPending || seeking ? (
        <Skeleton active className="kit-panel" title={false} paragraph={{ rows: state.per_page }} />
      ) : (
        <div className={previewing && 'kit-beside'}>
          <Rows
            {...props}
            rows={rows}
            columns={previewing ? shown.filter((column) => column.main || column.brief) : shown}
            facts={card.flatMap((key) => columns.find((column) => column.key === key) ?? [])}
            state={state}
            first={numbered ? (state.page - 1) * state.per_page + 1 : undefined}
            density={choice.density}
            loading={isPlaceholderData}
            empty={empty}
            selected={[...selected.keys()]}
            onSelect={batch && select}
            choosable={choosable}
            current={under}
            onCurrent={previewing && setCurrent}
            rowActions={previewing ? undefined : rowActions}
            hoverActions={hoverActions && ((row) => hoverActions(row, rows))}
            onSort={(order_by, desc) =>
              change({ order_by, desc, ...(sorting && { filters: { ...chosen, [sorting]: '' } }) })
            }
            onResize={(key, width) => saveChoice({ ...choice, widths: { ...choice.widths, [key]: width } })}
          />
          {previewing && (
            <Preview to={at && to?.(at)} onClose={() => setBeside(false)}>
              {at && previewing(at)}
            </Preview>
          )}
        </div>
      )}
      {list && rows.length > 0 && (
        <ListPager
          page={state.page}
          perPage={state.per_page}
          total={(counted ?? list).total}
          capped={(counted ?? list).total_capped}
          onChange={(next, per_page) => {
            change({ page: next, per_page });
            page.current?.scrollIntoView({ block: 'start' });
          }}
        />
      )}
    </section>
  );
}

/** A view belongs to the tab on which it was made, even if nobody chose that tab. */
function withCategory(text: string, category: string | undefined): string {
  const search = new URLSearchParams(text);
  search.delete(rowKey);
  if (category) search.set('category', category);
  return search.toString();
}

function ClearAll({ onClear }: { onClear: () => void }) {
  return (
    <button type="button" className="kit-link" onClick={onClear}>
      清除搜索与筛选
    </button>
  );
}
