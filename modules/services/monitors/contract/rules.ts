import { z } from 'zod';
import { ruleCalls, rules } from '#kernel/contract/rules.ts';
import { field } from '#kernel/contract/titles.ts';
import { monitorSettings, usualReferences } from './references.ts';
import { noSuchPort, portOut } from './refusals.ts';

const promised = (title: string) =>
  z
    .number('请填写百分比')
    .min(50, '最少 50')
    .max(100, '最多 100')
    .meta(field(title, { help: '写在服务月报里，与实际可用率对照' }));

/** The retention of the log, the detection of a node's own network failure, and the measures of reports. */
export const monitorRules = rules({
  key: monitorSettings,
  title: '监测设置',
  shape: {
    keep_days: z
      .int('请填写天数')
      .min(7, '最少 7 天')
      .max(90, '最多 90 天')
      .meta(field('监测日志保留（天）', { help: '每小时的统计另留两年' })),
    references: z
      .array(
        z
          .string()
          .trim()
          .max(100, '最多 100 个字')
          .regex(/^(\[[0-9a-f:.]+\]|[^\s:/@?#[\]]+):\d+$/i, '请填写如 223.5.5.5:53 的“主机:端口”')
          .refine((address) => noSuchPort(address) === null, {
            error: ({ input }) => portOut(noSuchPort(String(input)) ?? ''),
          }),
      )
      .max(5, '最多 5 个')
      .transform((all) => [...new Set(all)])
      .meta(
        field('对照地址', {
          help: '主机:端口。多数项目同时连不上、而这些地址也都连不上时，判定为本节点网络异常，不作告警',
        }),
      ),
    promised_5x8: promised('承诺可用率 %（5×8）'),
    promised_7x24: promised('承诺可用率 %（7×24）'),
  },
  defaults: {
    keep_days: 30,
    references: usualReferences,
    promised_5x8: 99,
    promised_7x24: 99.9,
  },
});
export const monitorRuleCalls = ruleCalls(monitorRules, { prefix: '/api/test/', page: 'customer/log' });
