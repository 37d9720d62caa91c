import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { actions, day, id, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';

const int = z.number().int();
export const copyState = codeSet({
  unread: [0, '未读', 'error'],
  read: [1, '已读', 'success'],
  replied: [2, '已回复', 'processing'],
  recalled: [3, '已收回', 'default'],
});

/** One distribution in the view of a person. */
export const Dist = z.object({
  id: int,
  document_id: int,
  title: z.string().meta(field('标题')),
  doc_type_name: z.string(),
  doc_number: z.string().meta(field('发文字号')),
  level: int,
  level_name: z.string(),
  secret_level: int,
  secret_level_name: z.string(),
  note: z.string(),
  need_receipt: z.boolean(),
  sms: z.boolean(),
  deadline: timestamp.nullable().meta(field('阅读期限')),
  sender: z.string().meta(field('分发人')),
  sender_dept_name: z.string().meta(field('分发部门')),
  send_time: timestamp.meta(field('分发时间')),
  recalled_at: timestamp.nullable().meta(field('收回时间')),
  /** Reading progress; null for people who only received it. */
  total: int.nullable().meta(field('应读')),
  read: int.nullable().meta(field('已读')),
  replied: int.nullable().meta(field('已回复')),
  /** The state of my own copy, null if I have none. */
  my_state: int.nullable().meta(coded('我的状态', copyState.names)),
  my_state_name: z.string().meta(field('我的状态')),
  read_time: timestamp.nullable(),
  actions,
});
export type Dist = z.output<typeof Dist>;

/** A call of its own, because every window asks it for its badge; the other calls load with the pages. */
export const distributionList = call({
  method: 'GET',
  path: '/api/document/dist/',
  access: signedIn,
  summary: '公文分发列表',
  query: listQuery({
    sort: ['send_time', 'deadline'],
    filters: {
      /** `received` by me, `sent` by me, `all` that I manage; without it, all three. */
      scope: z.enum(['received', 'sent', 'all']).optional(),
      state: z.coerce.number().int().min(0).max(3).optional().meta({ title: '状态' }),
      document_id: id.optional(),
      start: day.optional().meta({ title: '分发时间从' }),
      end: day.optional().meta({ title: '分发时间到' }),
    },
  }),
  reply: listOf(Dist),
  exports: {
    page: 'document/dist',
    title: '公文分发',
    columns: sheetColumns(Dist.shape, [
      'title',
      'doc_number',
      'sender',
      'sender_dept_name',
      'send_time',
      'deadline',
      'total',
      'read',
      'replied',
      'my_state_name',
      'recalled_at',
    ]),
  },
});
