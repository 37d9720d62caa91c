import { z } from 'zod';
import { call, grant, grantOverAll } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, day, done, flag, idParams, line, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';

/** Channels out of the organisation. */
export const channels = {
  sms: '短信',
  mail: '邮件',
  push: '推送',
  hook: '网络回调',
  wecom: '企业微信',
  dingtalk: '钉钉',
  feishu: '飞书',
  wecom_app: '企业微信应用',
  ding_app: '钉钉应用',
  feishu_app: '飞书应用',
} as const;
export type Channel = keyof typeof channels;
export const channelNames = Object.keys(channels) as [Channel, ...Channel[]];

export const deliveryStates = {
  waiting: '待投递',
  sent: '已送达',
  retrying: '重试中',
  given_up: '已放弃',
  cancelled: '已取消',
} as const;
export type DeliveryState = keyof typeof deliveryStates;
export const stateNames = Object.keys(deliveryStates) as [DeliveryState, ...DeliveryState[]];

/** Minutes after its due time from which an unsent delivery counts as stuck. */
export const stuckMinutes = 10;

export const notResendable = refusal(codes.refused, (title: string) => `“${title}”正在等待投递，无需重发`);

export const resentElsewhere = refusal(codes.refused, (title: string) => `“${title}”是短信，请在“短信日志”中重发`);

export const notQuiet = refusal(codes.notNow, () => '本系统可以向外发送，无需再次允许');
export const superOnly = refusal(codes.forbidden, () => '只有超级管理员可以发送测试');
export const notTarget = refusal(
  codes.refused,
  (target: string, what: string) => `“${target}”不是${what}，请检查后重新填写`,
);

const DeliveryTry = z.object({
  number: z.number().int(),
  /** It was sent to the provider before, with the same key. */
  repeated: z.boolean(),
  started_at: timestamp,
  /** Null while it runs, or forever if the server stopped before the reply came. */
  ended_at: timestamp.nullable(),
  done: z.boolean().nullable(),
  answer: z.string(),
});

export const DeliveryRow = z.object({
  id: z.number().int(),
  channel: z.enum(channelNames).meta(coded('渠道', channels)),
  /** Numbers, addresses and keys in it are masked. */
  target: z.string().meta(field('去向')),
  title: z.string().meta(field('标题')),
  key: z.string().meta(field('编号')),
  module: z.string(),
  object_id: z.number().int().nullable(),
  user_name: z.string().nullable().meta(field('接收人')),
  state: z.enum(stateNames).meta(coded('状态', deliveryStates)),
  /** True if it should have been sent at least `stuckMinutes` ago. */
  stuck: z.boolean(),
  tries: z.number().int().meta(field('次数')),
  due_at: timestamp.meta(field('应投时间')),
  sent_at: timestamp.nullable().meta(field('送达时间')),
  provider_id: z.string().nullable().meta(field('对方编号')),
  answer: z.string().meta(field('对方回答')),
  log: z.array(DeliveryTry),
  gmt_created: timestamp.meta(field('时间')),
  actions,
});
export type DeliveryRow = z.output<typeof DeliveryRow>;

export const deliveries = {
  list: call({
    method: 'GET',
    path: '/api/msg/delivery/',
    access: grant('Retrieve', 'system/delivery'),
    summary: '查看投递日志',
    query: listQuery({
      sort: ['id', 'due_at'],
      filters: {
        channel: z.enum(channelNames).optional().meta({ title: '渠道' }),
        state: z.enum(stateNames).optional().meta({ title: '状态' }),
        stuck: flag.optional().meta({ title: '滞留' }),
        created_from: day.optional().meta({ title: '开始日期' }),
        created_to: day.optional().meta({ title: '结束日期' }),
      },
    }),
    reply: listOf(DeliveryRow),
    exports: {
      page: 'system/delivery',
      title: '投递日志',
      columns: sheetColumns(DeliveryRow.shape, [
        'gmt_created',
        'channel',
        'target',
        'user_name',
        'title',
        'state',
        'tries',
        'sent_at',
        'answer',
        'key',
      ]),
    },
  }),
  test: call({
    method: 'POST',
    path: '/api/msg/delivery/test/',
    access: grant('Update', 'system/interface'),
    summary: '发送测试短信或邮件',
    body: z.object({
      channel: z.enum(['sms', 'mail']).meta({ title: '渠道' }),
      target: line(100).min(1, '请填写手机号或邮箱地址').meta({ title: '收件人' }),
    }),
    reply: done,
    message: '已提交，结果请在“投递日志”中查看',
  }),
  letOut: call({
    method: 'POST',
    path: '/api/msg/delivery/let_out/',
    access: grantOverAll('chuli', 'system/delivery'),
    summary: '允许恢复的副本向外发送',
    reply: done,
    message: '已允许向外发送，此前没有发出的不再补发',
  }),
  resend: call({
    method: 'POST',
    path: '/api/msg/delivery/{id}/resend/',
    access: grant('chuli', 'system/delivery'),
    summary: '重新投递',
    params: idParams,
    reply: done,
    message: '已重新投递',
  }),
};
