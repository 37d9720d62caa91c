import { z } from 'zod';
import { figures, type PageOf } from '#kernel/contract/figures.ts';
import { id } from '#kernel/contract/shapes.ts';

export const statisticsPage = 'document/statistics';
const int = z.number().int();
const ofDocuments = ['total', 'sent', 'received', 'finished', 'unanswered', 'overdue', 'late', 'avg_hours'] as const;
const common = { columns: ofDocuments, unit: '份', chart: 'bars', none: '所选范围内还没有公文' } as const;

/** By day of creation. Drafts are never counted. */
export const documentStatistics = figures({
  path: '/api/document/statistics/',
  page: statisticsPage,
  title: '公文统计',
  filters: {
    doc_kind: z.coerce.number().int().min(1).max(3).optional(),
    /** A department and all below it. */
    dept: id.optional(),
  },
  months: 12,
  columns: {
    total: { title: '公文' },
    sent: { title: '发文' },
    received: { title: '收文' },
    finished: { title: '办结' },
    /** Finished requests without an answer; they count as open. */
    unanswered: { title: '待答复' },
    /** Overdue among the open ones, by their light; and late among the finished ones. */
    overdue: { title: '逾期' },
    late: { title: '逾期办结' },
    /** The mean working hours from sending to the end. */
    avg_hours: { title: '平均办理（小时）' },
    /** Documents waiting for a person, and the longest waiting time in working hours. */
    waiting: { title: '待办' },
    longest_hours: { title: '最长等待（小时）' },
    returned: { title: '退回' },
    /** The last reasons of returns, or the missing numbers. */
    note: { title: '说明', kind: 'words' },
  },
  panels: {
    month: { ...common, title: '每月公文', heading: '月份', drawn: ['sent', 'received', 'finished'], chart: 'months' },
    dept: { ...common, title: '各部门公文', heading: '部门', drawn: ['sent', 'received'] },
    type: { ...common, title: '各文种公文', heading: '文种', drawn: ['total'] },
    level: { ...common, title: '各紧急程度公文', heading: '紧急程度', drawn: ['total', 'overdue'], ordered: true },
    /** The twenty people with the most waiting documents. */
    handler: {
      ...common,
      title: '各办理人待办数量及等待时长',
      heading: '办理人',
      columns: ['waiting', 'overdue', 'longest_hours'],
      drawn: ['waiting'],
      none: '没有等待办理的公文',
    },
    /** By the author of the returned documents. */
    return: {
      ...common,
      title: '退回最多的起草人与理由',
      heading: '起草人',
      columns: ['returned', 'total', 'note'],
      titles: { note: '最近的理由' },
      drawn: ['returned'],
      first: 'table',
      none: '没有退回的公文',
    },
    /** Missing numbers in the books of the period; they concern the whole house, so only for users with the full scope. */
    gap: {
      ...common,
      title: '字号缺号',
      heading: '字号簿',
      columns: ['total', 'note'],
      titles: { total: '缺号个数', note: '缺号' },
      drawn: ['total'],
      first: 'table',
      none: '字号没有缺号',
    },
  },
  summary: {
    total: int,
    /** Count by act_state, 0 to 6. */
    by_act_state: z.record(z.string(), int),
    /** Finished requests without an answer; not included in the states. */
    unanswered: int,
    overdue: int,
    late: int,
    avg_hours: z.number(),
    median_hours: z.number(),
    /** Copies of these documents that were distributed and not recalled, and the percentage read. */
    reading: z.object({ dist: int, read_rate: z.number() }),
  },
});
export type DocumentStatistics = PageOf<typeof documentStatistics>;
export type Dim = keyof (typeof documentStatistics)['panels'];
