import { Tabs } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { download } from '#kernel/web/client.ts';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
import { chosen, useActs, type Acts, type Chosen } from '#kernel/web/kit/press/acts.tsx';
import { RowCount, type Counted } from '#kernel/web/kit/list/bar/RowCount.tsx';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { usePermission } from '#kernel/web/kit/permission.tsx';
import { listColumns } from '#kernel/web/kit/list/columns/listColumns.ts';
import { photoState } from '../contract/codes.ts';
import { Original, originals } from '../contract/originals.ts';
import { photos } from '../contract/photos.ts';
import { reviews } from '../contract/reviews.ts';
import { type PhotoRow } from '../contract/shapes.ts';
import { photoColumns } from './MinePage.tsx';
import { ReviewWall } from './ReviewWall.tsx';

const zip = async (ids: number[]) => {
  const answer = await download(photos.download, { body: { ids } }).catch(() => null);
  if (answer) saveFile(answer.blob, `照片 ${ids.length} 张.zip`);
};

const counted = (label: string, call: Counted['call'], query: Counted['query']) => (
  <>
    {label}
    <RowCount call={call} query={query} />
  </>
);

const states = Object.entries(photoState.names).map(([value, label]) => ({ value, label }));
const many: Acts<Chosen<PhotoRow>> = {
  approve: {
    label: ({ ids }) => `采用 ${ids.length} 张`,
    call: reviews.review,
    offered: () => true,
    also: ({ ids }) => ({ ids, act: 'approve' }),
    atOnce: true,
    onDone: (_reply, { clear }) => clear(),
  },
  down: {
    label: '下架',
    title: ({ ids }) => `下架 ${ids.length} 张照片`,
    call: reviews.review,
    offered: () => true,
    code: 'chuli',
    also: ({ ids }) => ({ ids, act: 'down' }),
    fields: [{ name: 'reason', kind: 'textarea' }],
  },
  zip: {
    label: '打包下载',
    offered: () => true,
    look: ({ rows }) => ({
      disabled: rows.some((row) => row.state !== photoState.shown),
      title: '只有已上架的照片可以打包',
    }),
    does: ({ ids }) => void zip(ids),
  },
  remove: {
    label: '删除',
    title: ({ ids }) => `删除 ${ids.length} 张照片`,
    call: photos.changeMany,
    offered: () => true,
    code: 'Delete',
    danger: true,
    only: [],
    also: ({ ids }) => ({ ids, act: 'remove' }),
    confirm: '30 天内可从回收站还原',
    onDone: (_reply, { clear }) => clear(),
  },
  restore: {
    label: '还原',
    call: photos.changeMany,
    offered: ({ rows }) => rows.some((row) => row.deleted_at),
    code: 'Delete',
    also: ({ ids }) => ({ ids, act: 'restore' }),
    atOnce: true,
    onDone: (_reply, { clear }) => clear(),
  },
};
const ofPhoto: Acts<PhotoRow> = {
  top: {
    label: (row) => (row.top ? '取消置顶' : '置顶'),
    call: reviews.top,
    offered: (row) => row.actions.includes('top'),
    also: (row) => ({ top: !row.top }),
    atOnce: true,
  },
  com: {
    label: (row) => (row.com ? '取消推荐' : '推荐'),
    call: reviews.com,
    offered: (row) => row.actions.includes('com'),
    also: (row) => ({ com: !row.com }),
    atOnce: true,
  },
};
const ofRequest: Acts<Original> = {
  agree: {
    label: '同意',
    call: originals.decide,
    offered: (row) => row.actions.includes('decide'),
    look: { type: 'primary' },
    also: { agree: true },
    atOnce: true,
  },
  decide: {
    label: '不同意',
    title: (row) => `不同意《${row.title}》的原图申请`,
    call: originals.decide,
    also: { agree: false },
    fields: [{ name: 'answer', label: '不同意的原因', kind: 'textarea', needed: true }],
  },
};

/** Photos for their managers: a review wall with keyboard, the list of all, and requests for originals. */
export default function ManagePage() {
  const may = usePermission();
  const [search] = useSearchParams();
  const several = useActs('photo', many);
  const photo = useActs('photo', ofPhoto);
  const request = useActs('photo', ofRequest);
  const [view, setView] = useState(search.get('view') ?? (may('chuli') ? 'review' : 'list'));
  return (
    <section className="kit-list" aria-label="照片管理">
      {view === 'review' && <h1>照片审核</h1>}
      <Tabs
        activeKey={view}
        onChange={setView}
        items={[
          ...(may('chuli')
            ? [{ key: 'review', label: counted('审核', photos.list, { state: photoState.pending }) }]
            : []),
          { key: 'list', label: counted('全部照片', photos.list, {}) },
          ...(may('chuli') ? [{ key: 'original', label: counted('原图申请', originals.list, { decide: true }) }] : []),
        ]}
      />
      {view === 'review' && may('chuli') && <ReviewWall uploader={search.get('uploader')} />}
      {view === 'list' && (
        <ListPage<PhotoRow>
          card={['url', 'state', 'category_name']}
          name="photo/manage"
          title="照片管理"
          call={photos.list}
          columns={photoColumns.map((column) => ({ ...column, hidden: false }))}
          filters={[
            { key: 'state', kind: 'select', options: states, often: true },
            { key: 'duplicate', kind: 'select', options: [{ value: '1', label: '只看疑似重复' }] },
            { key: 'unconsented', kind: 'select', options: [{ value: '1', label: '只看未授权' }] },
            { key: 'trash', kind: 'select', options: [{ value: '1', label: '只看回收站' }] },
          ]}
          to={(row) => `/photo/detail/${row.id}`}
          batch={(rows, clear) => several.buttons(chosen(rows, clear), [])}
          rowActions={(row) => photo.buttons(row, [], { size: 'small' })}
          acts={(row) => row.actions.includes('top')}
          empty={{ why: '还没有照片' }}
        />
      )}
      {view === 'original' && (
        <ListPage<Original>
          card={['state', 'user_name', 'purpose']}
          name="photo/original"
          title="原图申请"
          call={originals.list}
          query={{ decide: true }}
          columns={listColumns(Original, {
            title: { main: true, width: 180 },
            url: { width: 110, render: (row) => <img src={`${row.url}&thumb=1`} alt="" height={56} /> },
            user_name: { width: 90 },
            purpose: { width: 220 },
            medium: { width: 110 },
            state: { width: 90 },
            used: { width: 80, render: (row) => `${row.used} / ${row.allowed}` },
          })}
          to={(row) => `/photo/detail/${row.photo_id}`}
          rowActions={(row) => request.buttons(row, row.actions, { size: 'small' })}
          acts={(row) => row.actions.includes('decide')}
          empty={{ why: '没有原图申请' }}
        />
      )}
      {several.drawer}
      {request.drawer}
    </section>
  );
}
