import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { id, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { field, coded } from '#kernel/contract/titles.ts';
import { numberState } from './codes.ts';

/** The number book of contracts: given, void and missing numbers. */
export const contractNumbers = {
  numberBook: call({
    method: 'GET',
    path: '/api/contract/number_book/',
    access: grant('Retrieve', 'contract/category'),
    summary: '查看合同编号簿',
    query: listQuery({
      sort: ['seq', 'gmt_created'],
      filters: {
        category_id: id.optional(),
        year: z.coerce.number().int().min(2000).max(2100).optional().meta({ title: '年份' }),
        state: z.coerce.number().int().min(1).max(3).optional().meta({ title: '状态' }),
      },
    }),
    reply: listOf(
      z.object({
        id: z.number().int(),
        contract_no: z.string().meta(field('合同编号')),
        category_name: z.string().meta(field('类别')),
        year: z.number().int(),
        seq: z.number().int(),
        state: z.number().int().meta(coded('状态', numberState.names)),
        reason: z.string().meta(field('作废原因')),
        voided_at: timestamp.nullable(),
        gmt_created: timestamp.meta(field('编号时间')),
        /** Empty if I do not see the contract. */
        contract_name: z.string().meta(field('合同')),
        contract_id: z.number().int().nullable(),
      }),
    ).extend({
      /** The missing numbers of a category and year: below the last one, neither given nor imported. */
      gaps: z.array(z.number().int()),
    }),
  }),
};
