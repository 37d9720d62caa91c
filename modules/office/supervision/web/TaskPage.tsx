import { useSearchParams } from 'react-router';
import { live, useCall } from '#kernel/web/calls.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { subState } from '../contract/codes.ts';
import type { SubRow } from '../contract/shapes.ts';
import { subs } from '../contract/supervise.ts';
import { lightFilter, subColumns } from './parts/columns.tsx';
import { useSuperviseActs } from './parts/actions.tsx';
import { SheetsList } from './parts/panels.tsx';

const states: Readonly<Record<string, object>> = {
  todo: { todo: true },
  unopen: { status: subState.issued },
  doing: { status: subState.running },
  returned: { status: subState.returned },
  checking: { status: subState.toCheck },
  finished: { status: subState.finished },
};

/** All of them are mine: the columns about who has them give their place to the title of the item. */
const columns = subColumns.map((column) => {
  if (column.key === 'supervise_title') return { ...column, width: 150 };
  return ['dept_name', 'owner_info'].includes(column.key) ? { ...column, hidden: true } : column;
});

/** 我的任务: my parts of supervised items. */
export default function TaskPage() {
  const [asked, ask] = useSearchParams();
  const { data: counts } = useCall(subs.count, {}, { meta: live });
  const { buttons, drawer } = useSuperviseActs();
  const tab = asked.get('tab') ?? 'all';
  const of = (value: string) => ({ call: subs.list, query: { mine: true, ...states[value] } });
  const tabs = {
    value: tab,
    onChange: (next: string) => ask(next === 'all' ? {} : { tab: next }),
    categories: [
      { value: 'all', label: '全部', of: of('all') },
      { value: 'todo', label: '待我办理', of: of('todo') },
      { value: 'unopen', label: '待签收', ...(counts ? { count: counts.unopen } : {}) },
      { value: 'doing', label: '办理中', of: of('doing') },
      { value: 'returned', label: '待整改', of: of('returned') },
      { value: 'checking', label: '待审核', of: of('checking') },
      { value: 'finished', label: '已完成', of: of('finished') },
      { value: 'sheet', label: '督办单', ...(counts ? { count: counts.sheets_unread } : {}) },
    ],
  };
  if (tab === 'sheet') return <SheetsList tabs={tabs} query={{ scope: 'received' }} />;
  return (
    <>
      <ListPage<SubRow>
        card={['light', 'due_at', 'progress']}
        name="supervise/task"
        title="我的任务"
        call={subs.list}
        query={{ mine: true, order_by: 'urgent', ...states[tab] }}
        tabs={tabs}
        filters={[lightFilter(counts && { 4: counts.overdue, 3: counts.behind, 2: counts.near_due })]}
        columns={columns}
        to={(row) => `/supervise/detail/${row.supervise_id}`}
        rowActions={(row) => buttons(row, row.actions, { among: ['report', 'extend'], size: 'small' })}
        acts={(row) => row.actions.includes('report')}
        empty={{ why: tab === 'all' ? '没有交办给本人的督办任务' : '没有处于该状态的任务，其余的在“全部”中' }}
      />
      {drawer}
    </>
  );
}
