import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';

const int = z.number().int();
const Used = z.object({ used: int, limit: int });
const common = {
  columns: ['total', 'segments', 'delivered', 'failed', 'rate', 'cost'],
  unit: '号码',
  first: 'table',
  none: '还没有发送过短信',
} as const;

/** Messages sent within the viewer's scope, and the remaining quotas. */
export const smsFigures = figures({
  path: '/api/sms/statistics/',
  page: 'sms/logs',
  title: '短信统计',
  filters: {},
  months: 6,
  columns: {
    total: { title: '号码' },
    segments: { title: '条数' },
    /** Confirmed by a receipt. */
    delivered: { title: '送达' },
    /** Refused, or reported by a receipt. */
    failed: { title: '失败' },
    /** Percentage of those with a receipt. */
    rate: { title: '送达率（%）', kind: 'maybe' },
    /** Empty without a price. */
    cost: { title: '费用（元）', kind: 'maybe' },
  },
  panels: {
    month: { ...common, title: '每月短信', heading: '月份', drawn: ['total', 'delivered'], chart: 'months' },
    dept: { ...common, title: '各部门短信', heading: '部门', drawn: ['total'], chart: 'bars' },
  },
  summary: {
    /** The viewer's own usage today. */
    today: Used,
    /** This month's usage of the departments within the scope that have sent. */
    depts: z.array(Used.extend({ dept_name: z.string() })),
  },
});
export const statistics = { statistics: smsFigures.call };
