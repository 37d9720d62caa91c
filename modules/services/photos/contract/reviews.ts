import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { flag } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { batch } from './codes.ts';
import { act, ids, path, points, reason, results } from './shapes.ts';

/** The permission to pin and recommend; reviewing is open to all who reach the photo, by role or as manager of its album. */
const review = grant('chuli', 'photo/manage');

/** The reason stored for a photo taken down by a toggle alone. */
export const toggledBare = '未说明原因';

/** Decisions of the managers of photos. */
export const reviews = {
  review: call({
    method: 'PUT',
    path: `${path}review/`,
    access: signedIn,
    summary: '批量审核照片',
    body: z.object({
      ids: ids.max(batch, `一次最多 ${batch} 张`),
      /** `undo` restores the state before the last review. */
      act: z.enum(['approve', 'return', 'down', 'undo']),
      reason,
      score: points,
    }),
    reply: results,
    message: '审核完成',
  }),
  /** Without a state it toggles: a shown photo is taken down, any other is shown. */
  setState: act('PUT', 'state/', signedIn, '审核、上架、下架照片', {
    state: z.literal([1, 2, 3]).optional().meta(field('状态')),
    reason,
    score: points,
  }),
  top: act('PUT', 'top/', review, '置顶照片', { top: flag.optional().meta(field('置顶')) }),
  com: act('PUT', 'com/', review, '推荐照片', { com: flag.optional().meta(field('推荐')) }),
};
