import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { day, id, listQuery } from '#kernel/contract/shapes.ts';

export const statisticsPage = 'document/statistics';
export const dims = ['month', 'type', 'dept', 'level', 'handler', 'return', 'gap'] as const;
export type Dim = (typeof dims)[number];

const int = z.number().int();
/** One line of a table; what a dimension does not know is 0. */
export const DocumentFigure = z.object({
  key: z.string(),
  name: z.string(),
  total: int,
  sent: int,
  received: int,
  finished: int,
  /** Of those that run, as their light says; and of the finished, those that came too late. */
  overdue: int,
  late: int,
  /** Mean working hours from submission to the end. */
  avg_hours: z.number(),
  /** Documents that wait for a person, and for how many working hours the longest has. */
  waiting: int,
  longest_hours: z.number(),
  returned: int,
  /** The last reasons of returns, or the missing numbers. */
  note: z.string(),
});
export type DocumentFigure = z.output<typeof DocumentFigure>;
const table = z.array(DocumentFigure);

export const DocumentStatistics = z.object({
  summary: z.object({
    total: int,
    /** Count by act_state, 0 to 6. Drafts are their authors' and never counted. */
    by_act_state: z.record(z.string(), int),
    overdue: int,
    late: int,
    avg_hours: z.number(),
    median_hours: z.number(),
  }),
  by_month: table,
  by_type: table,
  by_dept: table,
  by_level: table,
  /** The twenty for whom most waits. */
  by_handler: table,
  /** By who drafted what came back. */
  by_return: table,
  /** Copies given out of these documents and not recalled, and the percentage of them that was read. */
  reading: z.object({ dist: int, read_rate: z.number() }),
  /** Numbers missing in the books of the period; of the whole house, so only for whom the scope is all. */
  number_gaps: table,
});
export type DocumentStatistics = z.output<typeof DocumentStatistics>;

export const documentStatistics = {
  statistics: call({
    method: 'GET',
    path: '/api/document/statistics/',
    access: grant('Retrieve', statisticsPage),
    summary: '公文统计',
    query: listQuery({
      sort: ['total'],
      filters: {
        /** Days of creation, both included; the last twelve months unless told. At most two years. */
        start: day.optional(),
        end: day.optional(),
        doc_kind: z.coerce.number().int().min(1).max(3).optional(),
        /** A department and all below it. */
        dept: id.optional(),
        /** Only this table, as a list, which can be exported. */
        dim: z.enum(dims).optional(),
      },
    }),
    reply: z.object({
      value: z.union([table, DocumentStatistics]),
      total: int.optional(),
      total_capped: z.boolean().optional(),
      page: int.optional(),
      per_page: int.optional(),
      start: z.string(),
      end: z.string(),
    }),
    exports: {
      page: statisticsPage,
      title: '公文统计',
      columns: [
        { key: 'name', title: '名称' },
        { key: 'total', title: '公文' },
        { key: 'sent', title: '发文' },
        { key: 'received', title: '收文' },
        { key: 'finished', title: '办结' },
        { key: 'overdue', title: '逾期' },
        { key: 'late', title: '逾期办结' },
        { key: 'avg_hours', title: '平均办理（工作小时）' },
        { key: 'waiting', title: '待办' },
        { key: 'longest_hours', title: '最长等待（工作小时）' },
        { key: 'returned', title: '退回' },
        { key: 'note', title: '说明' },
      ],
    },
  }),
};
