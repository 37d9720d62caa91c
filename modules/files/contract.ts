import { z } from 'zod';
import { call, fileReply, signedIn, signedInOrAddress } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { id, idParams } from '#kernel/contract/shapes.ts';
import { fileRefusals, imageRefusals } from '#kernel/contract/upload.ts';

export const maxUpload = 10 * 2 ** 20;

export const notAttachable = refusal(codes.refused, () => '所选文件已失效或不属于您，请重新上传');
export const notPreviewable = refusal(codes.refused, (name: string) => `“${name}”不能在线预览，请下载后查看`);
export const tooManyLoose = refusal(
  codes.tooMany,
  (max: number) => `已有 ${max} 个上传后未使用的文件，请先保存所填内容或稍后再上传`,
);
export const unknownOwner = refusal(codes.invalid, (module: string) => `不能为“${module}”上传文件`);

/** What a page keeps of a file; `url` is good for minutes and for the viewer only. */
export const FileCard = z.object({
  id: z.number().int(),
  name: z.string(),
  ext: z.string(),
  mime: z.string(),
  size: z.number().int(),
  url: z.string(),
});
export type FileCard = z.output<typeof FileCard>;

/** A signed address: `u` the user it was made for, `e` when it ends in epoch seconds, `s` the signature. */
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
    }),
    reply: FileCard.extend({ sha256: z.string() }),
    refuses: [...imageRefusals, ...fileRefusals, tooManyLoose, unknownOwner],
    message: '已上传',
    upload: maxUpload,
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
    query: signed,
    reply: fileReply,
    refuses: [notPreviewable],
  }),
};
