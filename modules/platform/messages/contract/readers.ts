import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { idParams, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';

/** How far one person is with a notice; each has read it as well who confirmed it. */
export const readerStates = { 1: '未读', 2: '已读', 3: '已确认' } as const;

const Reader = z.object({
  id: z.number().int(),
  alias: z.string(),
  dept_name: z.string(),
  state: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  state_name: z.string(),
  read_time: timestamp.nullable(),
  confirmed_at: timestamp.nullable(),
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
      columns: [
        { key: 'dept_name', title: '部门' },
        { key: 'alias', title: '姓名' },
        { key: 'state_name', title: '状态' },
        { key: 'read_time', title: '阅读时间' },
        { key: 'confirmed_at', title: '确认时间' },
      ],
    },
  }),
};
