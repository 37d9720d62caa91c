import { z } from 'zod';
import { call, grantOverAll, type ReplyOf } from '#kernel/contract/call.ts';
import { flag, id, line, name } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { treeCalls } from '#kernel/contract/tree.ts';
import { Audience, AudienceShown } from '#modules/platform/people/contract/audience.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';

export const maxLevels = 4;

const tree = treeCalls({
  prefix: '/api/photo/category/',
  page: 'photo/category',
  noun: '相册',
  input: {
    name: name(30).meta(field('相册名称')),
    description: line(200).optional().meta(field('说明')),
    status: flag.optional().meta(field('启用', { short: '状态', help: '停用后不能再上传' })),
    audience: Audience.optional().meta(field('谁可以看', { help: '看不到的人也看不到下级相册' })),
    uploaders: Audience.optional().meta(field('谁可以上传')),
    managers: z
      .array(z.string().max(50))
      .max(20, '最多 20 人')
      .optional()
      .meta(field('相册管理员', { short: '管理员' })),
    review: flag.optional().meta(field('上传后须审核', { short: '审核' })),
    watermark: flag.optional().meta(field('下载加水印', { help: '下载的照片带下载人的姓名' })),
    points: z.coerce.number().int().min(0).max(20).optional().meta(field('采用得分')),
    cover: id
      .nullable()
      .optional()
      .meta(field('封面照片编号', { help: '不填则用最新的一张' })),
  },
  row: {
    description: z.string(),
    status: z.boolean(),
    review: z.boolean(),
    watermark: z.boolean(),
    points: z.number().int(),
    cover: z.number().int().nullable(),
    cover_url: z.string().nullable(),
    /** The number of shown photos that I see, in the album and its descendants. */
    count: z.number().int().meta(field('照片')),
    may_upload: z.boolean(),
    audience: AudienceShown,
    uploaders: AudienceShown,
    managers: z.array(z.string()),
    managers_info: z.array(PersonCard),
  },
});

/** The tree of albums. */
export const albums = {
  ...tree,
  patch: call({ ...tree.change, method: 'PATCH', access: grantOverAll('Update', 'photo/category') }),
};
export type AlbumNode = ReplyOf<typeof albums.list>[number];
