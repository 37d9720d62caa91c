import { z } from 'zod';
import { call, fileReply, grant, signedIn, type Access } from '#kernel/contract/call.ts';
import {
  actions,
  day,
  done,
  flag,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  localMoment,
  name,
  partialOf,
  text,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { batch, consents, mostZipped, originalStates, states } from './codes.ts';

const int = z.number().int();
const path = '/api/photo/';
const one = `${path}{id}/` as const;
const words = (title: string) => z.array(name(20)).max(20, '最多 20 个').meta(field(title));
const ids = z.array(id).min(1, '请选择照片').meta(field('照片'));
const reason = line(200)
  .default('')
  .meta(field('原因', { kind: 'textarea' }));
const points = z.coerce.number().int().min(0).max(20).optional().meta(field('得分'));
/** Why somebody on it agrees no more; with it nothing else is changed. */
const withdraw = line(180).optional().meta(field('撤回授权的原因'));

/** What people say of a photo. */
const said = {
  category_id: id.meta(field('相册')),
  title: name(80).meta(field('标题')),
  description: text(500)
    .default('')
    .meta(field('说明', { kind: 'textarea' })),
  photographer: line(30).default('').meta(field('摄影')),
  place: line(60).default('').meta(field('地点')),
  taken_at: localMoment.nullable().optional().meta(field('拍摄时间')),
  tags: words('标签').default([]),
  people: words('人物').default([]),
  faces: flag.default(false).meta(field('有可识别的人物', { kind: 'switch' })),
  consent: choice('人物授权', consents).default(0),
  consent_until: day
    .nullable()
    .optional()
    .meta(field('授权到期日', { help: '不填则长期有效' })),
};
const { category_id, title: _title, taken_at: _taken, ...common } = said;
const NewPhoto = z.object({ ...said, file_id: id.meta(field('照片')) });
export const PhotoChange = z.object({ ...partialOf(said), version });
export type Said = z.output<typeof PhotoChange>;

export const PhotoRow = z.object({
  id: int,
  title: z.string(),
  category_id: int,
  category_name: z.string(),
  /** Good for minutes and for the viewer; `&thumb=1`, `&size=medium`, `&size=large`. */
  url: z.string(),
  width: int,
  height: int,
  size: int,
  placeholder: z.string(),
  shot_at: timestamp,
  taken_at: timestamp.nullable(),
  taken_by_camera: z.boolean(),
  camera: z.string(),
  photographer: z.string(),
  uploader: int,
  uploader_name: z.string(),
  dept_name: z.string(),
  place: z.string(),
  faces: z.boolean(),
  consent: int,
  /** Nobody on it has anything against its leaving the house. */
  consented: z.boolean(),
  state: int,
  reason: z.string(),
  top: z.boolean(),
  com: z.boolean(),
  liked: z.boolean(),
  like_count: int,
  view_count: int,
  download_count: int,
  burst_id: int.nullable(),
  alike_id: int.nullable(),
  deleted_at: timestamp.nullable(),
  gmt_created: timestamp,
  version: int,
  actions,
});
export type PhotoRow = z.output<typeof PhotoRow>;

const Neighbour = int.nullable();
export const PhotoDetail = PhotoRow.extend({
  description: z.string(),
  tags: z.array(z.string()),
  people: z.array(z.string()),
  consent_until: z.string().nullable(),
  score: int,
  prev: Neighbour,
  next: Neighbour,
  /** Another one that looks the same, where the reader sees it too. */
  alike: PhotoRow.nullable(),
  /** My newest request for the whole picture. */
  original: z.object({ id: int, state: int, left: int, expires_at: timestamp.nullable() }).nullable(),
});
export type PhotoDetail = z.output<typeof PhotoDetail>;

/** One line for each photo of a call for many, as if it had been asked for alone. */
const Result = z.object({ id: int.optional(), ok: z.boolean(), code: int, msg: z.string() });
export type Result = z.output<typeof Result>;
const results = z.object({ value: z.array(Result) });

const filters = {
  category: id.optional().meta(field('相册')),
  dept: id.optional().meta(field('部门')),
  tag: line(20).optional().meta(field('标签')),
  people: line(20).optional().meta(field('人物')),
  year: z.coerce.number().int().min(1990).max(2100).optional().meta(field('年份')),
};
const sort = ['id', 'shot_at', 'view_count', 'like_count'] as const;

export const Original = z.object({
  id: int,
  photo_id: int,
  title: z.string(),
  url: z.string(),
  user_name: z.string(),
  purpose: z.string(),
  medium: z.string(),
  state: int,
  answer: z.string(),
  used: int,
  allowed: int,
  expires_at: timestamp.nullable(),
  gmt_created: timestamp,
  actions,
});
export type Original = z.output<typeof Original>;

const review = grant('chuli', 'photo/manage');
/** What is done with one photo. */
const act = <B extends z.ZodRawShape, A extends Access>(
  method: 'POST' | 'PUT',
  tail: string,
  access: A,
  summary: string,
  body: B,
) => call({ method, path: `${one}${tail}`, access, summary, params: idParams, body: z.object(body), reply: done });

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
        /** Goes on behind the last one that was shown, as `next` said. */
        cursor: z
          .string()
          .regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?_\d{1,10}$/, '请从图库重新打开')
          .optional(),
      },
    }),
    reply: listOf(PhotoRow).extend({
      /** Pinned and recommended ones; with the first screen only. */
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
      columns: [
        { key: 'title', title: '标题' },
        { key: 'category_name', title: '相册' },
        { key: 'photographer', title: '摄影' },
        { key: 'uploader_name', title: '上传人' },
        { key: 'dept_name', title: '部门' },
        { key: 'taken_at', title: '拍摄时间' },
        { key: 'state', title: '状态', show: (value: number) => states[value as 0] },
        { key: 'view_count', title: '浏览' },
        { key: 'like_count', title: '点赞' },
        { key: 'download_count', title: '下载' },
      ],
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
          duplicate_of: int.optional(),
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
    /** `category`: neighbours within one album. */
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
  review: call({
    method: 'PUT',
    path: `${path}review/`,
    access: grant('chuli', 'photo/manage'),
    summary: '批量审核照片',
    body: z.object({
      ids: ids.max(batch, `一次最多 ${batch} 张`),
      /** `undo`: back to what it waited for. */
      act: z.enum(['approve', 'return', 'down', 'undo']),
      reason,
      score: points,
    }),
    reply: results,
    message: '审核完成',
  }),
  /** Without a state: shown becomes taken down, anything else shown. */
  setState: act('PUT', 'state/', review, '审核、上架、下架照片', {
    state: z.literal([1, 2, 3]).optional().meta(field('状态')),
    reason,
    score: points,
  }),
  top: act('PUT', 'top/', review, '置顶照片', { top: flag.optional().meta(field('置顶')) }),
  com: act('PUT', 'com/', review, '推荐照片', { com: flag.optional().meta(field('推荐')) }),
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
  originals: call({
    method: 'GET',
    path: `${path}original/`,
    access: signedIn,
    summary: '原图申请',
    query: listQuery({
      sort: ['id'],
      filters: {
        /** Those I may decide; mine without. */
        decide: flag.optional().meta(field('待我决定')),
        state: choice('状态', originalStates).optional(),
      },
    }),
    reply: listOf(Original),
  }),
  askOriginal: act('POST', 'original/', signedIn, '申请原图', {
    purpose: name(200).meta(field('用途', { kind: 'textarea' })),
    medium: line(50)
      .default('')
      .meta(field('使用媒介', { help: '如 校报、展板、公众号' })),
  }),
  decideOriginal: call({
    method: 'PUT',
    path: `${path}original/{id}/`,
    access: grant('chuli', 'photo/manage'),
    summary: '决定原图申请',
    params: idParams,
    body: z.object({ agree: flag.meta(field('同意')), answer: line(200).default('').meta(field('答复')) }),
    reply: done,
    message: '已决定',
  }),
  original: call({
    method: 'GET',
    path: `${one}original/`,
    access: signedIn,
    summary: '下载原图',
    params: idParams,
    reply: fileReply,
    writes: true,
  }),
};
