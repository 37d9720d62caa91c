import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { folders } from '../contract.ts';
import type { Paper } from '../contract/list.ts';
import { paperColumns, usePaperFilters } from './columns.tsx';

/** Papers I have bookmarked. */
export default function CollectPage() {
  return (
    <ListPage<Paper>
      card={['status', 'category_name', 'publish_date']}
      name="folder/collect"
      title="我的收藏"
      purpose="收藏的制度文件；修订或废止后仍在这里，状态会标明"
      call={folders.papers}
      query={{ collected: true }}
      columns={paperColumns}
      filters={usePaperFilters()}
      to={(row) => `/folder/detail/${row.id}`}
      rowActions={(row) => (
        <CallButton call={folders.uncollect} asked={{ params: { id: row.collect_id! } }} size="small">
          取消收藏
        </CallButton>
      )}
      empty={{ why: '您还没有收藏文件，阅读文件时点“收藏”即可' }}
    />
  );
}
