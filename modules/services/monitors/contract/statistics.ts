import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';

const int = z.number().int();
const availability = ['uptime', 'down_min', 'unknown_h', 'incidents', 'mttr'] as const;
const table = {
  columns: availability,
  drawn: ['down_min'],
  unit: '分钟',
  chart: 'bars',
  none: '这段时间没有监测',
} as const;
export const monitorStatistics = figures({
  path: '/api/test/statistics/',
  page: 'customer/statistics',
  title: '监测统计',
  filters: { customer_id: id.optional() },
  months: 3,
  columns: {
    uptime: { title: '可用率 %', kind: 'maybe' },
    down_min: { title: '不可用（分钟）' },
    unknown_h: { title: '无数据（小时）' },
    incidents: { title: '异常' },
    mttr: { title: '平均恢复（分钟）', kind: 'maybe' },
    mtbf: { title: '平均无故障（小时）', kind: 'maybe' },
    told: { title: '告警' },
    ends: { title: '到期', kind: 'day' },
    what: { title: '到期内容', kind: 'words' },
  },
  panels: {
    project: {
      ...table,
      title: '各项目（可用率低者在前）',
      heading: '项目',
      columns: [...availability, 'mtbf', 'told'],
    },
    customer: { ...table, title: '各客户', heading: '客户' },
    month: { ...table, title: '各月', heading: '月份', chart: 'months', drawn: ['incidents'], unit: '次' },
    cause: {
      ...table,
      title: '原因',
      heading: '原因',
      columns: ['incidents', 'down_min', 'mttr'],
      drawn: ['incidents'],
      unit: '次',
      none: '这段时间没有异常',
    },
    expiry: {
      title: '九十天内到期',
      heading: '项目',
      columns: ['ends', 'what'],
      drawn: [],
      unit: '',
      chart: 'bars',
      none: '没有即将到期的证书和域名',
    },
  },
  summary: {
    monitors: int,
    uptime: z.number().nullable(),
    incidents: int,
    mttr: z.number().nullable(),
    unknown_h: int,
  },
});
