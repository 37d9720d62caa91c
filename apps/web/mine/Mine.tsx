import { Tag } from 'antd';
import { Link, useSearchParams } from 'react-router';
import { anyLive, useCall } from '#kernel/web/calls.ts';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useLeft } from '#kernel/web/kit/press/undo.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { Moment } from '#kernel/web/kit/show/Moment.tsx';
import { News } from '#kernel/web/kit/show/News.tsx';
import { everyKind, started, standingNames, StartedRow } from '#modules/platform/started/contract.ts';
import { ShortNames, TicketPreview } from '#modules/workflow/tickets/widgets.tsx';
import { RecordBeside } from '../shell/RecordBeside.tsx';
import { RowActs } from './RowActs.tsx';

const columns = listColumns(StartedRow, {
  title: {
    main: true,
    render: (row) => (
      <>
        {row.news && <News />}
        {row.title}
      </>
    ),
    note: ({ kind, what, sn }) => [kind, what, sn].filter(Boolean).join(' · '),
  },
  // These are also shown under the title, for when the list stands beside the item that it opened; a card has them among its facts.
  kind: { hidden: true, width: 96 },
  what: { hidden: true, width: 160 },
  sn: { hidden: true, width: 144 },
  state: { brief: true, render: (row) => <Tag color={row.state.tone}>{row.state.word}</Tag>, width: 92 },
  step: { whole: true, width: 116 },
  who: { whole: true, brief: true, render: (row) => <WhoHasIt row={row} />, width: 110 },
  due_at: {
    whole: true,
    render: ({ due_at, light }) =>
      due_at || light ? (
        <>
          {due_at && <Moment at={due_at} />} {light && <Tag color={light.tone}>{light.word}</Tag>}
        </>
      ) : (
        '—'
      ),
    width: 170,
  },
  since: { sort: true, width: 134 },
});
const filters: ListFilter[] = [
  {
    key: 'stands',
    kind: 'select',
    often: true,
    options: Object.entries(standingNames).map(([value, label]) => ({ value, label })),
  },
];

/** Everything I started, in whichever module: its state and present handlers, read beside the list, and urged, withdrawn or started again there. */
export default function Mine() {
  const { data } = useCall(started.mine, {}, { quiet: true, meta: anyLive });
  const narrow = useNarrow();
  const left = useLeft('ticket/owner');
  const [search] = useSearchParams();
  const acts = (row: StartedRow) => <RowActs key={row.id} row={row} />;
  return (
    <ListPage<StartedRow>
      name="ticket/owner"
      title="我发起的"
      call={started.list}
      categories={[
        { value: everyKind, label: '全部', count: data?.total ?? null },
        ...(data?.value.map(({ key, title, count }) => ({ value: key, label: title, count })) ?? []),
      ]}
      filters={filters}
      columns={columns}
      card={['state', 'who', 'kind', 'what', 'since']}
      numbered
      {...(search.get('category') === 'ticket' && {
        purpose: '要按流程或表单字段筛选工单，请到“我已处理”的“我发起的工单”',
      })}
      to={(row) => row.web_path}
      {...(narrow ? { rowActions: acts } : { hoverActions: acts })}
      preview={(row) => <Beside key={row.id} row={row} />}
      previewed
      rowInAddress
      ofAll
      // A ticket that is withdrawn leaves at once by its own id, whatever the row's id among all kinds.
      leaving={(row) => row.key === 'ticket' && left.has(row.of)}
      empty={{ why: '您还没有发起过事项', next: <Link to="/ticket/new">去发起</Link> }}
    />
  );
}

/** The names of the present handlers; a warning if the item needs a handler and has none. */
function WhoHasIt({ row: { who, stuck } }: { row: StartedRow }) {
  if (stuck) return <Tag color="error">无人可办</Tag>;
  return who ? <ShortNames names={who} /> : '—';
}

/** Shows the item's own page; for a ticket its form and its log. */
function Beside({ row }: { row: StartedRow }) {
  const ticket = row.ticket && <TicketPreview id={row.ticket.id} />;
  if (ticket && row.web_path === `/ticket/detail/${row.ticket?.id}`) return ticket;
  return (
    <RecordBeside
      to={row.web_path}
      otherwise={
        ticket ?? (
          <Link className="kit-link" to={row.web_path}>
            打开查看
          </Link>
        )
      }
    />
  );
}
