import { useSearchParams } from 'react-router';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import type { ListFilter } from '#kernel/web/kit/list/bar/FilterBar.tsx';
import { distributions } from '../contract.ts';
import { copyState, type Dist } from '../contract/list.ts';
import { receivedColumns, sentColumns } from './columns.tsx';
import './dist.css';

/** Their order in the page; the second is shown first. */
const tabs = [
  ['unread', '待我阅读', '没有等您阅读或签收的公文，读过的在“收到”中'],
  ['received', '收到', '还没有公文分发给您'],
  ['sent', '发出', '您还没有分发过公文，可在办结的公文里点“分发”'],
  ['all', '全部', '您的管理范围内还没有分发过公文'],
] as const;
const filters: ListFilter[] = [
  { key: 'start', kind: 'date' },
  { key: 'end', kind: 'date' },
];
const states: ListFilter = {
  key: 'state',
  kind: 'select',
  often: true,
  options: [
    { value: '0', label: '未读' },
    { value: '1', label: '已读' },
    { value: '2', label: '已回复' },
  ],
};

/** The columns of each list. */
const queries = {
  unread: { scope: 'received', state: copyState.unread },
  received: { scope: 'received' },
  sent: { scope: 'sent' },
  all: { scope: 'all' },
} as const;

/** Distributions I received and sent, with their reading progress. */
export default function DistListPage() {
  const [search, ask] = useSearchParams();
  const [tab, , why] = tabs.find(([value]) => value === search.get('tab')) ?? tabs[1];
  const { scope } = queries[tab];
  return (
    <ListPage<Dist>
      card={scope === 'received' ? ['my_state', 'sender', 'deadline'] : ['recalled_at', 'read', 'deadline']}
      name={`document/dist:${tab}`}
      title="分发阅读"
      call={distributions.list}
      query={queries[tab]}
      tabs={{
        categories: tabs.map(([value, label]) => ({
          value,
          label,
          of: { call: distributions.list, query: queries[value] },
        })),
        value: tab,
        onChange: (next) => ask({ tab: next }),
      }}
      columns={scope === 'received' ? receivedColumns : sentColumns}
      filters={tab === 'received' ? [states, ...filters] : filters}
      numbered
      actionsWidth={88}
      to={(row) => `/document/dist/detail/${row.id}`}
      acts={(row) =>
        scope === 'received' ? row.need_receipt && row.actions.includes('read') : row.actions.includes('urge')
      }
      rowActions={(row) => (
        <>
          <CallButton
            call={distributions.read}
            asked={{ params: { id: row.id }, body: {} }}
            allowed={row.need_receipt && row.actions.includes('read')}
            size="small"
          >
            签收
          </CallButton>
          <CallButton
            call={distributions.urge}
            asked={{ params: { id: row.id }, body: {} }}
            allowed={scope !== 'received' && row.actions.includes('urge')}
            size="small"
            confirm={{ title: `催读《${row.title}》`, content: '只提醒还没有阅读的人，两小时内不重复' }}
          >
            催读
          </CallButton>
        </>
      )}
      empty={{ why }}
    />
  );
}
