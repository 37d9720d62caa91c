import { z } from 'zod';
import { call, everyone, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { actions, done, id, idParams, line, listOf, listQuery, timestamp, version } from '#kernel/contract/shapes.ts';
import { choice, coded, field } from '#kernel/contract/titles.ts';
import { monitorState, monitorType } from './codes.ts';

const int = z.number().int();
const page = 'customer/project';
const between = (title: string, from: number, to: number, usual: number, help?: string) =>
  int
    .min(from, `请填写 ${from} 到 ${to}`)
    .max(to, `请填写 ${from} 到 ${to}`)
    .default(usual)
    .meta(field(title, help ? { help } : {}));

export const monitorInput = {
  enabled: z
    .boolean()
    .default(true)
    .meta(field('监测', { kind: 'switch' })),
  type: choice('监测方式', monitorType.names, { short: '方式' }),
  target: line(500)
    .default('')
    .meta(field('监测目标', { short: '目标', help: '网址，或“主机:端口”；推送心跳不填' })),
  interval_s: between('检测间隔（秒）', 60, 86_400, 300),
  timeout_s: between('超时（秒）', 1, 60, 10, '须小于检测间隔'),
  retries: between('失败后重试（次）', 0, 10, 2, '都失败才算异常'),
  retry_interval_s: between('重试间隔（秒）', 20, 3600, 60),
  successes: between('连续成功（次）算恢复', 1, 10, 2),
  accepted_codes: z
    .string()
    .trim()
    .max(100, '最多 100 个字')
    .regex(/^[1-5]\d\d(-[1-5]\d\d)?(,[1-5]\d\d(-[1-5]\d\d)?)*$/, '请填写如 200-299,401')
    .refine(
      (all) => all.split(',').every((range) => range.slice(0, 3) <= range.slice(-3)),
      '范围须从小到大，如 200-299',
    )
    .default('200-299')
    .meta({ title: '正常的状态码' }),
  keyword: line(200)
    .default('')
    .meta(field('关键字', { help: '回答中必须有的文字；监测方式为关键字时填写' })),
  ignore_tls: z
    .boolean()
    .default(false)
    .meta(field('忽略证书错误', { kind: 'switch' })),
  cert_warn_days: z
    .array(int.min(1).max(90))
    .min(1, '请至少填写一个')
    .max(5, '最多 5 个')
    .transform((all) => [...new Set(all)].sort((a, b) => b - a))
    .default([14, 7, 3])
    .meta({ title: '证书到期前提醒（天）' }),
  resend_every: between('每多少次失败再提醒', 0, 1000, 0, '0 表示不再提醒'),
  max_alerts: between('每次异常最多提醒（次）', 1, 100, 5),
  depends_on: id
    .nullable()
    .default(null)
    .meta(field('依赖的项目', { help: '它异常时，本项目的异常不另提醒' })),
};
const Settings = z.object(monitorInput);
export type MonitorSettings = z.output<typeof Settings>;

const state = {
  status: int.meta(field('状态')),
  since: timestamp.nullable(),
  last_check: timestamp.nullable().meta(field('最近检测')),
  last_ms: int.nullable().meta(field('毫秒')),
  last_msg: z.string(),
  /** The last sixty beats, to be decoded with `beatOf`. */
  recent: z.array(int).meta(field('心跳')),
  /** A percentage. */
  uptime_24h: z.number().nullable().meta(field('24 小时')),
  uptime_30d: z.number().nullable().meta(field('30 天')),
  cert_ends: timestamp.nullable().meta(field('证书')),
  /** Alerts are silenced until then. */
  quiet_until: timestamp.nullable(),
  /** The open incident. */
  record_id: int.nullable(),
  claimed_name: z.string().nullable().meta(field('认领人')),
};
export const MonitorRow = z.object({
  id: int,
  name: z.string().meta(field('项目')),
  customer_id: int,
  customer_name: z.string().meta(field('客户')),
  manager_alias: z.string().meta(field('负责人')),
  sms_switch: z.boolean(),
  enabled: z.boolean(),
  type: int.meta(coded('方式', monitorType.names)),
  interval_s: int,
  ...state,
  actions,
});
export type MonitorRow = z.output<typeof MonitorRow>;

const Step = z.object({ dns: int.optional(), connect: int.optional(), tls: int.optional(), first: int.optional() });
const probed = z.object({
  outcome: z.enum(['ok', 'fail', 'unsure', 'refused']),
  msg: z.string(),
  ms: int,
  http_code: int.nullable(),
  steps: Step,
  certificate: z.object({ ends: timestamp, subject: z.string(), issuer: z.string() }).nullable(),
});
const address = z.object({ url: z.string() });
const token = z.object({ token: z.string().max(64) });
const beat = z.object({
  status: z.enum(['up', 'down']).default('up').meta({ title: '状态' }),
  msg: line(200).default('').meta({ title: '说明' }),
  ping: z.coerce.number().int().min(0).max(600_000).default(0).meta({ title: '用时（毫秒）' }),
});

export const monitorCalls = {
  list: call({
    method: 'GET',
    path: '/api/test/monitors/',
    access: grant('Retrieve', page),
    summary: '查看监测列表',
    query: listQuery({
      sort: ['status', 'name', 'last_ms', 'uptime_30d', 'cert_ends', 'last_check'],
      filters: { status: z.coerce.number().int().min(0).max(9).optional(), customer_id: id.optional() },
    }),
    /** `counts` has the number of matching rows by status, ignoring the filter by status. */
    reply: listOf(MonitorRow).extend({ counts: z.record(z.string(), int) }),
  }),
  get: call({
    method: 'GET',
    path: '/api/customer/projects/{id}/monitor/',
    access: grant('Retrieve', page),
    summary: '查看项目的监测',
    params: idParams,
    reply: z.object({
      value: MonitorRow.extend({
        settings: Settings,
        version: int,
        cert_subject: z.string(),
        cert_issuer: z.string(),
        depends_on_name: z.string().meta(field('依赖')),
        /** True if some node can use Ping. */
        pings: z.boolean(),
        /** The present or next window. */
        windows: z.array(z.object({ title: z.string(), start: timestamp, end: timestamp })).meta(field('维护')),
        told: z.array(z.object({ name: z.string(), way: z.string(), text: z.string() })).meta(field('通知')),
      }).nullable(),
    }),
    fresh: true,
  }),
  save: call({
    method: 'PUT',
    path: '/api/customer/projects/{id}/monitor/',
    access: grant('Update', page),
    summary: '修改监测设置',
    params: idParams,
    body: Settings.extend({ version }),
    reply: done,
    message: '监测设置已保存',
  }),
  probe: call({
    method: 'POST',
    path: '/api/customer/projects/{id}/probe/',
    access: grant('Update', page),
    summary: '立即检测',
    params: idParams,
    /** Defaults to the saved settings. */
    body: z.object({
      settings: Settings.pick({
        type: true,
        target: true,
        timeout_s: true,
        accepted_codes: true,
        keyword: true,
        ignore_tls: true,
      })
        .optional()
        .meta({ title: '监测设置' }),
    }),
    reply: probed,
    quiet: true,
  }),
  pushAddress: call({
    method: 'GET',
    path: '/api/customer/projects/{id}/push/',
    access: grant('Update', page),
    summary: '查看推送心跳的地址',
    params: idParams,
    reply: address,
    fresh: true,
  }),
  renewPush: call({
    method: 'POST',
    path: '/api/customer/projects/{id}/push/',
    access: grant('Update', page),
    summary: '更换推送心跳的地址',
    params: idParams,
    reply: address,
    message: '地址已更换，原地址不再有效',
    shownOnce: true,
  }),
  push: call({
    method: 'GET',
    path: '/api/test/push/{token}/',
    access: everyone,
    summary: '推送心跳',
    params: token,
    query: beat,
    reply: done,
    writes: true,
    quiet: true,
  }),
  pushBody: call({
    method: 'POST',
    path: '/api/test/push/{token}/',
    access: everyone,
    summary: '推送心跳（带内容）',
    params: token,
    body: beat.partial(),
    reply: done,
    quiet: true,
  }),
};
export type MonitorDetail = NonNullable<ReplyOf<typeof monitorCalls.get>['value']>;
export const statusOptions = monitorState.names;
