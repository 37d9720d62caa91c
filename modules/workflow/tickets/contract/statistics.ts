import { z } from 'zod';
import { figures, type PageOf } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';

const int = z.number().int();
const decided = ['decided', 'wait_hours', 'work_hours', 'returned', 'return_rate', 'overdue'] as const;
const common = { none: '所选范围内还没有处理记录' } as const;
const byTasks = {
  ...common,
  columns: [...decided, 'open', 'open_overdue'],
  drawn: ['wait_hours', 'work_hours'],
  unit: '小时',
  chart: 'stack',
} as const;

export const ticketStatistics = figures({
  path: '/api/tickets/statistics/',
  page: 'ticket/statistics',
  title: '工单统计',
  filters: {
    workflow_id: id.optional(),
    /** A department and all below it: the creator's when the ticket was started. */
    dept: id.optional(),
  },
  months: 12,
  columns: {
    /** Tickets started and finished; only by month and in total. */
    started: { title: '发起' },
    finished: { title: '办结' },
    /** Tasks that were decided in the period. */
    decided: { title: '处理' },
    /** Averages in working hours: until first opened, and from then until decided. */
    wait_hours: { title: '平均等待（小时）' },
    work_hours: { title: '平均办理（小时）' },
    returned: { title: '退回' },
    /** Percent of the decided tasks. */
    return_rate: { title: '退回率（%）' },
    overdue: { title: '逾期' },
    /** Tasks that wait now, and tickets that wait for somebody and are late, as their light says. */
    open: { title: '待办' },
    open_overdue: { title: '待办已逾期' },
  },
  panels: {
    month: {
      ...common,
      title: '每月发起、办结与处理',
      heading: '月份',
      columns: ['started', 'finished', ...decided],
      drawn: ['started', 'finished', 'decided'],
      unit: '张 / 次',
      chart: 'months',
    },
    state: { ...byTasks, title: '各环节的等待与办理时长', heading: '环节' },
    person: { ...byTasks, title: '各办理人的等待与办理时长', heading: '办理人' },
  },
  summary: {
    started: int,
    finished: int,
    decided: int,
    wait_hours: z.number(),
    work_hours: z.number(),
    returned: int,
    return_rate: z.number(),
    overdue: int,
    open: int,
    open_overdue: int,
  },
});
export type TicketStatistics = PageOf<typeof ticketStatistics>;
