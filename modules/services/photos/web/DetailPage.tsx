import { Alert, Button, Descriptions, Tag } from 'antd';
import { useState, type CSSProperties, type ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { CallButton } from '#kernel/web/kit/press/CallButton.tsx';
import { FormDrawer } from '#kernel/web/kit/form/FormDrawer.tsx';
import { useBecome, usePageTitle } from '#kernel/web/kit/page.tsx';
import { saveFile } from '#kernel/web/kit/saveFile.ts';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { factsOf } from '#kernel/web/kit/show/facts.ts';
import { albums } from '../contract/albums.ts';
import { consent, originalState, photoState } from '../contract/codes.ts';
import { originals } from '../contract/originals.ts';
import { photos } from '../contract/photos.ts';
import { reviews } from '../contract/reviews.ts';
import { PhotoDetail, type PhotoRow } from '../contract/shapes.ts';
import { photoFields, valuesOf } from './fields.tsx';
import './photos.css';

/** One photo: large, with its facts and actions. */
export default function DetailPage() {
  const id = Number(useParams()['id']);
  const { data, error, refetch } = useCall(photos.detail, { params: { id }, query: {} });
  usePageTitle(data?.value.title);
  if (error) return <FailedState error={error} retry={() => void refetch()} />;
  return data ? <Photo row={data.value} /> : null;
}

const pair = (one: { url: string; title: string; category_name: string; uploader_name: string }) => (
  <figure key={one.url}>
    <img src={`${one.url}&size=medium`} alt={one.title} />
    <figcaption className="kit-muted">
      {one.title}，{one.category_name}，{one.uploader_name}
    </figcaption>
  </figure>
);
/** Two photos that look the same, side by side. */
export const Alike = ({ row }: { row: PhotoDetail }) =>
  row.alike && (
    <section className="kit-panel" aria-label="疑似重复">
      <h2>与已有的照片很像</h2>
      <div className="photo-pair">{[row, row.alike].map(pair)}</div>
    </section>
  );

/** A photo scaled to the available space, but not beyond its size. */
export const Large = ({ photo, size }: { photo: PhotoRow; size: 'medium' | 'large' }) => (
  <img
    className="photo-large"
    src={`${photo.url}&size=${size}`}
    alt={photo.title}
    style={{ '--ratio': photo.width / photo.height, '--width': `${photo.width}px` } as CSSProperties}
  />
);

/** The facts of a photo, in words. */
export function Facts({ row }: { row: PhotoDetail }) {
  const links = (all: readonly ReactNode[]) => all.length > 0 && all;
  const items = factsOf(PhotoDetail, {
    category_name: <Link to={`/photo/list?category=${row.category_id}`}>{row.category_name}</Link>,
    photographer: row.photographer,
    taken_at: row.taken_at && `${row.taken_at.slice(0, 16)}（${row.taken_by_camera ? '相机' : '手填'}）`,
    place: row.place,
    people: links(
      row.people.map((name) => (
        <Link key={name} to={`/photo/list?people=${encodeURIComponent(name)}`}>
          {name}{' '}
        </Link>
      )),
    ),
    consent: row.faces && (row.consented ? consent.label(row.consent) : '没有有效授权，仅供系统内查看'),
    tags: links(
      row.tags.map((tag) => (
        <Tag key={tag}>
          <Link to={`/photo/list?tag=${encodeURIComponent(tag)}`}>{tag}</Link>
        </Tag>
      )),
    ),
    uploader_name: { heading: '上传', shown: `${row.uploader_name} ${row.dept_name} ${row.gmt_created.slice(0, 16)}` },
    camera: row.camera,
    width: { heading: '尺寸', shown: `${row.width} × ${row.height}` },
    view_count: `${row.view_count} 次，下载 ${row.download_count} 次${row.score ? `，得分 ${row.score}` : ''}`,
  });
  return <Descriptions size="small" column={1} items={items} />;
}

type Opened = 'update' | 'withdraw' | 'original' | 'return' | 'down';
function Photo({ row }: { row: PhotoDetail }) {
  const become = useBecome();
  const [opened, setOpened] = useState<Opened | null>(null);
  const may = (act: string) => row.actions.includes(act);
  const params = { id: row.id };
  const again = row.state === photoState.returned && may('update');
  const granted = row.original?.state === originalState.granted && row.original.left > 0;
  const free = may('whole');
  const fetchWhole = async () =>
    saveFile((await send(originals.fetch, { params })) as unknown as Blob, `${row.title}.jpg`);
  const reviewed = (state: 2 | 3, name: string) => ({
    title: `${name}《${row.title}》`,
    call: reviews.setState,
    fields: [{ name: 'reason', kind: 'textarea' as const }],
    also: { state },
    submit: name,
  });
  const drawers = {
    update: {
      title: '编辑照片',
      call: photos.change,
      fields: photoFields,
      initial: valuesOf(row),
      also: { version: row.version, ...(again ? { submit: true } : {}) },
      submit: again ? '保存并重新提交' : '保存',
    },
    withdraw: {
      title: '撤回授权',
      call: photos.change,
      fields: [{ name: 'withdraw', kind: 'textarea' as const, help: '照片立即下架，已同意的原图申请同时结束' }],
      submit: '撤回授权并下架',
    },
    return: reviewed(3, '退回'),
    down: reviewed(2, '下架'),
    original: {
      title: '申请原图',
      call: originals.ask,
      fields: [{ name: 'purpose', kind: 'textarea' as const }, { name: 'medium' }],
      submit: '提交申请',
    },
  };
  return (
    <section className="kit-list" aria-label={row.title}>
      <header className="kit-row kit-list-head">
        <h1>
          {row.title}{' '}
          <Tag color={photoState.tones[row.state]}>{row.deleted_at ? '回收站' : photoState.label(row.state)}</Tag>
        </h1>
        <div className="kit-row">
          <Button disabled={row.prev === null} onClick={() => become(`/photo/detail/${row.prev}`)}>
            上一张
          </Button>
          <Button disabled={row.next === null} onClick={() => become(`/photo/detail/${row.next}`)}>
            下一张
          </Button>
        </div>
      </header>
      {row.reason !== '' && <Alert type="warning" showIcon title={`${photoState.label(row.state)}：${row.reason}`} />}
      <div className="photo-desk">
        <Large photo={row} size="large" />
        <aside className="kit-panel">
          {row.description && <p>{row.description}</p>}
          <Facts row={row} />
          <div className="kit-row">
            {row.state === photoState.shown && (
              <CallButton
                call={photos.like}
                asked={{ params, body: { liked: !row.liked } }}
                code={null}
                done={row.liked ? '已取消' : '已点赞'}
              >
                {row.liked ? '已赞' : '点赞'} {row.like_count || ''}
              </CallButton>
            )}
            <CallButton
              call={reviews.setState}
              asked={{ params, body: { state: photoState.shown } }}
              code={null}
              type="primary"
              allowed={may('approve')}
              done="已上架"
            >
              {row.state === photoState.down ? '重新上架' : '采用'}
            </CallButton>
            <CallButton
              call={reviews.review}
              asked={{ body: { ids: [row.id], act: 'undo' } }}
              code={null}
              allowed={may('undo')}
              done={({ value }) => (value[0]!.ok ? '已撤销' : value[0]!.msg)}
            >
              撤销审核
            </CallButton>
            {may('return') && <Button onClick={() => setOpened('return')}>退回</Button>}
            {may('down') && <Button onClick={() => setOpened('down')}>下架</Button>}
            <CallButton
              call={albums.patch}
              asked={{ params: { id: row.category_id }, body: { cover: row.id } }}
              code={null}
              allowed={may('cover')}
              done="已设为封面"
            >
              设为封面
            </CallButton>
            {may('update') && (
              <Button type={again ? 'primary' : 'default'} onClick={() => setOpened('update')}>
                {again ? '修改后重新提交' : '编辑'}
              </Button>
            )}
            <CallButton
              call={photos.rotate}
              asked={{ params, body: { quarters: 1 } }}
              code={null}
              allowed={may('rotate')}
            >
              顺时针旋转
            </CallButton>
            {(free || granted) && (
              <Button onClick={() => void fetchWhole().catch(() => undefined)}>
                下载原图{granted && !free ? `（还可 ${row.original!.left} 次）` : ''}
              </Button>
            )}
            {may('original') && !free && !granted && row.original?.state !== originalState.open && (
              <Button onClick={() => setOpened('original')}>申请原图</Button>
            )}
            {row.original && !granted && <Tag>原图申请{originalState.label(row.original.state)}</Tag>}
            {may('withdraw') && row.faces && (
              <Button danger onClick={() => setOpened('withdraw')}>
                撤回授权
              </Button>
            )}
            <CallButton
              call={photos.remove}
              asked={{ params }}
              code={null}
              danger
              allowed={may('delete')}
              confirm={{ title: `删除《${row.title}》`, content: '30 天内可从回收站还原' }}
            >
              删除
            </CallButton>
            <CallButton
              call={photos.changeMany}
              asked={{ body: { ids: [row.id], act: 'restore' } }}
              code={null}
              allowed={may('restore')}
            >
              还原
            </CallButton>
          </div>
        </aside>
      </div>
      <Alike row={row} />
      {opened && (
        <FormDrawer
          open
          name={`photo:${opened}:${row.id}`}
          params={params}
          onClose={() => setOpened(null)}
          onDone={() => undefined}
          {...(drawers[opened] as (typeof drawers)['update'])}
        />
      )}
    </section>
  );
}
