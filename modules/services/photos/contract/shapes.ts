import { z } from 'zod';
import { call, type Access } from '#kernel/contract/call.ts';
import {
  actions,
  day,
  done,
  flag,
  id,
  idParams,
  line,
  momentSince,
  name,
  partialOf,
  text,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { choice, coded, field, titledAs } from '#kernel/contract/titles.ts';
import { consent, photoState } from './codes.ts';

/** Earlier dates from cameras are ignored, and the gallery begins here. */
const leastYear = 1990;
export const int = z.number().int();
export const path = '/api/photo/';
export const one = `${path}{id}/` as const;
export const words = (title: string) => z.array(name(20)).max(20, '最多 20 个').meta(field(title));
export const ids = z.array(id).min(1, '请选择照片').meta(field('照片'));
export const reason = line(200)
  .default('')
  .meta(field('原因', { kind: 'textarea' }));
export const points = z.coerce.number().int().min(0).max(20).optional().meta(field('得分'));
/** The reason why somebody on it withdraws consent; no other field is changed with it. */
export const withdraw = line(180).optional().meta(field('撤回授权的原因'));

/** The descriptive fields of a photo. */
export const said = {
  category_id: id.meta(field('相册')),
  title: name(80).meta(field('标题')),
  description: text(500)
    .default('')
    .meta(field('说明', { kind: 'textarea' })),
  photographer: line(30).default('').meta(field('摄影')),
  place: line(60).default('').meta(field('地点')),
  taken_at: momentSince(leastYear).nullable().optional().meta(field('拍摄时间')),
  tags: words('标签').default([]),
  people: words('人物').default([]),
  faces: flag.default(false).meta(field('有可识别的人物', { kind: 'switch' })),
  consent: choice('人物授权', consent.names).default(0),
  consent_until: day
    .nullable()
    .optional()
    .meta(field('授权到期日', { help: '不填则长期有效' })),
};
export const PhotoChange = z.object({ ...partialOf(said), version });
export type Said = z.output<typeof PhotoChange>;

export const PhotoRow = z.object(
  titledAs(said, {
    id: int,
    title: z.string(),
    category_id: int,
    category_name: z.string().meta(field('相册')),
    /** Valid for minutes and for this viewer; `&thumb=1`, `&size=medium`, `&size=large`. */
    url: z.string().meta(field('照片')),
    width: int,
    height: int,
    size: int,
    placeholder: z.string(),
    shot_at: timestamp,
    taken_at: timestamp.nullable(),
    taken_by_camera: z.boolean(),
    camera: z.string().meta(field('相机')),
    photographer: z.string(),
    uploader: int,
    uploader_name: z.string().meta(field('上传人')),
    dept_name: z.string().meta(field('部门')),
    place: z.string(),
    faces: z.boolean(),
    consent: int,
    /** True if nobody on it objects to publication outside the house. */
    consented: z.boolean(),
    state: int.meta(coded('状态', photoState.names)),
    reason: z.string().meta(field('原因')),
    top: z.boolean(),
    com: z.boolean(),
    liked: z.boolean(),
    like_count: int.meta(field('点赞')),
    view_count: int.meta(field('浏览')),
    download_count: int.meta(field('下载')),
    burst_id: int.nullable(),
    alike_id: int.nullable(),
    deleted_at: timestamp.nullable(),
    gmt_created: timestamp,
    version: int,
    actions,
  }),
);
export type PhotoRow = z.output<typeof PhotoRow>;

const Neighbour = int.nullable();
export const PhotoDetail = PhotoRow.extend({
  ...titledAs(said, {
    description: z.string(),
    tags: z.array(z.string()),
    people: z.array(z.string()),
    consent_until: z.string().nullable(),
  }),
  score: int,
  prev: Neighbour,
  next: Neighbour,
  /** Another photo that looks the same, if the reader sees it too. */
  alike: PhotoRow.nullable(),
  /** My latest request for the original. */
  original: z.object({ id: int, state: int, left: int, expires_at: timestamp.nullable() }).nullable(),
});
export type PhotoDetail = z.output<typeof PhotoDetail>;

/** One line for each photo of a batch call, as if it had been called alone. */
export const Result = z.object({ id: int.optional(), ok: z.boolean(), code: int, msg: z.string() });
export type Result = z.output<typeof Result>;
export const results = z.object({ value: z.array(Result) });

export const filters = {
  category: id.optional().meta(field('相册')),
  dept: id.optional().meta(field('部门')),
  tag: line(20).optional().meta(field('标签')),
  people: line(20).optional().meta(field('人物')),
  year: z.coerce.number().int().min(leastYear).max(2100).optional().meta(field('年份')),
};

/** A call on one photo. */
export const act = <B extends z.ZodRawShape, A extends Access>(
  method: 'POST' | 'PUT',
  tail: string,
  access: A,
  summary: string,
  body: B,
) => call({ method, path: `${one}${tail}`, access, summary, params: idParams, body: z.object(body), reply: done });
