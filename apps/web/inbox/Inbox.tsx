import { Suspense } from 'react';
import { Link, useSearchParams } from 'react-router';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { useIsLeaving } from '#kernel/web/kit/press/undo.tsx';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { Waited } from '#kernel/web/kit/show/Waited.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { HalfWritten, TicketPreview } from '#modules/workflow/tickets/widgets.tsx';
import { allKinds, putAside, waiting, type WaitingRow } from '#modules/platform/waits/contract.ts';
import { Later, useWaits, WaitingLight } from '#modules/platform/waits/widgets.tsx';
import { useKeptLastWaits } from '../home/last-waits.ts';
import { RecordBeside } from '../shell/RecordBeside.tsx';
import { BatchActs, isInBatch, RowActs } from './RowActs.tsx';
import './inbox.css';

const columns = listColumns(rowOf(waiting.list), {
  title: { main: true, note: ({ kind, what }) => [kind, what].filter(Boolean).join(' · ') },
  // Both are also shown under the title, for when the list stands beside the item that it opened; a card has them among its facts.
  kind: { hidden: true, width: 116 },
  what: { hidden: true, width: 160 },
  who: { width: 84 },
  since: { brief: true, render: (row) => (row.since ? <Waited since={row.since} /> : '—'), width: 84 },
  due_at: {
    whole: true,
    brief: true,
    render: (row) => (row.due_at || row.light ? <WaitingLight row={row} /> : '—'),
    width: 170,
  },
});
const card = ['kind', 'what', 'who', 'since', 'due_at'];
/** The column for items that were put aside. */
const back = listColumns(rowOf(waiting.list), { until: { brief: true, width: 134 } });

/** Everything that waits for me, from whichever module: read beside the list and decided there, one after the other. */
export default function Inbox() {
  const { data } = useWaits();
  const narrow = useNarrow();
  const isLeaving = useIsLeaving();
  const [search] = useSearchParams();
  useKeptLastWaits();
  const kind = search.get('category') ?? allKinds;
  const kinds = data?.value.filter(({ count }) => count > 0) ?? [];
  const isAside = kind === putAside;
  const over = kind !== allKinds && !isAside && !kinds.some(({ key }) => key === kind);
  const aside = (kind === allKinds ? data?.aside : data?.value.find(({ key }) => key === kind)?.aside) ?? 0;
  const allAside = (over || kind === allKinds) && aside > 0;
  const done = (row: WaitingRow, rows: readonly WaitingRow[]) => <Done row={row} rows={rows} whole />;
  const doneOnCard = (row: WaitingRow, rows: readonly WaitingRow[]) => (
    <div className="inbox-acts">
      <Done row={row} rows={rows} whole={false} />
    </div>
  );
  return (
    <>
      <HalfWritten />
      <ListPage<WaitingRow>
        name="todo"
        title="待办"
        call={waiting.list}
        categories={[
          { value: allKinds, label: '全部', count: data?.total ?? null },
          ...kinds.map(({ key, title, count }) => ({ value: key, label: title, count })),
          ...(isAside || (data?.aside ?? 0) > 0
            ? [{ value: putAside, label: '稍后', count: data?.aside ?? null, empty: '没有放到稍后的事项', apart: true }]
            : []),
        ]}
        columns={isAside ? [...columns, ...back] : columns}
        card={isAside ? [...card, 'until'] : card}
        numbered
        to={(row) => row.web_path}
        batch={(rows, clear) => (isAside ? <Back rows={rows} onDone={clear} /> : <Several rows={rows} clear={clear} />)}
        {...(narrow ? { rowActions: doneOnCard } : { hoverActions: done })}
        preview={(row) => <Beside key={row.id} row={row} />}
        previewed
        rowInAddress
        ofAll
        leaving={(row) => isInBatch(row) && isLeaving(row.page, row.of)}
        empty={
          allAside
            ? {
                why: over ? '这一类事项都已放到稍后' : '要办的事项都已放到稍后',
                next: <Link to={`/todo?category=${putAside}`}>查看稍后的事项</Link>,
              }
            : over
              ? { why: '这一类事项已全部办完', next: <Link to="/todo">查看全部待办</Link> }
              : { why: '现在没有等您处理的事项', next: <Link to="/index">返回首页</Link> }
        }
      />
    </>
  );
}

/** The actions on an item in the list; for one that was put aside, to bring it back. */
function Done({ row, rows, whole }: { row: WaitingRow; rows: readonly WaitingRow[]; whole: boolean }) {
  if (row.until) return <Back rows={[row]} />;
  return (
    <>
      <RowActs row={row} rows={rows} whole={whole} />
      <Suspense>
        <Later rows={[row]} />
      </Suspense>
    </>
  );
}

function Several({ rows, clear }: { rows: readonly WaitingRow[]; clear: () => void }) {
  return (
    <>
      <BatchActs rows={rows} clear={clear} />
      <Suspense>
        <Later rows={rows} size="middle" onDone={clear} />
      </Suspense>
    </>
  );
}

function Back({ rows, onDone }: { rows: readonly WaitingRow[]; onDone?: () => void }) {
  return (
    <CallButton
      call={waiting.takeBack}
      asked={{ body: { rows: rows.map((row) => row.id) } }}
      size="small"
      {...(onDone && { onDone })}
    >
      取回
    </CallButton>
  );
}

/** Shows the item's own page; for a ticket its form and its log. Items that count as read once opened are opened by hand. */
function Beside({ row }: { row: WaitingRow }) {
  if (row.web_path === `/ticket/detail/${row.of}`) return <TicketPreview id={row.of} />;
  if (row.notes_opening) return <Facts row={row} />;
  return <RecordBeside to={row.web_path} otherwise={<Facts row={row} />} />;
}

/** Shows the facts of an item that is handled in a list of its own. */
function Facts({ row }: { row: WaitingRow }) {
  return (
    <div className="kit-stack">
      <header>
        <h2>{row.title}</h2>
        <p className="kit-muted">{[row.kind, row.what, row.who].filter(Boolean).join(' · ')}</p>
        <p>
          <WaitingLight row={row} />
        </p>
      </header>
      <Link className="kit-link" to={row.web_path}>
        打开后办理
      </Link>
    </div>
  );
}
