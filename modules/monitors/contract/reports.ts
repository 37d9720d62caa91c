import { z } from 'zod';
import { call, everyone, fileReply, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { figures } from '#kernel/contract/figures.ts';
import { rules } from '#kernel/contract/rules.ts';
import { done, id, idParams, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'customer/list';
const pageOfStatus = {
  path: '/api/customer/{id}/status_page/',
  access: grant('Update', page),
  params: idParams,
} as const;

export const monitorRules = rules({
  key: 'monitors',
  title: '监测设置',
  shape: {
    keep_days: int
      .min(7, '最少 7 天')
      .max(90, '最多 90 天')
      .meta(field('监测日志保留（天）', { help: '每小时的统计另留两年' })),
    references: z
      .array(z.string().max(100))
      .max(5)
      .meta(field('对照地址', { help: '主机:端口。都连不上时，判定为本节点网络异常，不作告警' })),
  },
  defaults: { keep_days: 30, references: ['223.5.5.5:53', '119.29.29.29:53', '114.114.114.114:53'] },
});

const availability = ['uptime', 'down_min', 'unknown_h', 'incidents', 'mttr'] as const;
const table = { columns: availability, drawn: ['uptime'], unit: '%', chart: 'bars', none: '这段时间没有监测' } as const;
export const monitorStatistics = figures({
  path: '/api/test/statistics/',
  page: 'customer/statistics',
  title: '监测统计',
  filters: { customer_id: id.optional() },
  months: 3,
  columns: {
    uptime: { title: '可用率 %', kind: 'maybe' },
    down_min: { title: '不可用（分钟）' },
    unknown_h: { title: '无数据（小时）' },
    incidents: { title: '异常' },
    mttr: { title: '平均恢复（分钟）', kind: 'maybe' },
    mtbf: { title: '平均无故障（小时）', kind: 'maybe' },
    told: { title: '告警' },
    ends: { title: '到期', kind: 'day' },
    what: { title: '到期内容', kind: 'words' },
  },
  panels: {
    project: {
      ...table,
      title: '各项目（可用率低者在前）',
      heading: '项目',
      columns: [...availability, 'mtbf', 'told'],
    },
    customer: { ...table, title: '各客户', heading: '客户' },
    month: { ...table, title: '各月', heading: '月份', chart: 'months', drawn: ['incidents'], unit: '次' },
    cause: {
      ...table,
      title: '原因',
      heading: '原因',
      columns: ['incidents', 'down_min', 'mttr'],
      drawn: ['incidents'],
      unit: '次',
      none: '这段时间没有异常',
    },
    expiry: {
      title: '九十天内到期',
      heading: '项目',
      columns: ['ends', 'what'],
      drawn: [],
      unit: '',
      chart: 'bars',
      none: '没有即将到期的证书和域名',
    },
  },
  summary: {
    monitors: int,
    uptime: z.number().nullable(),
    incidents: int,
    mttr: z.number().nullable(),
    unknown_h: int,
  },
});

const Measured = z.object({
  up_s: int,
  down_s: int,
  maintenance_s: int,
  unknown_s: int,
  /** Per cent of the time that was looked at, windows left out. */
  uptime: z.number().nullable(),
});
const report = z.object({
  customer: z.object({ id: int, name: z.string() }),
  month: z.string(),
  all: Measured,
  projects: z.array(Measured.extend({ id: int, name: z.string(), service_level: int, incidents: int })),
  incidents: z.array(
    z.object({
      project: z.string(),
      start_time: timestamp,
      end_time: timestamp.nullable(),
      minutes: int,
      reason: z.string(),
      cause: int.nullable(),
      measure: z.string(),
      handler: z.string(),
    }),
  ),
  /** What was taken out, and how many rows were deleted. */
  ignored_looks: int,
  deleted_looks: int,
  deleted_incidents: int,
});

export const reportCalls = {
  statistics: monitorStatistics.call,
  report: call({
    method: 'GET',
    path: '/api/customer/{id}/report/',
    access: grant('Retrieve', page),
    summary: '查看服务月报',
    params: idParams,
    query: z.object({
      month: z
        .string()
        .regex(/^20\d\d-(0[1-9]|1[0-2])$/, '请按“2026-03”的格式填写')
        .meta({ title: '月份' }),
    }),
    reply: z.object({ value: report }),
  }),
  openStatus: call({
    method: 'POST',
    ...pageOfStatus,
    summary: '开放或更换状态页',
    reply: z.object({ url: z.string() }),
    message: '状态页已开放，原地址不再有效',
    shownOnce: true,
  }),
  closeStatus: call({ method: 'DELETE', ...pageOfStatus, summary: '关闭状态页', reply: done, message: '状态页已关闭' }),
  status: call({
    method: 'GET',
    path: '/api/test/status/{code}/',
    access: everyone,
    summary: '公开状态页',
    params: z.object({ code: z.string().max(64) }),
    reply: fileReply,
  }),
};
export type ServiceReport = ReplyOf<typeof reportCalls.report>['value'];
