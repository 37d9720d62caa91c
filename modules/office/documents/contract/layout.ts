import { z } from 'zod';
import { call, fileReply, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { idParams } from '#kernel/contract/shapes.ts';

export const nothingToPrint = refusal(codes.notNow, () => '公文还没有正文，填写正文后才能预览');

/** The corrected value of a field. */
export const FixValue = z.union([z.string(), z.array(z.json()), z.null()]);
export const Finding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  /** The place of the finding: 标题, 主送, 正文第 3 段. */
  place: z.string(),
  field: z.string(),
  msg: z.string(),
  /** The present text and the corrected one, if there is an automatic fix. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** True if the value in `fixes` corrects it. */
  mendable: z.boolean(),
});
export type Finding = z.output<typeof Finding>;

export const documentLayout = {
  check: call({
    method: 'GET',
    path: '/api/document/{id}/check/',
    access: signedIn,
    summary: '公文格式检查',
    params: idParams,
    reply: z.object({
      value: z.array(Finding),
      /** The corrected values by field, to be sent to the call that edits a document. */
      fixes: z.record(z.string(), FixValue),
      /** The version of the document that was checked. */
      version: z.int(),
      /** True if errors prevent sending. */
      blocks: z.boolean(),
    }),
    fresh: true,
  }),
  pdf: call({
    method: 'GET',
    path: '/api/document/{id}/pdf/',
    access: signedIn,
    summary: '公文版面预览',
    params: idParams,
    reply: fileReply,
    fresh: true,
  }),
  sheet: call({
    method: 'GET',
    path: '/api/document/{id}/sheet/',
    access: signedIn,
    summary: '公文处理单',
    params: idParams,
    reply: fileReply,
    fresh: true,
  }),
};
