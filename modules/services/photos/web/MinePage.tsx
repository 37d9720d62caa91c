import { Button, Drawer, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { photoState } from '../contract/codes.ts';
import { photos } from '../contract/photos.ts';
import { PhotoRow } from '../contract/shapes.ts';
import { UploadPanel } from './upload/UploadPanel.tsx';
import './photos.css';

/** Columns of every list of photos. */
export const photoColumns = listColumns(PhotoRow, {
  url: { width: 110, render: (row) => <img src={`${row.url}&thumb=1`} alt="" height={56} loading="lazy" /> },
  title: { main: true, width: 180 },
  category_name: { width: 120 },
  state: { width: 90, render: (row) => <Tag color={photoState.tones[row.state]}>{photoState.label(row.state)}</Tag> },
  reason: { width: 160 },
  taken_at: { width: 140, render: (row) => row.taken_at?.slice(0, 16) ?? '—' },
  view_count: { width: 70, sort: true },
  like_count: { width: 70, sort: true },
  uploader_name: { width: 90, hidden: true },
  dept_name: { width: 110, hidden: true },
  photographer: { width: 90, hidden: true },
});
const tabs = [
  ['0', '待审'],
  ['1', '已上架'],
  ['3', '已退回'],
  ['2', '已下架'],
  ['trash', '回收站'],
] as const;

/** My photos by state, and the upload. */
export default function MinePage() {
  const narrow = useNarrow();
  const [search, setSearch] = useSearchParams();
  const { data: n } = useCall(photos.count, { query: { mine: true } });
  const counts: Record<string, number | undefined> = {
    '0': n?.pending,
    '1': n?.online,
    '3': n?.rejected,
    '2': n?.offline,
    trash: n?.trash,
  };
  const [tab, setTab] = useState(search.get('state') ?? '0');
  const upload = search.get('upload');
  const open = (value: string | null) =>
    setSearch((was) => {
      const next = new URLSearchParams(was);
      next.delete('upload');
      if (value !== null) next.set('upload', value);
      return next;
    });
  return (
    <>
      <ListPage<PhotoRow>
        card={['url', 'state', 'category_name']}
        name="photo/mine"
        title="我的照片"
        purpose="上传照片，查看审核进度"
        call={photos.list}
        query={{ mine: true, ...(tab === 'trash' ? { trash: true } : { state: tab }) }}
        columns={photoColumns}
        tabs={{
          value: tab,
          onChange: setTab,
          categories: tabs.map(([value, label]) => ({ value, label, count: counts[value] })),
        }}
        primary={
          <Button type="primary" onClick={() => open('0')}>
            上传照片
          </Button>
        }
        to={(row) => `/photo/detail/${row.id}`}
        batch={(rows, clear) => {
          const ids = rows.map((row) => row.id);
          return tab === 'trash' ? (
            <CallButton call={photos.changeMany} asked={{ body: { ids, act: 'restore' } }} code={null} onDone={clear}>
              还原 {ids.length} 张
            </CallButton>
          ) : (
            <CallButton
              call={photos.changeMany}
              asked={{ body: { ids, act: 'remove' } }}
              code={null}
              danger
              onDone={clear}
              confirm={{ title: `删除 ${ids.length} 张照片`, content: '30 天内可从回收站还原' }}
            >
              删除 {ids.length} 张
            </CallButton>
          );
        }}
        empty={{ why: '这里还没有照片', next: <Button onClick={() => open('0')}>上传照片</Button> }}
      />
      <Drawer
        title="上传照片"
        open={upload !== null}
        onClose={() => open(null)}
        size={narrow ? '100%' : 640}
        destroyOnHidden
      >
        <UploadPanel album={Number(upload) || null} />
      </Drawer>
    </>
  );
}
