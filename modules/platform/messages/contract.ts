import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import {
  codesOf,
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
import { field, coded } from '#kernel/contract/titles.ts';
import { Audience } from '#modules/platform/people/contract/audience.ts';
import { newsType } from './contract/kinds.ts';
import { preferenceCalls } from './contract/preference.ts';
import { pushCalls } from './contract/push.ts';
import { readerCalls } from './contract/readers.ts';

export { newsType } from './contract/kinds.ts';

/** Types of which a person gets at most one text message a day; all messages are in their box. */
export const oneTextADay: readonly number[] = [newsType.supervision];
export const newsLevel = codeSet({
  usual: [0, '普通', 'default'],
  important: [1, '重要', 'warning'],
  urgent: [2, '紧急', 'error'],
});
/** A person's reading state of a message. */
export const readState = codeSet({ unread: [1, '未读'], read: [2, '已读'] });
/** Sending to more people than this requires the right to send to everybody. */
export const broadcastFrom = 200;

export const nobodyChosen = refusal(codes.refused, () => '没有可以接收的人，请选择接收人、部门、角色或全体人员');
export const tooWide = refusal(
  codes.refused,
  (count: number, max: number) => `接收人有 ${count} 人，超过您可发送的 ${max} 人，请缩小范围或联系管理员`,
);
export const timePast = refusal(
  codes.refused,
  (at: string) => `发布时间 ${at.slice(0, 16)} 已经过去，请改为以后的时间，或者留空立即发布`,
);
/** More text messages than this need a second person's approval, on the page for text messages. */
export const mostTexted = 200;
export const tooManyTexts = refusal(
  codes.refused,
  (count: number) =>
    `接收人有 ${count} 人，短信提醒最多 ${mostTexted} 人，请取消短信提醒，或者到“发送短信”中发送并由第二人复核`,
);
export const notYourMessage = refusal(
  codes.forbidden,
  () => '只有发送人或超级管理员可以撤回通知，系统发出的消息不能撤回',
);
export const recalledBefore = refusal(codes.refused, (at: string) => `该消息已于 ${at} 撤回，无需重复操作`);

const Type: z.ZodType<number, number> = codesOf(newsType.names);
const Message = z.object({
  id: z.number().int(),
  msg_id: z.number().int(),
  title: z.string().meta(field('标题')),
  type: Type.meta(coded('类型', newsType.names)),
  level: z.number().int().meta(coded('级别', newsLevel.names)),
  sender_name: z.string().meta(field('发送人')),
  read_state: codesOf(readState.names),
  read_time: timestamp.nullable(),
  need_receipt: z.boolean().meta(field('回执')),
  confirmed_at: timestamp.nullable(),
  web_path: z.string(),
  gmt_created: timestamp.meta(field('时间')),
});
const MessageText = Message.extend({ content: z.string() });
export type Message = z.output<typeof Message>;

/** The state of a notice. */
export const noticeStates = { ahead: '待发布', published: '已发布', recalled: '已撤回' } as const;
const Sent = z.object({
  id: z.number().int(),
  title: z.string().meta(field('标题')),
  content: z.string(),
  type: Type,
  level: z.number().int().meta(coded('级别', newsLevel.names)),
  sender_name: z.string().meta(field('发布人')),
  need_receipt: z.boolean(),
  publish_at: timestamp.meta(field('发布时间')),
  recall_at: timestamp.nullable(),
  state: z.enum(Object.keys(noticeStates) as (keyof typeof noticeStates)[]).meta(coded('状态', noticeStates)),
  total: z.number().int(),
  read: z.number().int().meta(field('已读')),
  confirmed: z.number().int().meta(field('已确认')),
  /** Names of those who have not read it yet, the first fifty. */
  unread_names: z.array(z.string()).meta(field('未读人员')),
  actions,
});
export type Sent = z.output<typeof Sent>;

/** Address of the web socket, with a ticket in the query. */
export const socketPath = '/api/msg/socket/';
/** Seconds for which a socket ticket is valid. */
export const ticketSeconds = 60;
export const noSession = refusal(codes.forbidden, () => '应用令牌不能建立实时连接，请改用定时查询');

/** `notice`: only the message with this `msg_id`. */
const own = { type: z.coerce.number().pipe(Type).optional(), notice: id.optional() };
const ownList = { sort: ['gmt_created'], filters: own } as const;

export const messages = {
  unread: call({
    method: 'GET',
    path: '/api/msg/user/unread/',
    access: signedIn,
    summary: '未读消息',
    query: listQuery(ownList),
    reply: listOf(Message),
    fresh: true,
  }),
  read: call({
    method: 'GET',
    path: '/api/msg/user/read/',
    access: signedIn,
    summary: '已读消息',
    /** `all`: includes the unread ones. */
    query: listQuery({ ...ownList, filters: { ...own, all: flag.optional() } }),
    reply: listOf(Message),
    fresh: true,
  }),
  unreadCount: call({
    method: 'GET',
    path: '/api/msg/user/unread_count/',
    access: signedIn,
    summary: '未读消息数',
    reply: z.object({ count: z.number().int(), by_type: z.record(z.string(), z.number().int()) }),
    fresh: true,
  }),
  count: call({
    method: 'GET',
    path: '/api/msg/count/',
    access: signedIn,
    summary: '消息总数',
    reply: z.object({ total: z.number().int(), unread: z.number().int(), today: z.number().int() }),
    fresh: true,
  }),
  get: call({
    method: 'GET',
    path: '/api/msg/user/{id}/',
    access: signedIn,
    summary: '查看消息',
    params: idParams,
    reply: MessageText,
    writes: true,
    quiet: true,
  }),
  setRead: call({
    method: 'PUT',
    path: '/api/msg/user/{id}/',
    access: signedIn,
    summary: '标记消息',
    params: idParams,
    body: z
      .object({ read_state: codesOf(readState.names).optional(), confirmed: z.literal(true).optional() })
      .refine((marks) => marks.read_state !== undefined || marks.confirmed, {
        path: ['read_state'],
        message: '请说明标为已读、标为未读还是确认收到',
      }),
    reply: done,
    message: '已标记',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/msg/user/{id}/',
    access: signedIn,
    summary: '删除消息',
    params: idParams,
    reply: done,
    message: '消息已删除',
  }),
  readAll: call({
    method: 'PUT',
    path: '/api/msg/user/set_all_read/',
    access: signedIn,
    summary: '全部标为已读',
    body: z.object({ type: Type.optional(), ids: z.array(id).max(1000).optional() }),
    reply: z.object({ count: z.number().int() }),
    says: ({ count }: { count: number }) => (count === 0 ? '没有未读的消息需要标记' : `已将 ${count} 条消息标为已读`),
  }),
  removeSeveral: call({
    method: 'PUT',
    path: '/api/msg/user/delete/',
    access: signedIn,
    summary: '批量删除消息',
    body: z.object({ ids: z.array(id).min(1, '请先选择消息').max(1000, '一次最多删除 1000 条') }),
    reply: z.object({ count: z.number().int() }),
    says: ({ count }: { count: number }) =>
      count === 0 ? '所选消息不在您的收件箱里，没有删除' : `已删除 ${count} 条消息`,
  }),
  send: call({
    method: 'POST',
    path: '/api/msg/',
    access: grant('Create', 'msg/send'),
    summary: '发布通知',
    body: z.object({
      title: name(100).meta({ title: '标题' }),
      content: text(10_000).min(1, unfilled).meta({ title: '内容' }),
      level: z.number().int().min(0).max(2).default(0).meta({ title: '级别' }),
      recipients: Audience.meta({ title: '接收人' }),
      need_receipt: flag.default(false).meta({ title: '需要回执' }),
      sms: flag.default(false).meta({ title: '短信提醒' }),
      publish_at: localMoment.nullable().optional().meta({ title: '发布时间' }),
    }),
    /** `publish_at`: null if it is published already. */
    reply: z.object({ id, total: z.number().int(), publish_at: timestamp.nullable() }),
    message: '通知已保存',
  }),
  reach: call({
    method: 'POST',
    path: '/api/msg/reach/',
    access: grant('Create', 'msg/send'),
    summary: '统计通知接收人',
    quiet: true,
    body: z.object({ recipients: Audience }),
    reply: z.object({ total: z.number().int() }),
  }),
  sent: call({
    method: 'GET',
    path: '/api/msg/',
    access: grant('Retrieve', 'msg/send'),
    summary: '已发布的通知',
    query: listQuery({ sort: ['publish_at'] }),
    reply: listOf(Sent),
  }),
  ticket: call({
    method: 'POST',
    path: '/api/msg/ticket/',
    access: signedIn,
    summary: '实时连接凭证',
    reply: z.object({ ticket: z.string().describe('一次有效'), expires_in: z.number().int() }),
    shownOnce: true,
    quiet: true,
  }),
  ...preferenceCalls,
  ...pushCalls,
  ...readerCalls,
  recall: call({
    method: 'PUT',
    path: '/api/msg/{id}/recall/',
    access: signedIn,
    summary: '撤回消息',
    params: idParams,
    reply: done,
    message: '消息已撤回，接收人不再看到',
  }),
};
