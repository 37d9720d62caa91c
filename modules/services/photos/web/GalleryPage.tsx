import { useInfiniteQuery } from '@tanstack/react-query';
import { Button, Select, Skeleton } from 'antd';
import { Suspense, useCallback } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { yearOf } from '#kernel/contract/moment.ts';
import { useCall } from '#kernel/web/calls.ts';
import { send } from '#kernel/web/client.ts';
import { keyOf } from '#kernel/web/calls.ts';
import { SearchBox } from '#kernel/web/kit/list/bar/SearchBox.tsx';
import { EmptyState } from '#kernel/web/kit/show/EmptyState.tsx';
import { FailedState } from '#kernel/web/kit/show/FailedState.tsx';
import { CategoryPicker } from '#kernel/web/kit/tree/CategoryPicker.tsx';
import { later } from '#kernel/web/later.tsx';
import { patiently } from '#kernel/web/patiently.ts';
import { DeptPicker } from '#modules/platform/people/widgets.tsx';
import { albums } from '../contract/albums.ts';
import { photos as calls } from '../contract/photos.ts';
import { type PhotoRow } from '../contract/shapes.ts';
import { Wall } from './wall/Wall.tsx';
import './photos.css';

const Lightbox = later(() => patiently(() => import('./wall/Lightbox.tsx')));
const filters = ['category', 'dept', 'tag', 'people', 'year', 'search_value'] as const;
const years = Array.from({ length: yearOf(new Date()) - 1999 }, (_one, n) => yearOf(new Date()) - n);

/** The gallery: shown photos of the albums I see, newest first, and a full-window view. */
export default function GalleryPage() {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const asked = Object.fromEntries(filters.flatMap((key) => (search.get(key) ? [[key, search.get(key)!]] : [])));
  const set = useCallback(
    (part: Record<string, unknown>, replace = true) =>
      setSearch(
        (was) => {
          const next = new URLSearchParams(was);
          for (const [key, value] of Object.entries(part)) {
            next.delete(key);
            if (value) next.set(key, String(value));
          }
          return next;
        },
        { replace },
      ),
    [setSearch],
  );
  const tree = useCall(albums.list, { query: {} });
  const words = useCall(calls.tags, { query: asked['category'] ? { category: asked['category'] } : {} });
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: keyOf(calls.wall, asked),
    queryFn: ({ pageParam, signal }) =>
      send(calls.wall, { query: { ...asked, per_page: 60, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const rows: readonly PhotoRow[] = data?.pages.flatMap((page) => page.value) ?? [];
  const tops = data?.pages[0]?.tops ?? [];
  const more = useCallback(
    () => void (hasNextPage && !isFetching && fetchNextPage()),
    [hasNextPage, isFetching, fetchNextPage],
  );
  const shown = [...tops.filter((top) => !rows.some((row) => row.id === top.id)), ...rows];
  const open = search.get('photo');
  const at = shown.findIndex((row) => String(row.id) === open);
  const album = (nodes: typeof tree.data = []): (typeof nodes)[number] | undefined =>
    nodes.find((node) => String(node.id) === asked['category']) ??
    nodes.map((node) => album(node.children)).find(Boolean);
  const here = album(tree.data);
  const below = (here ? here.children : (tree.data ?? []))
    .filter((node) => node.count > 0 || node.may_upload)
    .slice(0, 60);
  // Albums stand above the photos and load together with them, so that nothing moves.
  const ready = data && !tree.isPending;
  const show = (row: PhotoRow) => set({ photo: row.id }, false);
  return (
    <section className="kit-list photo-page" aria-label="图库">
      <header className="kit-row kit-list-head">
        <div>
          <h1>{here?.name ?? '图库'}</h1>
          <p className="kit-muted">
            {here?.description || '单位的照片，按拍摄时间排列'}
            {data && ` · ${data.pages[0]!.total}${data.pages[0]!.total_capped ? ' 张以上' : ' 张'}`}
          </p>
        </div>
        <Link to={`/photo/mine?upload=${here?.may_upload ? here.id : 0}`}>
          <Button type="primary">上传照片</Button>
        </Link>
      </header>
      <div className="kit-row photo-filters">
        <SearchBox
          label="搜索照片"
          value={asked['search_value'] ?? ''}
          onSearch={(value) => set({ search_value: value })}
        />
        <CategoryPicker
          call={albums.list}
          placeholder="全部相册"
          value={here?.id ?? null}
          onChange={(id) => set({ category: id })}
        />
        <DeptPicker
          value={asked['dept'] ? Number(asked['dept']) : null}
          onChange={(id) => set({ dept: id })}
          placeholder="全部部门"
        />
        <Select
          allowClear
          aria-label="年份"
          placeholder="全部年份"
          value={asked['year'] ? Number(asked['year']) : undefined}
          onChange={(year?: number) => set({ year })}
          options={years.map((year) => ({ value: year, label: `${year} 年` }))}
        />
        <Select
          allowClear
          showSearch
          aria-label="标签"
          placeholder="全部标签"
          value={asked['tag']}
          onChange={(tag?: string) => set({ tag })}
          options={words.data?.value.map(({ name, count }) => ({ value: name, label: `${name}（${count}）` }))}
        />
        {asked['people'] && <Button onClick={() => set({ people: null })}>人物：{asked['people']} ×</Button>}
      </div>
      {ready && below.length > 0 && !asked['search_value'] && (
        <ul className="photo-albums" aria-label="相册">
          {below.map((node) => (
            <li key={node.id}>
              <button type="button" onClick={() => set({ category: node.id }, false)}>
                {node.cover_url ? <img src={`${node.cover_url}&thumb=1`} alt="" loading="lazy" /> : <span />}
                <b>{node.name}</b>
                <span className="kit-muted">{node.count} 张</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {error && !data && <FailedState error={error} retry={() => void refetch()} />}
      {!ready && !error && <Skeleton active className="kit-panel" paragraph={{ rows: 8 }} />}
      {ready && tops.length > 0 && (
        <ul className="photo-tops" aria-label="置顶和推荐">
          {tops.map((photo) => (
            <li key={photo.id}>
              <button type="button" onClick={() => show(photo)} aria-label={photo.title}>
                <img src={`${photo.url}&thumb=1`} alt="" />
                <span>
                  {photo.top ? '置顶' : '推荐'} · {photo.title}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {ready && shown.length === 0 && (
        <EmptyState
          why={Object.keys(asked).length > 0 ? '没有符合条件的照片，可换个条件' : '还没有照片'}
          next={
            here?.may_upload && (
              <span>{here.review ? '您可以上传，审核后在这里展示' : '您可以上传，上传后直接展示'}</span>
            )
          }
        />
      )}
      {ready && rows.length > 0 && <Wall photos={rows} onOpen={(place) => show(rows[place]!)} onEnd={more} />}
      {open && at >= 0 && (
        <Suspense fallback={null}>
          <Lightbox
            photos={shown}
            at={at}
            onView={(place) => {
              if (place > shown.length - 8) more();
              if (shown[place] && String(shown[place].id) !== open) set({ photo: shown[place].id });
            }}
            onDetail={(photo) => void navigate(`/photo/detail/${photo.id}`)}
            onClose={() => set({ photo: null })}
          />
        </Suspense>
      )}
    </section>
  );
}
