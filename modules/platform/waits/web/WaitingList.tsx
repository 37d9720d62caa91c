import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';
import { Waited } from '#kernel/web/kit/show/Waited.tsx';
import { waiting, type WaitingRow } from '../contract.ts';
import { WaitingLight } from './WaitingLight.tsx';

const columns = listColumns(rowOf(waiting.list), {
  title: { main: true, note: ({ what }) => what },
  who: { width: 100 },
  since: { width: 100, render: (row) => (row.since ? <Waited since={row.since} /> : '—') },
  due_at: { whole: true, width: 190, render: (row) => (row.due_at || row.light ? <WaitingLight row={row} /> : '—') },
  until: { hidden: true, width: 134 },
});

interface Props {
  /** The page's component. */
  page: string;
  kind: string;
  title: string;
  /** Why there may be nothing. */
  why: string;
  tabs?: ListPageProps<WaitingRow>['tabs'];
}

/** Lists what waits for me of one kind, on a page whose own rows are not rows of that kind. */
export default function WaitingList({ page, kind, title, why, tabs }: Props) {
  return (
    <ListPage<WaitingRow>
      name={`${page}:${kind}`}
      title={title}
      call={waiting.list}
      query={{ category: kind, whole: true }}
      {...(tabs && { tabs })}
      columns={columns}
      card={['who', 'due_at']}
      to={(row) => row.web_path}
      ofAll
      empty={{ why }}
    />
  );
}
