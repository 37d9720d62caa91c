import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { day, id, listOf, listQuery } from '#kernel/contract/shapes.ts';

export const statisticsBy = ['month', 'state', 'person'] as const;

const figures = {
  /** Tickets started and finished; only by month and altogether. */
  started: z.number().int(),
  finished: z.number().int(),
  /** Tasks that were decided in the period. */
  decided: z.number().int(),
  /** Means in working hours: until it was first looked at, and from then until it was decided. */
  wait_hours: z.number(),
  work_hours: z.number(),
  returned: z.number().int(),
  /** Percent of the decided. */
  return_rate: z.number(),
  overdue: z.number().int(),
  /** Tasks that wait now, and the tickets that wait with somebody and are late, as their light says. */
  open: z.number().int(),
  open_overdue: z.number().int(),
};
export const StatisticsRow = z.object({ key: z.string(), name: z.string(), ...figures });
export type StatisticsRow = z.output<typeof StatisticsRow>;
export const Figures = z.object(figures);
export type Figures = z.output<typeof Figures>;

export const ticketStatistics = {
  statistics: call({
    method: 'GET',
    path: '/api/tickets/statistics/',
    access: grant('Retrieve', 'ticket/statistics'),
    summary: '工单统计',
    query: listQuery({
      sort: ['decided', 'wait_hours', 'work_hours', 'return_rate', 'overdue', 'open'],
      filters: {
        by: z.enum(statisticsBy).default('month'),
        workflow_id: id.optional(),
        /** Days, both included; the last twelve months unless told. At most two years. */
        start: day.optional(),
        end: day.optional(),
        /** A department and all below it: of the creator when the ticket was started. */
        dept: id.optional(),
      },
    }),
    reply: listOf(StatisticsRow).extend({ start: z.string(), end: z.string(), summary: Figures }),
    exports: {
      page: 'ticket/statistics',
      title: '工单统计',
      columns: [
        { key: 'name', title: '名称' },
        { key: 'started', title: '发起' },
        { key: 'finished', title: '办结' },
        { key: 'decided', title: '处理' },
        { key: 'wait_hours', title: '平均等待（工作小时）' },
        { key: 'work_hours', title: '平均办理（工作小时）' },
        { key: 'returned', title: '退回' },
        { key: 'return_rate', title: '退回率（%）' },
        { key: 'overdue', title: '逾期' },
        { key: 'open', title: '待办' },
        { key: 'open_overdue', title: '待办已逾期' },
      ],
    },
  }),
};
