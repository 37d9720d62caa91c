import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { documents } from '../../contract.ts';
import { columns } from '../columns.tsx';

/** Documents I have bookmarked. */
export default function CollectPage() {
  return (
    <ListPage
      card={['act_state', 'from_org']}
      name="document/collect"
      title="我的收藏"
      purpose="收藏的公文及其当前办理状态"
      call={documents.list}
      query={{ category: 'collect' }}
      columns={columns}
      numbered
      to={(row) => `/document/detail/${row.id}`}
      actionsWidth={110}
      rowActions={(row) => (
        <CallButton call={documents.uncollect} asked={{ params: { id: row.id } }} size="small">
          取消收藏
        </CallButton>
      )}
      empty={{ why: '您还没有收藏公文，打开公文时点“收藏”即可' }}
    />
  );
}
