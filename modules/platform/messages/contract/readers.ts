import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { idParams, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';

/** A recipient's state for a notice; confirming includes reading. */
export const readerStates = { 1: '未读', 2: '已读', 3: '已确认' } as const;

const Reader = z.object({
  id: z.number().int(),
  alias: z.string().meta(field('姓名')),
  dept_name: z.string().meta(field('部门')),
  state: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  state_name: z.string().meta(field('状态')),
  read_time: timestamp.nullable().meta(field('阅读时间')),
  confirmed_at: timestamp.nullable().meta(field('确认时间')),
});
export type Reader = z.output<typeof Reader>;

export const readerCalls = {
  readers: call({
    method: 'GET',
    path: '/api/msg/{id}/readers/',
    access: signedIn,
    summary: '通知的接收人',
    params: idParams,
    query: listQuery({
      sort: ['read_time', 'confirmed_at'],
      filters: { state: z.coerce.number().int().min(1).max(3).optional() },
    }),
    reply: listOf(Reader),
    exports: {
      page: 'msg/send',
      title: '通知阅读情况',
      columns: sheetColumns(Reader.shape, ['dept_name', 'alias', 'state_name', 'read_time', 'confirmed_at']),
    },
  }),
};
