import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { figures } from '#kernel/contract/figures.ts';
import { id, line } from '#kernel/contract/shapes.ts';
import { page } from './supervise.ts';

const int = z.number().int();
const panel = {
  columns: ['count', 'done', 'rate', 'late', 'avg_days', 'score', 'reds'],
  drawn: ['count', 'done', 'late'],
  unit: '项',
  chart: 'bars',
  none: '这段时间没有到期的督办任务',
} as const;
const statistics = 'supervise/statistics';
export const superviseStatistics = figures({
  path: '/api/supervise/statistics/',
  page: statistics,
  title: '督办统计',
  filters: { dept: id.optional() },
  months: 12,
  columns: {
    count: { title: '应办' },
    done: { title: '办结' },
    rate: { title: '按时率 %', kind: 'maybe' },
    late: { title: '逾期' },
    avg_days: { title: '平均用时（天）', kind: 'maybe' },
    score: { title: '平均得分', kind: 'maybe' },
    reds: { title: '红单' },
    checks: { title: '审核' },
    late_checks: { title: '逾期审核' },
    avg_hours: { title: '平均等待（小时）', kind: 'maybe' },
    days_late: { title: '逾期天数' },
    dept: { title: '承办', kind: 'words' },
  },
  panels: {
    dept: { ...panel, title: '各部门（按时率高者在前，相同的按办结数）', heading: '部门', ordered: true },
    source: { ...panel, title: '各来源', heading: '来源' },
    month: { ...panel, title: '各月', heading: '月份', chart: 'months' },
    leader: { ...panel, title: '各批示领导', heading: '领导' },
    checker: {
      ...panel,
      title: '审核时效',
      heading: '督办人',
      columns: ['checks', 'late_checks', 'avg_hours'],
      drawn: ['checks', 'late_checks'],
      none: '这段时间没有反馈',
    },
    red: {
      ...panel,
      title: '红灯任务',
      heading: '任务',
      columns: ['dept', 'days_late', 'reds'],
      drawn: [],
      none: '没有逾期的任务',
    },
  },
  summary: { count: int, done: int, on_time: int, late: int, reds: int },
});

const month = line(7)
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, '请按“2026-03”的格式填写')
  .meta({ title: '月份' });
const Task = z.object({
  id: int,
  supervise_id: int,
  title: z.string(),
  dept_id: int,
  dept: z.string(),
  owner: z.string(),
  due_at: z.string(),
  first_due_at: z.string().nullable(),
});
export const Bulletin = z.object({
  month: z.string(),
  count: int,
  done: int,
  on_time: int,
  late: int,
  depts: z.array(z.object({ id: int, name: z.string(), count: int, done: int, late: int, reds: int })),
  /** Late parts, parts done in time, and departments with many red sheets. */
  red: z.array(Task),
  good: z.array(Task),
  named: z.array(z.string()),
  html: z.string(),
});
export type Bulletin = z.output<typeof Bulletin>;
export const bulletinCalls = {
  bulletin: call({
    method: 'GET',
    path: '/api/supervise/bulletin/',
    access: grant('Retrieve', statistics),
    summary: '预览督办通报',
    query: z.object({ month }),
    reply: z.object({ value: Bulletin }),
  }),
  draft: call({
    method: 'POST',
    path: '/api/supervise/bulletin/',
    access: grant('chuli', page),
    summary: '生成督办通报',
    body: z.object({ month, title: line(120).optional().meta({ title: '标题' }) }),
    reply: z.object({ id: int, page: z.string() }),
    message: '已生成公文草稿',
  }),
};
