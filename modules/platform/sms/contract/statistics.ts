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

/** What was sent within the viewer's scope, and what is left of the quotas. */
export const smsFigures = figures({
  path: '/api/sms/statistics/',
  page: 'sms/logs',
  title: '短信统计',
  filters: {},
  months: 6,
  columns: {
    total: { title: '号码' },
    segments: { title: '条数' },
    /** A receipt said so. */
    delivered: { title: '送达' },
    /** Not taken, or a receipt said so. */
    failed: { title: '失败' },
    /** Percent of those a receipt told of. */
    rate: { title: '送达率（%）', kind: 'maybe' },
    /** Nothing where no price is set. */
    cost: { title: '费用（元）', kind: 'maybe' },
  },
  panels: {
    month: { ...common, title: '每月短信', heading: '月份', drawn: ['total', 'delivered'], chart: 'months' },
    dept: { ...common, title: '各部门短信', heading: '部门', drawn: ['total'], chart: 'bars' },
  },
  summary: {
    /** The viewer's own day. */
    today: Used,
    /** This month, of the departments within the scope that have sent. */
    depts: z.array(Used.extend({ dept_name: z.string() })),
  },
});
export const statistics = { statistics: smsFigures.call };
