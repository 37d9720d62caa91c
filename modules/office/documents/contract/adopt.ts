import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { day, flag, id, listOf, listQuery } from '#kernel/contract/shapes.ts';

export const notApproved = refusal(codes.notNow, (state: string) => `公文“${state}”，办理通过之后才能转为制度文件`);
export const adoptedBefore = refusal(codes.refused, (title: string | null) =>
  title === null ? '这份公文已转为制度文件，不用重复操作' : `已转为制度文件“${title}”，不用重复操作`,
);
const int = z.number().int();
/** A document that can be cited. */
export const AdoptRow = z.object({
  id: int,
  title: z.string(),
  doc_kind: int,
  doc_kind_name: z.string(),
  doc_type_name: z.string(),
  /** 发文字号, else the number of receipt. */
  number: z.string(),
  act_state: int,
  act_state_name: z.string(),
  written_date: day.nullable(),
});
export type AdoptRow = z.output<typeof AdoptRow>;

export const documentAdoption = {
  adoptable: call({
    method: 'GET',
    path: '/api/document/adopt/',
    access: signedIn,
    summary: '可引用的公文',
    query: listQuery({
      sort: ['gmt_created', 'written_date'],
      filters: {
        doc_kind: z.coerce.number().int().min(1).max(3).optional(),
        /** For an answer: also incoming letters that are still being handled. */
        reply: flag.optional(),
      },
    }),
    reply: listOf(AdoptRow),
  }),
  adopt: call({
    method: 'POST',
    path: '/api/document/adopt/',
    access: signedIn,
    summary: '公文转为制度文件草稿',
    body: z.object({
      document_id: id.meta({ title: '公文' }),
      target: z.literal('folder').default('folder').meta({ title: '转为' }),
    }),
    reply: z.object({ id: int, page: z.string() }),
    message: '已转为制度文件草稿',
  }),
};
