import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { figures } from '#kernel/contract/figures.ts';
import { day, id } from '#kernel/contract/shapes.ts';
import { inOrder } from '#kernel/contract/words/periods.ts';
import { activityRules } from './rules.ts';

const int = z.number().int();
export const Entry = z.object({
  id: int,
  title: z.string(),
  type_id: int.nullable(),
  start_time: z.string(),
  end_time: z.string(),
  place: z.string(),
  leaders: z.array(z.string()),
  held: z.boolean(),
  activity_status: int,
});
export type Entry = z.output<typeof Entry>;

const panel = {
  columns: ['count', 'in_people', 'out_people', 'urgent', 'on_time', 'summarised'],
  drawn: ['count'],
  unit: '场',
  chart: 'bars',
  none: '这段时间没有活动',
} as const;
/** Counts of activities, their size, and whether they were declared in time and summed up. */
export const activityStatistics = figures({
  path: '/api/activity/statistics/',
  page: 'activity/list',
  title: '活动统计',
  filters: { dept: id.optional(), type: z.coerce.number().int().min(1).max(9).optional() },
  months: 12,
  columns: {
    count: { title: '活动（场）' },
    in_people: { title: '校内人次' },
    out_people: { title: '校外人次' },
    urgent: { title: '急办' },
    on_time: { title: '按期申报（%）', kind: 'maybe' },
    summarised: { title: '总结率（%）', kind: 'maybe' },
  },
  panels: {
    type: { ...panel, title: '各类型', heading: '类型' },
    dept: { ...panel, title: '各部门', heading: '部门' },
    month: { ...panel, title: '各月', heading: '月份', chart: 'months' },
  },
  summary: { count: int, in_people: int, out_people: int, urgent: int, external: int },
});

export const boardCalls = {
  data: call({
    method: 'GET',
    path: '/api/activity/data/',
    access: signedIn,
    summary: '活动看板',
    query: inOrder(z.object({ start: day, end: day, dept: id.optional() }), ['start', 'end']),
    reply: z.object({ calendar: z.array(Entry), clashes: z.array(z.object({ ids: z.array(int), says: z.string() })) }),
  }),
  statistics: activityStatistics.call,
  effect: call({
    method: 'GET',
    path: '/api/activity/rule/effect/',
    access: grant('Retrieve', 'activity/rule'),
    summary: '试算申报规则',
    query: z.object({
      in_max: z.coerce.number().int().min(0).default(activityRules.defaults.in_max),
      out_max: z.coerce.number().int().min(0).default(activityRules.defaults.out_max),
      publicity_types: z
        .string()
        .regex(/^(\d(,\d)*)?$/)
        .default(''),
    }),
    reply: z.object({ total: int, safety: int, publicity: int, was_safety: int, was_publicity: int }),
  }),
};
