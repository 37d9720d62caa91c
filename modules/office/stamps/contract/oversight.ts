import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { figures } from '#kernel/contract/figures.ts';
import { actions, done, flag, id, idParams, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';
import { alertKind, stampType } from './seal-codes.ts';

const int = z.number().int();
const page = 'stamp/statistics';
const span = (most: number, unit: string) => int.min(1, `最少 1 ${unit}`).max(most, `最多 ${most} ${unit}`);

/** The rules of sealing, for the whole organisation. */
export const stampRules = rules({
  key: 'stamp',
  title: '用印规则',
  shape: {
    two_person_types: z
      .array(int.min(1).max(9))
      .max(9)
      .meta(
        field('双人用印的印章类型', {
          help: '这些印章盖完后，须由监印人在 30 分钟内确认',
          kind: 'select',
          multiple: true,
          options: Object.entries(stampType.names).map(([value, label]) => ({ value: Number(value), label })),
        }),
      ),
    expire_days: span(90, '个工作日').meta(field('审批通过后有效（工作日）', { help: '过期未用印的自动失效' })),
    loan_days: span(30, '天').meta(field('外带最长（天）')),
    slot_ahead_days: span(180, '天').meta(field('可提前预约（天）')),
    cert_copies: span(9999, '份').meta(field('证书一次最多（份）')),
    leader_amount: int
      .min(1)
      .max(1_000_000_000)
      .meta(field('校领导审批的金额（元）', { help: '达到这个金额的申请由校领导审批' })),
    night: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d–([01]\d|2[0-3]):[0-5]\d$/, '请填写时段，如 18:00–08:00')
      .meta(field('夜间时段', { help: '在此时段用印须说明原因，并列入异常' })),
    alert_receiver_times: span(100, '次').meta(field('同一往来单位 30 天内用印达到（次）', { group: '异常提醒' })),
    alert_copies_times: span(100, '倍').meta(field('份数超过本部门同类中位数的（倍）', { group: '异常提醒' })),
  },
  defaults: {
    two_person_types: [1, 2, 3, 4, 5],
    expire_days: 15,
    loan_days: 2,
    slot_ahead_days: 30,
    cert_copies: 9999,
    leader_amount: 1_000_000,
    night: '18:00–08:00',
    alert_receiver_times: 5,
    alert_copies_times: 5,
  },
});

export const Alert = z.object({
  id: int,
  kind: int.meta(coded('类型', alertKind.names)),
  title: z.string().meta(field('情况')),
  stamp_id: int.nullable(),
  stamp_name: z.string().meta(field('印章')),
  application_id: int.nullable(),
  handled: z.boolean().meta(field('处理')),
  result: int.nullable(),
  note: z.string().meta(field('处理说明')),
  handled_by: z.string().meta(field('办理人')),
  handled_at: timestamp.nullable().meta(field('处理时间')),
  gmt_created: timestamp.meta(field('发现时间')),
  actions,
});
export type Alert = z.output<typeof Alert>;

const panel = {
  columns: ['count', 'copies'],
  drawn: ['count'],
  unit: '次',
  chart: 'bars',
  none: '这段时间没有用印',
} as const;
export const stampStatistics = figures({
  path: '/api/stamp/statistics/',
  page,
  title: '用印统计',
  filters: { stamp: id.optional(), dept: id.optional() },
  months: 12,
  columns: {
    count: { title: '用印（次）' },
    copies: { title: '份数' },
    after_hours: { title: '班外（次）' },
    refused: { title: '拒绝' },
    unused: { title: '批而未用' },
    wait_days: { title: '平均等待（天）', kind: 'maybe' },
    out_days: { title: '外借（天）', kind: 'maybe' },
  },
  panels: {
    stamp: { ...panel, title: '各印章', heading: '印章', columns: ['count', 'copies', 'after_hours'] },
    dept: { ...panel, title: '各部门', heading: '部门', columns: ['count', 'copies', 'after_hours'] },
    kind: { ...panel, title: '各类文件', heading: '文件类型' },
    month: { ...panel, title: '各月', heading: '月份', chart: 'months' },
    outcome: {
      ...panel,
      title: '办理情况，按印章',
      heading: '印章',
      columns: ['refused', 'unused', 'wait_days', 'out_days'],
      drawn: [],
      none: '这段时间没有申请',
    },
  },
  summary: { count: int, copies: int, after_hours: int, refused: int, unused: int },
});

export const oversightCalls = {
  statistics: stampStatistics.call,
  alerts: call({
    method: 'GET',
    path: '/api/stamp/alert/',
    access: grant('Retrieve', page),
    summary: '查看用印异常',
    query: listQuery({
      sort: ['gmt_created', 'id'],
      filters: { kind: z.coerce.number().int().min(1).max(7).optional(), handled: flag.optional() },
    }),
    reply: listOf(Alert),
    exports: {
      page,
      title: '用印异常',
      columns: sheetColumns(Alert.shape, [
        'gmt_created',
        'kind',
        'title',
        'stamp_name',
        'note',
        'handled_by',
        'handled_at',
      ]),
    },
  }),
  handleAlert: call({
    method: 'PUT',
    path: '/api/stamp/alert/{id}/',
    access: grant('chuli', page),
    summary: '处理用印异常',
    params: idParams,
    body: z.object({
      result: int.min(1).max(4).meta({ title: '结果' }),
      note: name(300).meta({ title: '说明' }),
    }),
    reply: done,
    message: '异常已处理',
  }),
  ...ruleCalls(stampRules, { prefix: '/api/stamp/', page: 'stamp/list', readBy: 'everybody' }),
};
