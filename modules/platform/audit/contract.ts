import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { day, line, listOf, listQuery, text, timestamp } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';

export const onlySuper = refusal(codes.refused, () => '只有超级管理员可以清除操作日志');
export const tooRecent = refusal(
  codes.refused,
  (days: number) => `操作日志至少保留 ${days} 天，所选记录还不能清除或已经清除，请重新选择`,
);
export const nothingOld = refusal(codes.refused, (days: number) => `没有超过 ${days} 天的操作日志可清除`);

export const FieldDifference = z.object({
  field: z.string().meta(field('字段')),
  before: z.unknown().meta(field('改动前')),
  after: z.unknown().meta(field('改动后')),
});
export const ObjectDifference = z.object({
  type: z.string(),
  id: z.string().nullable(),
  title: z.string(),
  fields: z.array(FieldDifference),
});

export const LogRow = z.object({
  id: z.number().int(),
  user_id: z.number().int().nullable(),
  username: z.string().meta(field('用户名')),
  alias: z.string().meta(field('姓名')),
  module: z.string(),
  /** The Chinese name of the module. */
  module_name: z.string().meta(field('模块')),
  action: z.string().meta(field('操作')),
  object_type: z.string().meta(field('对象')),
  object_id: z.string(),
  title: z.string().meta(field('内容')),
  method: z.string(),
  path: z.string().meta(field('接口')),
  ip: z.string().meta(field('IP 地址')),
  ua: z.string().meta(field('浏览器')),
  /** Code of the reply, 0 for success. */
  result: z.number().int().meta(field('结果')),
  ms: z.number().int().meta(field('毫秒')),
  diff: z.array(ObjectDifference),
  trace_id: z.string().meta(field('编号')),
  gmt_created: timestamp.meta(field('时间')),
  /** Position in the chain and its hash; null for some seconds after the row was written. */
  seal: z.number().int().nullable().meta(field('封存')),
  hash: z.string().nullable().meta(field('校验值')),
});
export type LogRow = z.output<typeof LogRow>;

const ids = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15})*$/)
  .transform((text) => [...new Set(text.split(',').map(Number))])
  .pipe(z.array(z.number().int().positive()).max(100, '一次最多清除 100 条'));

export const audit = {
  list: call({
    method: 'GET',
    path: '/api/accounts/log/',
    access: grant('Retrieve', 'system/log'),
    summary: '查看操作日志',
    query: listQuery({
      sort: ['id', 'gmt_created', 'ms'],
      filters: {
        user: line(50).optional().meta({ title: '用户名' }),
        module: line(30).optional().meta({ title: '模块' }),
        action: line(100).optional().meta({ title: '操作' }),
        created_from: day.optional().meta({ title: '开始日期' }),
        created_to: day.optional().meta({ title: '结束日期' }),
        ip: line(45).optional().meta({ title: 'IP 地址' }),
        result: z.enum(['ok', 'denied']).optional().meta({ title: '结果' }),
      },
    }),
    reply: listOf(LogRow),
    exports: {
      page: 'system/log',
      title: '操作日志',
      columns: sheetColumns(LogRow.shape, [
        'gmt_created',
        'username',
        'alias',
        'module_name',
        'action',
        'object_type',
        'title',
        'ip',
        { key: 'result', show: (code: number) => (code === 0 ? '成功' : '被拒绝') },
        'path',
        'trace_id',
        'hash',
      ]),
    },
  }),
  /** The modules by which the log can be filtered. */
  modules: call({
    method: 'GET',
    path: '/api/accounts/log/modules/',
    access: grant('Retrieve', 'system/log'),
    summary: '操作日志的模块',
    reply: z.object({ value: z.array(z.object({ value: z.string(), label: z.string() })) }),
  }),
  trend: call({
    method: 'GET',
    path: '/api/accounts/log/trend/',
    access: grant('Retrieve', 'system/log'),
    summary: '查看近两周操作趋势',
    /** The last fourteen days, today last. */
    reply: z.object({
      value: z.array(z.object({ day: z.string(), done: z.number().int(), refused: z.number().int() })),
    }),
  }),
  /** A page crashed in the browser: the server's log stores the reason, under the number shown to the reader. */
  broken: call({
    method: 'POST',
    path: '/api/accounts/log/broken/',
    access: signedIn,
    summary: '报告页面异常',
    body: z.object({
      path: line(300).meta({ title: '页面' }),
      message: text(500).meta({ title: '异常' }),
      stack: text(4000).meta({ title: '位置' }),
    }),
    reply: z.object({ trace_id: z.string() }),
    quiet: true,
  }),
  // Neither is logged as usual: the tombstone is their log entry.
  remove: call({
    method: 'DELETE',
    path: '/api/accounts/log/{ids}/',
    access: grant('Delete', 'system/log'),
    summary: '清除所选操作日志',
    params: z.object({ ids }),
    reply: z.object({ count: z.number().int() }),
    message: '已清除',
    quiet: true,
  }),
  clear: call({
    method: 'DELETE',
    path: '/api/accounts/log/clear/',
    access: grant('Delete', 'system/log'),
    summary: '清除到期的操作日志',
    /** `more`: further old rows are removed in the background. */
    reply: z.object({ count: z.number().int(), more: z.boolean() }),
    says: ({ count, more }: { count: number; more: boolean }) =>
      more ? `已清除 ${count.toLocaleString('zh-CN')} 条，其余的正在后台清除` : '已清除',
    quiet: true,
  }),
};
