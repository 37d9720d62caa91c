import { ListPage, type ListPageProps } from '#kernel/web/kit/list/ListPage.tsx';
import { listColumns, rowOf } from '#kernel/web/kit/list/columns/listColumns.ts';

interface Booked {
  id: number;
  reason: string;
  gmt_created: string;
}
interface Props<Row extends Booked> extends Omit<ListPageProps<Row>, 'numbered' | 'empty' | 'card'> {
  /** States of a number, if there are more than given and void. */
  states?: Readonly<Record<number, string>>;
}

const given = { 1: '已使用', 3: '已作废' };

/** Every number that was given, and which are void: filtered by year and state, and by the module's own filters. */
export function NumberBook<Row extends Booked>({ states = given, columns, filters = [], ...list }: Props<Row>) {
  return (
    <ListPage<Row>
      {...list}
      card={['state', 'reason', 'gmt_created']}
      numbered
      filters={[
        ...filters,
        { key: 'year', kind: 'text', often: true },
        {
          key: 'state',
          kind: 'select',
          options: Object.entries(states).map(([value, label]) => ({ value, label })),
        },
      ]}
      columns={[...columns, ...listColumns(rowOf<Booked>(list.call), { reason: {}, gmt_created: { sort: true } })]}
      empty={{ why: '还没有编过号' }}
    />
  );
}
