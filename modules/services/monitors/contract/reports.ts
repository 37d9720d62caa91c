import { z } from 'zod';
import { call, everyone, fileReply, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { done, id, idParams, text, timestamp, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'customer/list';
const path = '/api/customer/{id}/report/';
const statusPage = {
  path: '/api/customer/{id}/status_page/',
  access: grant('Update', page),
  params: idParams,
} as const;
const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, '请按“2026-03”的格式填写')
  .meta({ title: '月份' });
const shownProjects = z
  .array(id)
  .max(100, '最多 100 个项目')
  .transform((all) => [...new Set(all)])
  .meta(field('公开的项目', { help: '只有名称、状态和可用率，不含地址；不选则页面上没有项目' }));

const Measured = z.object({
  up_s: int,
  down_s: int.meta(field('不可用')),
  maintenance_s: int.meta(field('计划维护')),
  unknown_s: int.meta(field('无数据')),
  /** The percentage of the probed time, without windows. */
  uptime: z.number().nullable().meta(field('可用率')),
});
/** The report of a customer for a month. */
const Report = z.object({
  customer: z.object({ id: int, name: z.string() }),
  month: z.string(),
  all: Measured,
  projects: z.array(
    Measured.extend({
      id: int,
      name: z.string().meta(field('项目')),
      service_level: int.meta(field('服务级别')),
      incidents: int.meta(field('异常', { unit: '次' })),
      promised: z.number().meta(field('承诺')),
    }),
  ),
  /** Incidents that overlap the month; `minutes` counts only the time within it. */
  incidents: z.array(
    z.object({
      project: z.string().meta(field('项目')),
      start_time: timestamp.meta(field('开始')),
      end_time: timestamp.nullable(),
      minutes: int.meta(field('历时')),
      reason: z.string().meta(field('现象')),
      cause: int.nullable().meta(field('原因')),
      measure: z.string().meta(field('处理')),
      handler: z.string(),
    }),
  ),
  /** Minutes of false alarms. */
  excluded_min: int.meta(field('误报不计')),
  /** Excluded probes, and the numbers of deleted rows. */
  ignored_looks: int.meta(field('不计入的检测')),
  deleted_looks: int,
  deleted_incidents: int,
});
export type ServiceReport = z.output<typeof Report>;
export const reportState = codeSet({ draft: [0, '草稿'], confirmed: [1, '已核对'] });

export const reportCalls = {
  report: call({
    method: 'GET',
    path,
    access: grant('Retrieve', page),
    summary: '查看服务月报',
    params: idParams,
    /** Defaults to the last full month. */
    query: z.object({ month: month.optional() }),
    reply: z.object({
      /** Null if nothing was ever monitored. */
      value: Report.extend({
        state: int.meta(field('状态')),
        note: z.string().meta(field('服务说明')),
        confirmed_alias: z.string().nullable(),
        confirmed_at: timestamp.nullable(),
        version: int,
        actions: z.array(z.string()),
      }).nullable(),
      /** The last twelve months with data, latest first. */
      months: z.array(z.object({ month: z.string(), uptime: z.number().nullable(), state: int })),
    }),
    fresh: true,
  }),
  confirmReport: call({
    method: 'POST',
    path,
    access: grant('Update', page),
    summary: '核对服务月报',
    params: idParams,
    body: z.object({
      month,
      note: text(1000)
        .default('')
        .meta(field('服务说明', { kind: 'textarea', help: '印在月报上；核对之后月报不再随数据变化' })),
      version,
    }),
    reply: done,
    message: '月报已核对，可以打印交给客户',
  }),
  reportPdf: call({
    method: 'GET',
    path: `${path}pdf/`,
    access: grant('Retrieve', page),
    summary: '打印服务月报',
    params: idParams,
    query: z.object({ month }),
    reply: fileReply,
  }),
  statusPage: call({
    method: 'GET',
    ...statusPage,
    summary: '查看状态页设置',
    reply: z.object({
      /** Null if the page is closed. */
      value: z.object({ url: z.string(), project_ids: z.array(int) }).nullable(),
      /** Projects that can be shown on it. */
      projects: z.array(z.object({ id: int, name: z.string() })),
    }),
    fresh: true,
  }),
  openStatus: call({
    method: 'POST',
    ...statusPage,
    summary: '开放或更换状态页',
    body: z.object({ project_ids: shownProjects.optional() }),
    /** `renewed` is true if there was an address before. */
    reply: z.object({ url: z.string(), renewed: z.boolean() }),
    says: ({ renewed }: { renewed: boolean }) => (renewed ? '地址已更换，原地址不再有效' : '状态页已开放'),
    shownOnce: true,
  }),
  changeStatus: call({
    method: 'PUT',
    ...statusPage,
    summary: '修改状态页公开的项目',
    body: z.object({ project_ids: shownProjects }),
    reply: done,
    message: '公开的项目已保存',
  }),
  closeStatus: call({ method: 'DELETE', ...statusPage, summary: '关闭状态页', reply: done, message: '状态页已关闭' }),
  status: call({
    method: 'GET',
    path: '/api/test/status/{code}/',
    access: everyone,
    summary: '公开状态页',
    params: z.object({ code: z.string() }),
    reply: fileReply,
  }),
};
export type ReportReply = ReplyOf<typeof reportCalls.report>;
