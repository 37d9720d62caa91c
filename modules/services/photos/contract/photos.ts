import { z } from 'zod';
import { call, fileReply, signedIn } from '#kernel/contract/call.ts';
import { done, flag, id, idParams, listOf, listQuery, partialOf } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { batch, mostZipped } from './codes.ts';
import {
  act,
  filters,
  ids,
  int,
  one,
  path,
  PhotoChange,
  PhotoDetail,
  PhotoRow,
  Result,
  results,
  said,
  withdraw,
} from './shapes.ts';

const { category_id, title: _title, taken_at: _taken, ...common } = said;
const NewPhoto = z.object({ ...said, file_id: id.meta(field('照片')) });
const sort = ['id', 'shot_at', 'view_count', 'like_count'] as const;

/** Photos of the gallery and own ones: upload, view, edit, delete and download. */
export const photos = {
  wall: call({
    method: 'GET',
    path: `${path}list/`,
    access: signedIn,
    summary: '图库',
    query: listQuery({
      sort: ['shot_at'],
      filters: {
        ...filters,
        /** Continues after the last photo shown; the value of `next`. */
        cursor: z
          .string()
          .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?_\d{1,10}$/, '请从图库重新打开')
          .optional(),
      },
    }),
    reply: listOf(PhotoRow).extend({
      /** Pinned and recommended ones; only on the first page. */
      tops: z.array(PhotoRow),
      next: z.string().nullable(),
    }),
  }),
  list: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '照片列表',
    query: listQuery({
      sort,
      filters: {
        ...filters,
        state: z.coerce.number().int().min(0).max(3).optional().meta(field('状态')),
        mine: flag.optional().meta(field('我上传的')),
        trash: flag.optional().meta(field('回收站')),
        duplicate: flag.optional().meta(field('疑似重复')),
        unconsented: flag.optional().meta(field('未授权')),
        uploader: id.optional().meta(field('上传人')),
        burst: id.optional().meta(field('连拍')),
      },
    }),
    reply: listOf(PhotoRow),
    exports: {
      page: 'photo/manage',
      title: '照片',
      columns: sheetColumns(PhotoRow.shape, [
        'title',
        'category_name',
        'photographer',
        'uploader_name',
        'dept_name',
        'taken_at',
        'state',
        'view_count',
        'like_count',
        'download_count',
      ]),
    },
  }),
  create: call({
    method: 'POST',
    path,
    access: signedIn,
    summary: '提交照片',
    body: NewPhoto,
    reply: done.extend({ state: int, alike_id: int.nullable() }),
    message: '照片已提交',
  }),
  createMany: call({
    method: 'POST',
    path: `${path}batch/`,
    access: signedIn,
    summary: '批量提交照片',
    body: z.object({
      ...common,
      category_id,
      photos: z
        .array(z.object({ file_id: id, title: said.title, taken_at: said.taken_at }))
        .min(1, '请选择照片')
        .max(batch, `一次最多 ${batch} 张`)
        .meta(field('照片')),
    }),
    reply: z.object({
      value: z.array(
        Result.extend({
          file_id: int,
          state: int.optional(),
          /** The existing photo; null if the user may not see it. */
          duplicate_of: int.nullable().optional(),
          alike_id: int.nullable().optional(),
        }),
      ),
    }),
    message: '提交完成',
  }),
  detail: call({
    method: 'GET',
    path: `${path}detail/{id}/`,
    access: signedIn,
    summary: '照片详情',
    params: idParams,
    /** `category` limits neighbours to one album. */
    query: z.object({ category: filters.category }),
    reply: z.object({ value: PhotoDetail }),
    notesReading: true,
  }),
  change: act('PUT', '', signedIn, '编辑照片', {
    ...PhotoChange.shape,
    submit: flag.optional().meta(field('重新提交')),
    withdraw,
  }),
  remove: call({
    method: 'DELETE',
    path: one,
    access: signedIn,
    summary: '删除照片',
    params: idParams,
    reply: done,
    message: '照片已移入回收站',
  }),
  changeMany: call({
    method: 'PUT',
    path: `${path}batch/`,
    access: signedIn,
    summary: '批量编辑照片',
    body: z.object({
      ids: ids.max(batch, `一次最多 ${batch} 张`),
      act: z.enum(['change', 'remove', 'restore']),
      set: z
        .object({ ...partialOf({ ...common, category_id }), withdraw })
        .optional()
        .meta(field('改为')),
    }),
    reply: results,
    message: '处理完成',
  }),
  like: call({
    method: 'POST',
    path: `${one}like/`,
    access: signedIn,
    summary: '点赞照片',
    params: idParams,
    body: z.object({ liked: flag.optional().meta(field('点赞')) }),
    reply: z.object({ liked: z.boolean(), like_count: int }),
  }),
  rotate: act('PUT', 'rotate/', signedIn, '旋转照片', {
    quarters: z.literal([1, 2, 3]).meta(field('顺时针转几个直角')),
  }),
  tags: call({
    method: 'GET',
    path: `${path}tags/`,
    access: signedIn,
    summary: '照片标签',
    query: z.object({ category: filters.category, kind: z.enum(['tag', 'person']).default('tag') }),
    reply: z.object({ value: z.array(z.object({ name: z.string(), count: int })) }),
  }),
  count: call({
    method: 'GET',
    path: `${path}count/`,
    access: signedIn,
    summary: '照片数量',
    query: z.object({ mine: flag.optional() }),
    reply: z.object({
      total: int,
      pending: int,
      online: int,
      offline: int,
      rejected: int,
      top: int,
      com: int,
      views: int,
      trash: int,
    }),
  }),
  users: call({
    method: 'GET',
    path: `${path}user/`,
    access: signedIn,
    summary: '供稿人',
    query: z.object({ mine: flag.optional() }),
    reply: z.object({
      value: z.array(
        z.object({ id: int, username: z.string(), alias: z.string(), dept: z.string(), count: int, adopted: int }),
      ),
    }),
  }),
  download: call({
    method: 'POST',
    path: `${path}download/`,
    access: signedIn,
    summary: '打包下载照片',
    body: z.object({ ids: ids.max(mostZipped, `一次最多 ${mostZipped} 张`) }),
    reply: fileReply,
  }),
};
