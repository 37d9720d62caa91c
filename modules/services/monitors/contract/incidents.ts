import { z } from 'zod';
import { call, everyone, fileReply, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { actions, done, id, idParams, listOf, listQuery, text, timestamp, version } from '#kernel/contract/shapes.ts';
import { choice, coded, field } from '#kernel/contract/titles.ts';
import { cause, incidentState } from './codes.ts';

const int = z.number().int();
const page = 'customer/record';
const path = '/api/test/record/{id}/';
const filter = z.coerce.number().int().min(0).max(9).optional();

export const IncidentRow = z.object({
  id: int,
  version: int,
  project_id: int,
  project_name: z.string().meta(field('项目')),
  customer_id: int,
  customer_name: z.string().meta(field('客户')),
  type: int,
  start_time: timestamp.meta(field('开始')),
  end_time: timestamp.nullable().meta(field('恢复')),
  /** Until now if it is still open. */
  duration_s: int.meta(field('历时')),
  reason: z.string().meta(field('现象')),
  http_code: int.nullable(),
  /** The number of alerts sent. */
  alerts: int.meta(field('告警')),
  state: int.meta(coded('状态', incidentState.names)),
  claimed_name: z.string().meta(field('认领人')),
  claimed_at: timestamp.nullable().meta(field('认领')),
  handler_alias: z.string().nullable().meta(field('办理人')),
  cause: int.nullable().meta(field('原因分类')),
  measure: z.string().meta(field('处理措施')),
  order_module: z.string().nullable(),
  order_id: int.nullable(),
  /** Alerts for the project are silenced until then. */
  quiet_until: timestamp.nullable(),
  actions,
});
export type IncidentRow = z.output<typeof IncidentRow>;

const handling = z.object({
  cause: choice('原因分类', cause.names),
  measure: text(2000)
    .min(1, '请填写处理措施')
    .meta(field('处理措施', { kind: 'textarea', help: '误报请写明依据：该段时间不计入不可用时间' })),
  version,
});
const handle = {
  path,
  access: grant('Update', page),
  params: idParams,
  reply: done,
  message: '处理结果已保存',
} as const;
const code = z.object({ code: z.string() });

export const incidentCalls = {
  incidents: call({
    method: 'GET',
    path: '/api/test/record/',
    access: grant('Retrieve', page),
    summary: '查看监测记录',
    query: listQuery({
      sort: ['start_time', 'state', 'duration_s'],
      filters: { state: filter, cause: filter, project_id: id.optional(), customer_id: id.optional() },
    }),
    reply: listOf(IncidentRow),
  }),
  incident: call({
    method: 'GET',
    path,
    access: grant('Retrieve', page),
    summary: '查看一条监测记录',
    params: idParams,
    reply: z.object({
      value: IncidentRow.extend({
        events: z.array(z.object({ at: timestamp, type: z.string(), text: z.string(), alias: z.string().nullable() })),
        /** Probes from shortly before it until shortly after. */
        looks: z.array(
          z.object({
            time: timestamp.meta(field('时间')),
            status: int.meta(field('状态')),
            ms: int.meta(field('毫秒')),
            http_code: int.nullable(),
            msg: z.string().nullable().meta(field('说明')),
          }),
        ),
        /** Kinds of records that can be made from it. */
        makes: z.array(z.literal('orders')),
      }),
    }),
    fresh: true,
  }),
  handle: call({ method: 'PUT', ...handle, summary: '处理监测记录', body: handling }),
  amend: call({ method: 'PATCH', ...handle, summary: '修改监测记录的处理结果', body: handling.partial() }),
  removeIncident: call({
    method: 'DELETE',
    path,
    access: grant('Delete', page),
    summary: '删除监测记录',
    params: idParams,
    reply: done,
    message: '记录已删除，月报中仍计入已删除的条数',
  }),
  claim: call({
    method: 'POST',
    path: `${path}claim/`,
    access: grant('chuli', page),
    summary: '认领异常',
    params: idParams,
    reply: done,
    message: '已认领，不再重复提醒',
  }),
  silence: call({
    method: 'POST',
    path: '/api/customer/projects/{id}/silence/',
    access: grant('chuli', page),
    summary: '静默项目的告警',
    params: idParams,
    /** 0 ends the silence. */
    body: z.object({ minutes: int.min(0).max(1440, '最多一天').default(60).meta({ title: '静默（分钟）' }) }),
    reply: z.object({ until: timestamp.nullable() }),
    says: ({ until }: { until: string | null }) =>
      until === null ? '静默已结束' : `${until.slice(11, 16)} 之前不再提醒，仍异常的届时再说一次`,
  }),
  order: call({
    method: 'POST',
    path: `${path}order/`,
    access: grant('chuli', page),
    summary: '异常转办',
    params: idParams,
    body: z.object({ to: z.literal('orders').default('orders').meta({ title: '转为' }) }),
    reply: z.object({ module: z.string(), id: int, page: z.string() }),
    message: '已转办',
  }),
  claimPage: call({
    method: 'GET',
    path: '/api/test/claim/{code}/',
    access: everyone,
    summary: '认领页',
    params: code,
    reply: fileReply,
    fresh: true,
  }),
  claimByLink: call({
    method: 'POST',
    path: '/api/test/claim/{code}/',
    access: everyone,
    summary: '通过短信链接认领',
    params: code,
    reply: fileReply,
  }),
};
export type Incident = ReplyOf<typeof incidentCalls.incident>['value'];
