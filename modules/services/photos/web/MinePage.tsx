import { Button, Drawer, Tag } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import type { ListColumn } from '#kernel/web/kit/list/columns/columns.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { useNarrow } from '#kernel/web/kit/narrow.ts';
import { photoState } from '../contract/codes.ts';
import { photos } from '../contract/photos.ts';
import { type PhotoRow } from '../contract/shapes.ts';
import { UploadPanel } from './upload/UploadPanel.tsx';
import './photos.css';

/** Columns of every list of photos. */
export const photoColumns: ListColumn<PhotoRow>[] = [
  {
    key: 'url',
    title: '照片',
    width: 110,
    render: (row) => <img src={`${row.url}&thumb=1`} alt="" height={56} loading="lazy" />,
  },
  { key: 'title', title: '标题', main: true, width: 180 },
  { key: 'category_name', title: '相册', width: 120 },
  {
    key: 'state',
    title: '状态',
    width: 90,
    render: (row) => <Tag color={photoState.tones[row.state]}>{photoState.label(row.state)}</Tag>,
  },
  { key: 'reason', title: '原因', width: 160 },
  { key: 'taken_at', title: '拍摄时间', width: 140, render: (row) => row.taken_at?.slice(0, 16) ?? '—' },
  { key: 'view_count', title: '浏览', width: 70, sort: true },
  { key: 'like_count', title: '点赞', width: 70, sort: true },
  { key: 'uploader_name', title: '上传人', width: 90, hidden: true },
  { key: 'dept_name', title: '部门', width: 110, hidden: true },
  { key: 'photographer', title: '摄影', width: 90, hidden: true },
];
const tabs = [
  ['0', '待审'],
  ['1', '已上架'],
  ['3', '已退回'],
  ['2', '已下架'],
  ['trash', '回收站'],
] as const;

/** My photos by what became of them, and the place to send more. */
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
