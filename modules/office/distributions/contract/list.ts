import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { actions, day, id, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';

const int = z.number().int();
export const copyState = codeSet({
  unread: [0, '未读', 'error'],
  read: [1, '已读', 'success'],
  replied: [2, '已回复', 'processing'],
  recalled: [3, '已收回', 'default'],
});

/** One distribution as a person sees it. */
export const Dist = z.object({
  id: int,
  document_id: int,
  title: z.string(),
  doc_type_name: z.string(),
  doc_number: z.string(),
  level: int,
  level_name: z.string(),
  secret_level: int,
  secret_level_name: z.string(),
  note: z.string(),
  need_receipt: z.boolean(),
  sms: z.boolean(),
  deadline: timestamp.nullable(),
  sender: z.string(),
  sender_dept_name: z.string(),
  send_time: timestamp,
  recalled_at: timestamp.nullable(),
  /** How far it was read; null for whoever only received it. */
  total: int.nullable(),
  read: int.nullable(),
  replied: int.nullable(),
  /** My own copy; null where I have none. */
  my_state: int.nullable(),
  my_state_name: z.string(),
  read_time: timestamp.nullable(),
  actions,
});
export type Dist = z.output<typeof Dist>;

/** Stands by itself: every window asks it for its badge, the rest comes with the pages. */
export const distributionList = call({
  method: 'GET',
  path: '/api/document/dist/',
  access: signedIn,
  summary: '公文分发列表',
  query: listQuery({
    sort: ['send_time', 'deadline'],
    filters: {
      /** `received` by me, `sent` by me, `all` I may look after; without it all of these. */
      scope: z.enum(['received', 'sent', 'all']).optional(),
      state: z.coerce.number().int().min(0).max(3).optional(),
      document_id: id.optional(),
      start: day.optional(),
      end: day.optional(),
    },
  }),
  reply: listOf(Dist),
  exports: {
    page: 'document/dist',
    title: '公文分发',
    columns: [
      { key: 'title', title: '标题' },
      { key: 'doc_number', title: '发文字号' },
      { key: 'sender', title: '分发人' },
      { key: 'sender_dept_name', title: '分发部门' },
      { key: 'send_time', title: '分发时间' },
      { key: 'deadline', title: '阅读期限' },
      { key: 'total', title: '应读' },
      { key: 'read', title: '已读' },
      { key: 'replied', title: '已回复' },
      { key: 'my_state_name', title: '我的状态' },
      { key: 'recalled_at', title: '收回时间' },
    ],
  },
});
