import { Button, Tabs } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { optionsOf } from '#kernel/contract/titles.ts';
import type { Calls } from '#kernel/contract/call.ts';
import { download } from '#kernel/web/client.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import type { FormField } from '#kernel/web/kit/form/FieldInput.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { ListPage } from '#kernel/web/kit/list/ListPage.tsx';
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

type Drawer = {
  title: string;
  call: Calls[string];
  also: object;
  fields: FormField[];
  submit: string;
  params?: { id: number };
};

/** Photos for their managers: a review wall with keyboard, the list of all, and requests for originals. */
export default function ManagePage() {
  const may = usePermission();
  const [search] = useSearchParams();
  const [drawer, setDrawer] = useState<Drawer | null>(null);
  const [view, setView] = useState(search.get('view') ?? (may('chuli') ? 'review' : 'list'));
  const down = (ids: number[]): Drawer => ({
    title: `下架 ${ids.length} 张照片`,
    call: reviews.review,
    also: { ids, act: 'down' },
    fields: [{ name: 'reason', kind: 'textarea' }],
    submit: '下架',
  });
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
            { key: 'state', kind: 'select', options: optionsOf(photoState.names) as never, often: true },
            { key: 'duplicate', kind: 'select', options: [{ value: '1', label: '只看疑似重复' }] },
            { key: 'unconsented', kind: 'select', options: [{ value: '1', label: '只看未授权' }] },
            { key: 'trash', kind: 'select', options: [{ value: '1', label: '只看回收站' }] },
          ]}
          to={(row) => `/photo/detail/${row.id}`}
          batch={(rows, clear) => {
            const ids = rows.map((row) => row.id);
            return (
              <>
                <CallButton call={reviews.review} asked={{ body: { ids, act: 'approve' } }} onDone={clear}>
                  采用 {ids.length} 张
                </CallButton>
                {may('chuli') && <Button onClick={() => setDrawer(down(ids))}>下架</Button>}
                <Button
                  disabled={rows.some((row) => row.state !== photoState.shown)}
                  title="只有已上架的照片可以打包"
                  onClick={() => void zip(ids)}
                >
                  打包下载
                </Button>
                <CallButton
                  call={photos.changeMany}
                  asked={{ body: { ids, act: 'remove' } }}
                  code="Delete"
                  danger
                  onDone={clear}
                  confirm={{ title: `删除 ${ids.length} 张照片`, content: '30 天内可从回收站还原' }}
                >
                  删除
                </CallButton>
                <CallButton
                  call={photos.changeMany}
                  asked={{ body: { ids, act: 'restore' } }}
                  code="Delete"
                  onDone={clear}
                  allowed={rows.some((row) => row.deleted_at)}
                >
                  还原
                </CallButton>
              </>
            );
          }}
          rowActions={(row) => (
            <>
              <CallButton
                size="small"
                call={reviews.top}
                asked={{ params: { id: row.id }, body: { top: !row.top } }}
                allowed={row.actions.includes('top')}
              >
                {row.top ? '取消置顶' : '置顶'}
              </CallButton>
              <CallButton
                size="small"
                call={reviews.com}
                asked={{ params: { id: row.id }, body: { com: !row.com } }}
                allowed={row.actions.includes('com')}
              >
                {row.com ? '取消推荐' : '推荐'}
              </CallButton>
            </>
          )}
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
          rowActions={(row) => (
            <>
              <CallButton
                size="small"
                type="primary"
                call={originals.decide}
                asked={{ params: { id: row.id }, body: { agree: true } }}
                allowed={row.actions.includes('decide')}
              >
                同意
              </CallButton>
              {row.actions.includes('decide') && (
                <Button
                  size="small"
                  onClick={() =>
                    setDrawer({
                      title: `不同意《${row.title}》的原图申请`,
                      call: originals.decide,
                      params: { id: row.id },
                      also: { agree: false },
                      fields: [{ name: 'answer', label: '不同意的原因', kind: 'textarea', needed: true }],
                      submit: '不同意',
                    })
                  }
                >
                  不同意
                </Button>
              )}
            </>
          )}
          acts={(row) => row.actions.includes('decide')}
          empty={{ why: '没有原图申请' }}
        />
      )}
      {drawer && (
        <FormDrawer
          open
          name={`photo:${drawer.submit}`}
          onClose={() => setDrawer(null)}
          onDone={() => undefined}
          {...(drawer as never as { call: typeof reviews.review; title: string; fields: []; submit: string })}
        />
      )}
    </section>
  );
}
