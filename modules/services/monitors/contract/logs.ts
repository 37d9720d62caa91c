import { z } from 'zod';
import { call, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { actions, done, flag, id, line, listOf, listQuery, localMoment, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'customer/log';
const path = '/api/test/logs/{id}/';
const params = z.object({ id: z.coerce.number().int().positive() });
const words = line(200).meta(field('说明', { help: '不计入的，请写明原因' }));
const ignored = z.boolean().meta(field('不计入可用率', { kind: 'switch' }));
const remark = z.object({ remark: words.default(''), ignored: ignored.default(false) });
/** Absent fields stay as they are. */
const someRemark = z.object({ remark: words.optional(), ignored: ignored.optional() });
const note = { path, access: grant('Update', page), params, reply: done, message: '已保存' } as const;
export const chartSpans = ['1h', '24h', '7d', '30d', '90d', '1y'] as const;

export const LogRow = z.object({
  id: int,
  project_id: int,
  project_name: z.string().meta(field('项目')),
  time: timestamp.meta(field('时间')),
  status: int.meta(field('状态')),
  ms: int.meta(field('耗时', { unit: '毫秒' })),
  http_code: int.nullable().meta(field('状态码')),
  msg: z.string().nullable().meta(field('说明')),
  important: z.boolean(),
  remark: z.string().nullable().meta(field('备注')),
  ignored: z.boolean(),
  actions,
});

export const logCalls = {
  logs: call({
    method: 'GET',
    path: '/api/test/logs/',
    access: grant('Retrieve', page),
    summary: '查看监测日志',
    query: listQuery({
      sort: ['time'],
      filters: {
        project_id: id.optional(),
        status: z.coerce.number().int().min(0).max(9).optional(),
        important: flag.optional().meta({ title: '只看变化' }),
        /** Defaults to the last day. */
        from: localMoment.meta({ title: '开始时间' }).optional(),
        to: localMoment.meta({ title: '结束时间' }).optional(),
      },
    }),
    reply: listOf(LogRow),
  }),
  note: call({ method: 'PUT', ...note, summary: '备注监测日志', body: remark }),
  amendNote: call({ method: 'PATCH', ...note, summary: '修改监测日志的备注', body: someRemark }),
  removeLog: call({
    method: 'DELETE',
    path,
    access: grant('Delete', page),
    summary: '删除监测日志',
    params,
    reply: done,
    message: '日志已删除，月报中仍计入已删除的条数',
  }),
  chart: call({
    method: 'GET',
    path: '/api/test/logs/chart/',
    access: grant('Retrieve', 'customer/log', 'customer/project'),
    summary: '查看监测图表',
    query: z.object({ project_id: id, span: z.enum(chartSpans).default('24h') }),
    reply: z.object({
      /** At most 300 points; milliseconds of successful probes, and the percentage down. Null without probes. */
      points: z.array(
        z.object({
          at: timestamp,
          min: int.nullable(),
          median: int.nullable(),
          p95: int.nullable(),
          max: int.nullable(),
          down: z.number().nullable(),
        }),
      ),
      /** Incidents that overlap the span. */
      downs: z.array(z.object({ start: timestamp, end: timestamp.nullable() })),
      /** The percentage of the probed time; null if there was none. */
      uptime: z.number().nullable(),
    }),
  }),
  health: call({
    method: 'GET',
    path: '/api/test/health/',
    access: grant('Retrieve', page),
    summary: '查看监测运行情况',
    reply: z.object({
      nodes: z.array(
        z.object({
          node: z.string(),
          seen_at: timestamp,
          places: int,
          busy: int,
          lag_ms: int,
          pings: z.boolean(),
          blind_since: timestamp.nullable(),
        }),
      ),
      monitors: int,
      /** Monitors that are overdue, and the delay of the latest in seconds. */
      waiting: int,
      late_s: int,
      log_bytes: z.number(),
      /** The expected size of the log at the present rate, kept for this number of days. */
      expected_bytes: z.number(),
      keep_days: int,
    }),
    fresh: true,
  }),
};
export type LogRow = z.output<typeof LogRow>;
export type MonitorChart = ReplyOf<typeof logCalls.chart>;
