import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import {
  actions,
  done,
  flag,
  id,
  idParams,
  listOf,
  listQuery,
  localMoment,
  name,
  text,
  timestamp,
} from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { Audience } from '#modules/platform/people/contract/audience.ts';
import { Receipts } from '#modules/platform/people/contract/receipts.ts';

const int = z.number().int();
const notice = '/api/document/notice/{id}/';

export const Notice = z.object({
  id: int,
  title: z.string().meta(field('标题')),
  /** Its audience in words. */
  scope_name: z.string().meta(field('接收人')),
  top: z.boolean(),
  need_receipt: z.boolean(),
  creator: z.string().meta(field('发布人')),
  dept_name: z.string(),
  publish_at: timestamp.meta(field('发布时间')),
  expire_at: timestamp.nullable(),
  /** `coming` and `expired` ones are shown only to those who manage them. */
  state: z.enum(['coming', 'current', 'expired']).meta(field('状态')),
  state_name: z.string(),
  /** The time at which I read it. */
  read_time: timestamp.nullable(),
  /** True if it is for me and I have not read it. */
  unread: z.boolean(),
  /** The number of people notified and of those who have read it; null for viewers who do not manage it. */
  total: int.nullable(),
  read: int.nullable().meta(field('已读')),
  gmt_created: timestamp,
  actions,
});
export type Notice = z.output<typeof Notice>;

export const NoticeDetail = Notice.extend({
  content: z.string(),
  /** The document it refers to, for viewers who may see that. */
  document: z.object({ id: int, title: z.string(), doc_number: z.string() }).nullable(),
  /** Reading progress of its audience; null for viewers who do not manage it, and before publication. */
  receipts: Receipts.nullable(),
});
export type NoticeDetail = z.output<typeof NoticeDetail>;

export const documentNotices = {
  list: call({
    method: 'GET',
    path: '/api/document/notice/',
    access: signedIn,
    summary: '公文通知列表',
    query: listQuery({
      sort: ['publish_at', 'expire_at'],
      filters: {
        state: z.enum(['coming', 'current', 'expired']).optional(),
        unread: flag.optional().meta({ title: '阅读' }),
        /** Only notices that wait for my confirmation. */
        to_confirm: flag.optional().meta({ title: '待我确认' }),
      },
    }),
    reply: listOf(Notice),
  }),
  reach: call({
    method: 'POST',
    path: '/api/document/notice/reach/',
    access: grant('Create', 'document/notice'),
    summary: '统计公文通知接收人',
    quiet: true,
    body: z.object({ recipients: Audience }),
    reply: z.object({ total: z.number().int() }),
  }),
  publish: call({
    method: 'POST',
    path: '/api/document/notice/',
    access: grant('Create', 'document/notice'),
    summary: '发布公文通知',
    body: z.object({
      title: name(100).meta({ title: '标题' }),
      content: text(10_000).min(1, unfilled).meta({ title: '内容' }),
      document_id: id.nullable().optional().meta({ title: '公文' }),
      recipients: Audience.meta({ title: '接收人' }),
      top: flag.default(false).meta({ title: '置顶' }),
      publish_at: localMoment.nullable().optional().meta({ title: '发布时间' }),
      expire_at: localMoment.nullable().optional().meta({ title: '失效时间' }),
      need_receipt: flag.default(false).meta({ title: '需要确认' }),
    }),
    reply: z.object({ id }),
    message: '通知已发布',
  }),
  /** Opening counts as reading, unless a receipt is required. */
  get: call({
    method: 'GET',
    path: notice,
    access: signedIn,
    summary: '查看公文通知',
    params: idParams,
    reply: z.object({ value: NoticeDetail }),
    fresh: true,
    notesReading: true,
  }),
  remove: call({
    method: 'DELETE',
    path: notice,
    access: grant('Delete', 'document/notice'),
    summary: '删除公文通知',
    params: idParams,
    reply: done,
    message: '通知已删除',
  }),
  read: call({
    method: 'PUT',
    path: `${notice}read/`,
    access: signedIn,
    summary: '公文通知已读',
    params: idParams,
    reply: z.object({ read_time: timestamp }),
    message: '已确认',
    quiet: true,
  }),
  urge: call({
    method: 'POST',
    path: `${notice}urge/`,
    access: signedIn,
    summary: '催读公文通知',
    params: idParams,
    reply: z.object({ sent: z.number().int() }),
    message: '已提醒未读人员',
  }),
};
