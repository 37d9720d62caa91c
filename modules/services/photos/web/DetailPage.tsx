import { Alert, Button, Descriptions, Tag } from 'antd';
import type { CSSProperties, ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { act, useActs, type Act, type Acts } from '#kernel/web/kit/press/acts.tsx';
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

const isAgain = (row: PhotoDetail) => row.state === photoState.returned && row.actions.includes('update');
/** True if the original may be fetched by a request that was granted. */
const isGranted = ({ original }: PhotoDetail) =>
  original !== null && original.state === originalState.granted && original.left > 0;
const fetchOriginal = async ({ id, title }: PhotoDetail) =>
  saveFile(await send(originals.fetch, { params: { id } }), `${title}.jpg`);
const reviewed = (state: 2 | 3, label: string): Act<PhotoDetail> => ({
  label,
  title: (row) => `${label}《${row.title}》`,
  call: reviews.setState,
  fields: [{ name: 'reason', kind: 'textarea' }],
  also: { state },
});
const acts: Acts<PhotoDetail> = {
  like: {
    label: (row) => `${row.liked ? '已赞' : '点赞'} ${row.like_count || ''}`,
    call: photos.like,
    offered: (row) => row.state === photoState.shown,
    code: null,
    also: (row) => ({ liked: !row.liked }),
    atOnce: true,
    done: (_reply, row) => (row.liked ? '已取消' : '已点赞'),
  },
  approve: {
    label: (row) => (row.state === photoState.down ? '重新上架' : '采用'),
    call: reviews.setState,
    look: { type: 'primary' },
    also: { state: photoState.shown },
    atOnce: true,
    done: '已上架',
  },
  undo: act({
    label: '撤销审核',
    call: reviews.review,
    also: ({ id }) => ({ ids: [id], act: 'undo' }),
    atOnce: true,
    done: ({ value }) => (value[0]!.ok ? '已撤销' : value[0]!.msg),
  }),
  return: reviewed(3, '退回'),
  down: reviewed(2, '下架'),
  cover: {
    label: '设为封面',
    call: albums.patch,
    params: (row) => ({ id: row.category_id }),
    also: ({ id }) => ({ cover: id }),
    atOnce: true,
    done: '已设为封面',
  },
  update: {
    label: (row) => (isAgain(row) ? '修改后重新提交' : '编辑'),
    title: '编辑照片',
    call: photos.change,
    look: (row) => ({ type: isAgain(row) ? 'primary' : 'default' }),
    fields: photoFields,
    initial: valuesOf,
    also: (row) => ({ version: row.version, ...(isAgain(row) ? { submit: true } : {}) }),
    submit: (row) => (isAgain(row) ? '保存并重新提交' : '保存'),
  },
  rotate: { label: '顺时针旋转', call: photos.rotate, also: { quarters: 1 }, atOnce: true },
  whole: {
    label: (row) =>
      `下载原图${isGranted(row) && !row.actions.includes('whole') ? `（还可 ${row.original!.left} 次）` : ''}`,
    offered: (row) => row.actions.includes('whole') || isGranted(row),
    does: (row) => void fetchOriginal(row).catch(() => undefined),
  },
  original: {
    label: '申请原图',
    title: '申请原图',
    call: originals.ask,
    offered: (row) =>
      row.actions.includes('original') &&
      !row.actions.includes('whole') &&
      !isGranted(row) &&
      row.original?.state !== originalState.open,
    code: null,
    fields: [{ name: 'purpose', kind: 'textarea' }, { name: 'medium' }],
    submit: '提交申请',
  },
  withdraw: {
    label: '撤回授权',
    title: '撤回授权',
    call: photos.change,
    offered: (row) => row.actions.includes('withdraw') && row.faces,
    code: null,
    danger: true,
    fields: [{ name: 'withdraw', kind: 'textarea', help: '照片立即下架，已同意的原图申请同时结束' }],
    submit: '撤回授权并下架',
  },
  delete: {
    label: '删除',
    title: (row) => `删除《${row.title}》`,
    call: photos.remove,
    danger: true,
    confirm: '30 天内可从回收站还原',
  },
  restore: {
    label: '还原',
    call: photos.changeMany,
    also: ({ id }) => ({ ids: [id], act: 'restore' }),
    atOnce: true,
  },
};
const beforeTag = ['like', 'approve', 'undo', 'return', 'down', 'cover', 'update', 'rotate', 'whole', 'original'];

function Photo({ row }: { row: PhotoDetail }) {
  const become = useBecome();
  const { buttons, drawer } = useActs('photo', acts);
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
            {buttons(row, row.actions, { among: beforeTag })}
            {row.original && !isGranted(row) && <Tag>原图申请{originalState.label(row.original.state)}</Tag>}
            {buttons(row, row.actions, { among: ['withdraw', 'delete', 'restore'] })}
          </div>
        </aside>
      </div>
      <Alike row={row} />
      {drawer}
    </section>
  );
}
