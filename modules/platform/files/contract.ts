import { z } from 'zod';
import { call, fileReply, signedIn, signedInOrAddress } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, flag, id, idParams } from '#kernel/contract/shapes.ts';

/** The most parallel uploads of one person on one node. */
export const comingAtOnce = 8;
/** The most the site setting may allow; the setting itself is read during an upload. */
export const maxUpload = 200 * 2 ** 20;
export const maxPortion = 16 * 2 ** 20;

export const notAttachable = refusal(codes.refused, () => '所选文件已失效或不属于您，请重新上传');
export const stillUsed = refusal(
  codes.refused,
  (name: string) => `“${name}”已经由一条记录使用，请在使用它的记录里移除`,
);
export const notPreviewable = refusal(codes.refused, (name: string) => `“${name}”不能在线预览，请下载后查看`);
export const tooLongToPreview = refusal(
  codes.refused,
  (name: string) => `“${name}”内容过长，不能在线预览，请下载后查看`,
);
export const notConverted = refusal(codes.refused, (name: string) => `“${name}”无法转换成预览，请下载后查看`);
export const notMarked = refusal(
  codes.refused,
  (name: string, why: string) => `“${name}”不能提供：${why}，请联系上传人或管理员`,
);
export const tooManyLoose = refusal(
  codes.tooMany,
  (max: number) => `已有 ${max} 个上传后未使用的文件，请先保存所填内容或稍后再上传`,
);
export const tooMuchLoose = refusal(
  codes.tooMany,
  () => '上传后未使用的文件占用空间过多，请先保存所填内容或稍后再上传',
);
export const ownQuotaFull = refusal(
  codes.refused,
  (used: string, most: string, size: string) =>
    `个人文件空间不够：已用 ${used}，上限 ${most}，这个文件 ${size}；请删除不再需要的文件，或联系管理员调整上限`,
);
export const siteQuotaFull = refusal(
  codes.refused,
  (used: string, most: string, size: string) =>
    `全站文件空间不够：已用 ${used}，上限 ${most}，这个文件 ${size}；请联系管理员`,
);
export const tooManyComing = refusal(
  codes.notNow,
  (max: number) => `同时上传的文件最多 ${max} 个，请等其他文件传完再试`,
);
export const unknownOwner = refusal(codes.invalid, (module: string) => `不能为“${module}”上传文件`);
export const uploadBroken = refusal(codes.refused, () => '上传中断，请重试');
export const storeDown = refusal(codes.notNow, (name: string) => `“${name}”暂时无法保存，请稍后重试或联系管理员`);
export const storeAway = refusal(codes.notNow, (name: string) => `“${name}”暂时无法打开，请稍后重试或联系管理员`);
export const contentLost = refusal(
  codes.absent,
  (name: string) => `“${name}”的内容已不在服务器的存储中，请联系管理员从备份恢复`,
);
export const infected = refusal(codes.refused, (name: string) => `“${name}”含有病毒，已拒绝接收`);
export const notScanned = refusal(codes.notNow, (name: string) => `“${name}”暂时无法做病毒检查，请稍后重试`);
export const tooLongToScan = refusal(
  codes.refused,
  (name: string) => `“${name}”超过病毒检查的大小上限，没有接收，请缩小后再上传，或请管理员调大上限`,
);
export const elsewhere = refusal(
  codes.conflict,
  (offset: number) => `上传进度已变为 ${offset} 字节，请从该处继续`,
  (offset) => ({ offset }),
);
export const tooManyPortions = refusal(codes.refused, (most: number) => `上传已分成 ${most} 段，请重新上传`);
export const beyondSize = refusal(codes.refused, () => '发送的内容超出所报的文件大小，请重新上传');

/** A file as pages need it; `url` and `thumb_url` are valid for minutes and for the viewer only. */
export const FileCard = z.object({
  id: z.number().int(),
  name: z.string(),
  ext: z.string(),
  mime: z.string(),
  size: z.number().int(),
  url: z.string(),
  /** A thumbnail; null if it is no picture. */
  thumb_url: z.string().nullable(),
});
export type FileCard = z.output<typeof FileCard>;

export const Uploaded = FileCard.extend({ sha256: z.string() });
/** The progress of an upload in portions; `file` once it is complete. */
export const Progress = z.object({
  upload_id: z.number().int(),
  offset: z.number().int(),
  size: z.number().int(),
  file: Uploaded.nullable(),
});
export type Progress = z.output<typeof Progress>;

/** A signed address: `u` its user, `e` its end in epoch seconds, `s` the signature. */
const signed = z.object({
  u: id.optional(),
  e: z.coerce.number().int().positive().max(99_999_999_999).optional(),
  s: z.string().max(100).optional(),
});

export const files = {
  upload: call({
    method: 'POST',
    path: '/api/file/upload/',
    access: signedIn,
    summary: '上传文件',
    body: z.object({
      module: z
        .string()
        .regex(/^[a-z_]{1,30}$/, '不是可上传的位置')
        .meta({ title: '用途' }),
      /** The total size, which begins an upload in portions; the file sent with it is then empty, and only its name counts. */
      size: z.coerce.number().int().min(1).max(2_147_483_647).optional().meta({ title: '大小' }),
    }),
    reply: z.union([Uploaded, Progress]),
    message: '已上传',
    upload: maxUpload,
    stream: 'file',
  }),
  usage: call({
    method: 'GET',
    path: '/api/file/usage/',
    access: signedIn,
    summary: '查看文件空间',
    reply: z.object({
      /** In bytes; `most` null without a limit. */
      own: z.object({ used: z.number().int(), most: z.number().int().nullable() }),
      /** For people who see the site's settings; null for others. */
      site: z.object({ used: z.number().int(), most: z.number().int().nullable() }).nullable(),
    }),
    fresh: true,
  }),
  progress: call({
    method: 'GET',
    path: '/api/file/upload/{id}/',
    access: signedIn,
    summary: '查看上传进度',
    params: idParams,
    reply: Progress,
    fresh: true,
  }),
  append: call({
    method: 'PATCH',
    path: '/api/file/upload/{id}/',
    access: signedIn,
    summary: '续传文件',
    params: idParams,
    /** The position of the bytes: the number received so far. */
    query: z.object({ offset: z.coerce.number().int().min(0).max(2_147_483_647) }),
    reply: Progress,
    upload: maxPortion,
    stream: 'body',
    quiet: true,
  }),
  cancel: call({
    method: 'DELETE',
    path: '/api/file/upload/{id}/',
    access: signedIn,
    summary: '取消上传',
    params: idParams,
    reply: done,
    message: '已取消上传',
  }),
  /** For a file that belongs to no record; those of records are deleted with them. */
  discard: call({
    method: 'DELETE',
    path: '/api/file/{id}/',
    access: signedIn,
    summary: '移除上传的文件',
    params: idParams,
    reply: done,
    message: '已移除',
  }),
  download: call({
    method: 'GET',
    path: '/api/file/{id}/',
    access: signedInOrAddress,
    summary: '下载文件',
    params: idParams,
    query: signed,
    reply: fileReply,
  }),
  preview: call({
    method: 'GET',
    path: '/api/file/{id}/preview/',
    access: signedInOrAddress,
    summary: '预览文件',
    params: idParams,
    query: signed.extend({ thumb: flag.optional(), size: z.enum(['medium', 'large']).optional() }),
    reply: fileReply,
  }),
};
