import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';

const amounts = ['count', 'amount_out', 'amount_in', 'standard_rate', 'approval_days'] as const;
const bars = {
  columns: amounts,
  drawn: ['amount_out', 'amount_in'],
  unit: '元',
  chart: 'bars',
  none: '没有合同',
} as const;
const list = { drawn: [], unit: '', chart: 'bars', first: 'table' } as const;
const n = z.number();

/** Statistics of the contracts I see that were approved in the period, and the forecast. */
export const contractStatistics = figures({
  path: '/api/contract/statistics/',
  page: 'contract/statistics',
  title: '合同统计',
  filters: { category_id: id.optional(), dept_id: id.optional() },
  months: 12,
  columns: {
    count: { title: '合同数' },
    amount_out: { title: '付款合同金额' },
    amount_in: { title: '收款合同金额' },
    standard_rate: { title: '示范文本率（%）', kind: 'maybe' },
    approval_days: { title: '平均审批天数', kind: 'maybe' },
    out: { title: '应付' },
    in: { title: '应收' },
    late: { title: '其中逾期' },
    number: { title: '合同编号', kind: 'words' },
    day: { title: '到期日', kind: 'day' },
  },
  panels: {
    month: { ...bars, title: '按月', heading: '月份', chart: 'months' },
    category: { ...bars, title: '按类别', heading: '类别' },
    dept: { ...bars, title: '按承办部门', heading: '部门' },
    party: { ...bars, title: '按相对方', heading: '相对方', columns: ['count', 'amount_out', 'amount_in'] },
    forecast: {
      title: '逾期与未来 12 个月收付',
      heading: '月份',
      columns: ['out', 'in', 'late'],
      drawn: ['out', 'in'],
      unit: '元',
      chart: 'months',
      none: '没有待履行的收付',
    },
    expiring: {
      ...list,
      title: '90 天内到期',
      heading: '合同',
      columns: ['number', 'day'],
      none: '90 天内没有到期的合同',
    },
    backdated: {
      ...list,
      title: '倒签',
      heading: '合同',
      columns: ['number', 'day'],
      titles: { day: '签订日期' },
      none: '没有倒签的合同',
    },
  },
  summary: {
    count: n,
    amount_out: n,
    amount_in: n,
    paid: n,
    received: n,
    /** Refunds of either side after a termination. */
    refunded: n,
    unpaid: n,
    overdue_nodes: n,
    d30: n,
    d60: n,
    d90: n,
    to_sign: n,
    to_archive: n,
    avg_approval_days: n,
    standard_text_rate: n,
  },
});
