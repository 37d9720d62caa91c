import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import {
  actions,
  day,
  done,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  phone,
  timestamp,
} from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';
import { smsModule, smsState, smsType } from './labels.ts';

const page = 'sms/logs';
const someDay = day.optional();

const Log = z.object({
  id: z.number().int(),
  batch_id: z.number().int(),
  gmt_created: timestamp.meta(field('时间')),
  name: z.string().meta(field('接收人')),
  mobile: z.string().meta(field('手机')),
  content: z.string().meta(field('内容')),
  type: z.number().int().meta(coded('类型', smsType.names)),
  segments: z.number().int().meta(field('条数')),
  module: z.string().meta(field('模块')),
  object_id: z.number().int().nullable(),
  template_name: z.string().meta(field('模板')),
  sender_name: z.string().meta(field('发送人')),
  dept_name: z.string().meta(field('部门')),
  state: z.number().int().meta(coded('状态', smsState.names)),
  provider_code: z.string(),
  provider_msg: z.string().meta(field('服务商答复')),
  receipt_time: timestamp.nullable().meta(field('回执')),
  retry: z.number().int().meta(field('重试')),
  actions,
});
export type Log = z.output<typeof Log>;

export const OptOut = z.object({
  id: z.number().int(),
  mobile: z.string().meta(field('手机')),
  reason: z.string().meta(field('说明')),
  /** False if the number can no longer be recognised, because the secret was lost. */
  holds: z.boolean(),
  gmt_created: timestamp,
});
export type OptOut = z.output<typeof OptOut>;

export const logs = {
  logs: call({
    method: 'GET',
    path: '/api/sms/logs/',
    access: grant('Retrieve', page),
    summary: '短信日志',
    query: listQuery({
      sort: ['gmt_created'],
      filters: {
        state: z.coerce.number().int().min(0).max(5).optional(),
        /** The last four digits. */
        mobile: z
          .string()
          .regex(/^\d{4}$/, '请填写手机号后四位')
          .optional()
          .meta({ title: '手机后四位' }),
        module: line(32).optional(),
        sender: id.optional().meta({ title: '发送人' }),
        batch: id.optional(),
        start: someDay.meta({ title: '开始日期' }),
        end: someDay.meta({ title: '结束日期' }),
      },
    }),
    reply: listOf(Log),
    exports: {
      page,
      title: '短信日志',
      columns: sheetColumns(Log.shape, [
        'gmt_created',
        'name',
        'mobile',
        'content',
        'segments',
        { key: 'module', show: smsModule },
        'sender_name',
        'dept_name',
        'state',
        'receipt_time',
        'provider_msg',
      ]),
    },
  }),
  senders: call({
    method: 'GET',
    path: '/api/sms/logs/senders/',
    access: grant('Retrieve', page),
    summary: '短信发送人',
    reply: z.array(z.object({ id: z.number().int(), name: z.string() })),
  }),
  resend: call({
    method: 'POST',
    path: '/api/sms/logs/{id}/resend/',
    access: grant('chuli', page),
    summary: '重发短信',
    params: idParams,
    reply: done,
    message: '已重新提交发送',
  }),
  optOuts: call({
    method: 'GET',
    path: '/api/sms/optout/',
    access: grant('Retrieve', page),
    summary: '退订名单',
    query: listQuery({
      sort: ['gmt_created'],
      filters: {
        mobile: z
          .string()
          .regex(/^\d{4}$/, '请填写手机号后四位')
          .optional(),
      },
    }),
    reply: listOf(OptOut),
  }),
  optOut: call({
    method: 'POST',
    path: '/api/sms/optout/',
    access: grant('chuli', page),
    summary: '加入退订名单',
    body: z.object({
      mobile: phone.meta({ title: '手机号' }),
      reason: line(100).default('').meta({ title: '说明' }),
    }),
    reply: done,
    message: '已加入退订名单，不再向该号码发送',
  }),
  optIn: call({
    method: 'DELETE',
    path: '/api/sms/optout/{id}/',
    access: grant('chuli', page),
    summary: '移出退订名单',
    params: idParams,
    reply: done,
    message: '已移出退订名单',
  }),
};
