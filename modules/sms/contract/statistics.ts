import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { day } from '#kernel/contract/shapes.ts';

const int = z.number().int();
const Used = z.object({ used: int, limit: int });
const Sums = z.object({
  total: int,
  segments: int,
  /** A receipt said so. */
  delivered: int,
  /** Not taken, or a receipt said so. */
  failed: int,
  /** Yuan, two decimals; null where no price is set. */
  cost: z.string().nullable(),
});
const MonthSums = Sums.extend({ month: z.string() });
const DeptSums = Sums.extend({ dept_name: z.string() });
export type MonthSums = z.output<typeof MonthSums>;
export type DeptSums = z.output<typeof DeptSums>;

export const statistics = {
  statistics: call({
    method: 'GET',
    path: '/api/sms/statistics/',
    access: grant('Retrieve', 'sms/logs'),
    summary: '短信配额与统计',
    query: z.object({
      /** The last six months unless told. */
      start: day.optional().meta({ title: '开始日期' }),
      end: day.optional().meta({ title: '结束日期' }),
    }),
    reply: z.object({
      /** The viewer's own day. */
      today: Used,
      /** This month, of the departments within the scope that have sent. */
      depts: z.array(Used.extend({ dept_name: z.string() })),
      by_month: z.array(MonthSums),
      by_dept: z.array(DeptSums),
    }),
  }),
};
