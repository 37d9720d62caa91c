import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';

const number = z.number();
const panel = {
  columns: [
    'count',
    'open',
    'response_rate',
    'finish_rate',
    'rework_rate',
    'first_rate',
    'score',
    'score_auto',
    'unrated',
    'hours',
  ],
  drawn: ['count', 'open'],
  unit: '张',
  chart: 'bars',
  none: '这段时间没有订单',
} as const;
export const orderStatistics = figures({
  path: '/api/order/statistics/',
  page: 'order/statistics',
  title: '订单统计',
  filters: { category_id: id.optional(), team_id: id.optional() },
  months: 6,
  columns: {
    count: { title: '订单' },
    open: { title: '未完' },
    response_rate: { title: '响应及时 %', kind: 'maybe' },
    finish_rate: { title: '完工及时 %', kind: 'maybe' },
    rework_rate: { title: '返工 %', kind: 'maybe' },
    first_rate: { title: '一次修好 %', kind: 'maybe' },
    score: { title: '平均评分', kind: 'maybe' },
    score_auto: { title: '含自动确认', kind: 'maybe' },
    unrated: { title: '自动确认' },
    hours: { title: '净用时（小时）', kind: 'maybe' },
    qty: { title: '数量' },
    cost: { title: '金额（元）' },
    last: { title: '最近一次', kind: 'day' },
  },
  panels: {
    month: { ...panel, title: '各月', heading: '月份', chart: 'months' },
    category: { ...panel, title: '各类别', heading: '类别' },
    handler: { ...panel, title: '各办理人', heading: '办理人' },
    place: {
      ...panel,
      title: '多发地点（近 90 天 3 次以上）',
      heading: '地点',
      columns: ['count', 'open', 'last'],
      drawn: ['count'],
      none: '近 90 天没有一处报修 3 次以上',
    },
    material: {
      ...panel,
      title: '材料',
      heading: '材料',
      columns: ['qty', 'cost'],
      drawn: ['cost'],
      unit: '元',
      none: '这段时间没有用材料',
    },
  },
  summary: {
    count: number,
    open: number,
    late: number,
    score: number.nullable(),
    score_auto: number.nullable(),
    unrated: number,
    cost: number,
  },
});
