import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { money } from '#kernel/contract/money/money.ts';
import { daysBetween } from '#kernel/contract/moment.ts';
import { day, done, flag, id, idParams, line, listOf, listQuery, name, version } from '#kernel/contract/shapes.ts';
import { inOrder } from '#kernel/contract/words/periods.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { Entry, Performance } from '../shapes.ts';

const page = 'contract/performance';
const path = '/api/contract/performance/';
const one = `${path}{id}/` as const;
const code = z.coerce.number().int().min(0).max(99).optional();

const Row = Performance.extend({
  contract_name: z.string().meta(field('合同')),
  contract_no: z.string().meta(field('合同编号')),
  dept_name: z.string(),
});
export type PerformanceRow = z.output<typeof Row>;

/** The limit of days in a calendar by day; longer periods are grouped by month. */
const mostDays = 1100;

export const performanceCalls = {
  performances: call({
    method: 'GET',
    path,
    access: grant('Retrieve', page),
    summary: '查看合同履约',
    query: listQuery({
      sort: ['plan_date', 'plan_amount'],
      filters: {
        /** Defaults to open rows: late ones first, then by due day. */
        category: z.enum(['open', 'done', 'off', 'all']).default('open'),
        contract_id: id.optional(),
        kind: code,
        direction: code.meta({ title: '收付' }),
        state: code,
        handler: id.optional(),
        dept_id: id.optional(),
        plan_date: day.optional(),
        plan_from: day.optional().meta({ title: '计划日期自' }),
        plan_to: day.optional().meta({ title: '计划日期至' }),
      },
    }),
    reply: listOf(Row),
    exports: {
      page,
      title: '合同履约',
      columns: sheetColumns(Row.shape, [
        'contract_no',
        'contract_name',
        'period',
        'name',
        'kind',
        { key: 'gives_back', show: (value: boolean) => (value ? '退还' : '') },
        'plan_date',
        'plan_amount',
        'done_amount',
        'state',
        'handler_alias',
        'days_left',
      ]),
    },
  }),
  performanceDays: call({
    method: 'GET',
    path: `${path}calendar/`,
    access: grant('Retrieve', page),
    summary: '查看履约日历',
    query: inOrder(
      z.object({
        start: day,
        end: day,
        direction: code,
        dept: id.optional(),
        category: id.optional(),
        /** Groups by month, for longer periods. */
        by: z.enum(['day', 'month']).default('day'),
      }),
      ['start', 'end'],
    ).refine(({ start, end, by }) => by === 'month' || daysBetween(start, end) <= mostDays, {
      path: ['end'],
      message: `按天最多查看 ${mostDays} 天，请缩短期间，或按月查看`,
    }),
    reply: z.array(
      z.object({
        day: z.string(),
        in: z.number(),
        out: z.number(),
        /** The amounts still to come, the same as in the forecast. */
        due_in: z.number(),
        due_out: z.number(),
        count: z.number().int(),
        overdue: z.number().int(),
      }),
    ),
  }),
  performance: call({
    method: 'GET',
    path: one,
    access: grant('Retrieve', page),
    summary: '查看履约节点',
    params: idParams,
    reply: z.object({ value: Row.extend({ entries: z.array(Entry) }) }),
    fresh: true,
  }),
  changePerformance: call({
    method: 'PUT',
    path: one,
    access: signedIn,
    summary: '调整履约节点',
    params: idParams,
    body: z.object({
      name: name(60).optional().meta({ title: '名称' }),
      plan_date: day.optional().meta({ title: '计划日期' }),
      plan_amount: money.optional().meta({ title: '计划金额' }),
      /** The due day of the rest, if the row is split. */
      rest_date: day.optional().meta({ title: '余额计划日期' }),
      /** The reduction is no longer owed. */
      audited: flag.optional().meta({ title: '审减' }),
      handler: id.optional().meta({ title: '办理人' }),
      remind_days: z.array(z.number().int().min(0).max(365)).max(6).optional().meta({ title: '提醒天数' }),
      cancel: flag.optional().meta({ title: '取消这个节点' }),
      reason: line(300).min(1, '请填写').meta({ title: '原因' }),
      version,
    }),
    reply: done,
    message: '履约节点已调整',
  }),
  removePerformance: call({
    method: 'DELETE',
    path: one,
    access: grant('Delete', page),
    summary: '删除履约节点',
    params: idParams,
    reply: done,
    message: '履约节点已删除',
  }),
};
