import { z } from 'zod';
import { call, fileReply, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { idParams } from '#kernel/contract/shapes.ts';

export const nothingToPrint = refusal(codes.notNow, () => '公文还没有正文，填写正文后才能预览');

/** The value a field ought to have. */
export const FixValue = z.union([z.string(), z.array(z.json()), z.null()]);
export const Finding = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  /** 标题, 主送, 正文第 3 段: where it stands. */
  place: z.string(),
  field: z.string(),
  msg: z.string(),
  /** What is there now and what would stand there; only where a machine may mend it. */
  before: z.string().optional(),
  after: z.string().optional(),
  /** Whether what the answer's `fixes` say of the field mends it. */
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
      /** What a machine may mend, by field; sent to the call that edits a document. */
      fixes: z.record(z.string(), FixValue),
      /** Of the document that was looked at. */
      version: z.int(),
      /** Whether errors keep it from being submitted. */
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
