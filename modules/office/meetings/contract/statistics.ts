import { z } from 'zod';
import { figures, type FigureColumn } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';

const int = z.number().int();
/** The hours of a day that are counted separately. */
export const hours = [7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21] as const;
type Hour = (typeof hours)[number];
type HourKey = `h${Hour}`;
const hourKey = (hour: Hour): HourKey => `h${hour}`;
const byHour = Object.fromEntries(hours.map((hour) => [hourKey(hour), { title: `${hour} 时` }])) as Record<
  HourKey,
  FigureColumn
>;
const maybe = (title: string) => ({ title, kind: 'maybe' as const });
const none = '这段时间没有会议';
const panel = { unit: '小时', chart: 'bars', none } as const;
const came = ['replied', 'present', 'punctual'] as const;

/** 会议统计: use of rooms by hour, absences, and lead times. */
export const meetStatistics = figures({
  path: '/api/meet/statistics/',
  page: 'meet/statistics',
  title: '会议统计',
  filters: { office: id.optional(), room: id.optional(), dept: id.optional() },
  months: 3,
  columns: {
    count: { title: '会议（次）' },
    hours: { title: '时长（小时）' },
    use_rate: maybe('使用率（%）'),
    released: { title: '未到场（次）' },
    released_rate: maybe('未到场率（%）'),
    lead_days: maybe('平均提前（天）'),
    replied: maybe('会前回复率（%）'),
    present: maybe('到会率（%）'),
    punctual: maybe('准时率（%）'),
    week_hours: maybe('每周（小时）'),
    ...byHour,
  },
  panels: {
    heat: {
      ...panel,
      title: '会议室使用时段',
      heading: '星期',
      columns: hours.map(hourKey),
      drawn: hours.map(hourKey),
      chart: 'heat',
    },
    room: {
      ...panel,
      title: '各会议室',
      heading: '会议室',
      columns: ['count', 'hours', 'use_rate', 'released', 'released_rate'],
      drawn: ['hours'],
    },
    dept: {
      ...panel,
      title: '各部门',
      heading: '主办部门',
      columns: ['count', 'hours', 'released', 'released_rate', 'lead_days', ...came],
      drawn: ['released'],
      unit: '次',
    },
    type: {
      ...panel,
      title: '各类会议',
      heading: '会议类型',
      columns: ['count', 'hours', ...came],
      drawn: ['count'],
      unit: '次',
    },
    host: {
      ...panel,
      title: '各主持人',
      heading: '主持人',
      columns: ['count', 'hours', 'week_hours'],
      drawn: ['hours'],
    },
    month: {
      ...panel,
      title: '各月',
      heading: '月份',
      columns: ['count', 'hours', 'released'],
      drawn: ['count'],
      unit: '次',
      chart: 'months',
    },
  },
  summary: { count: int, hours: z.number(), released: int, present: z.number().nullable() },
});
