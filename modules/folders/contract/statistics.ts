import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { listOf, listQuery } from '#kernel/contract/shapes.ts';

export const statisticsPage = 'folder/statistics';
export const figuresBy = ['category', 'dept', 'status', 'must_read', 'overdue', 'expired', 'miss'] as const;
export type FiguresBy = (typeof figuresBy)[number];

/** One line of a table: which columns mean something depends on `by`. */
export const FigureRow = z.object({
  key: z.string(),
  name: z.string(),
  /** Papers; overdue readings; or how often a word was looked for. */
  count: z.number().int(),
  /** People a paper is meant for, those of them who confirmed it, and the percentage. */
  total: z.number().int(),
  done: z.number().int(),
  rate: z.number(),
  /** Reading deadline, day of expiry, or the last day a word was looked for. */
  day: z.string().nullable(),
});
export type FigureRow = z.output<typeof FigureRow>;

export const figureCalls = {
  /** Figures of the papers I manage; words without a hit are everybody's and name nobody. */
  statistics: call({
    method: 'GET',
    path: '/api/folder/statistics/',
    access: grant('Retrieve', statisticsPage),
    summary: '制度文件统计',
    query: listQuery({
      sort: ['count', 'rate', 'day'],
      filters: { by: z.enum(figuresBy).default('category') },
    }),
    reply: listOf(FigureRow),
    exports: {
      page: statisticsPage,
      title: '制度文件统计',
      columns: [
        { key: 'name', title: '名称' },
        { key: 'count', title: '数量' },
        { key: 'total', title: '应读人数' },
        { key: 'done', title: '已确认人数' },
        { key: 'rate', title: '阅读率（%）' },
        { key: 'day', title: '日期' },
      ],
    },
  }),
};
