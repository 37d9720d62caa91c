import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { day, done, id, idParams, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field, onOff, optionsOf } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'workflow/list';

export const everyNames = { 1: '每天', 2: '每周', 3: '每月', 4: '每年' } as const;
export const weekdayNames = { 1: '周一', 2: '周二', 3: '周三', 4: '周四', 5: '周五', 6: '周六', 7: '周日' } as const;
/** The last day of a month, whatever its number. */
export const lastOfMonth = -1;
export const outcomes = ['started', 'skipped', 'failed'] as const;
export const outcomeNames = { started: '已发起', skipped: '已跳过', failed: '未发起' } as const;

const monthDays = [
  ...Array.from({ length: 31 }, (_one, at) => ({ value: at + 1, label: `${at + 1} 日` })),
  { value: lastOfMonth, label: '最后一天' },
];
const scheduleShape = {
  name: name(30).meta(field('名称')),
  person_id: id.meta(
    field('以谁的名义发起', {
      help: '工单由他发起，按他的发起范围和次数限制；设定后他会收到消息；设定的人和他一样，不能审批由此产生的工单',
    }),
  ),
  every: choice('重复', everyNames),
  interval: int
    .min(1)
    .max(99)
    .default(1)
    .meta(field('间隔', { help: '每隔几天、几周、几个月或几年一次，1 为每次都发起' })),
  weekdays: z
    .array(z.literal(Object.keys(weekdayNames).map(Number)))
    .max(7)
    .default([])
    .meta(field('星期', { kind: 'select', multiple: true, options: optionsOf(weekdayNames) })),
  month_days: z
    .array(
      int
        .min(lastOfMonth)
        .max(31)
        .refine((one) => one !== 0, '没有这一天'),
    )
    .max(31)
    .default([])
    .meta(
      field('日期', {
        kind: 'select',
        multiple: true,
        options: monthDays,
        help: '没有 31 日的月份在 31 日这一项上不发起，每月末请选“最后一天”',
      }),
    ),
  at_time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请填写时间，如 09:00')
    .meta(field('时间')),
  begins_on: day.meta(field('开始日期', { help: '间隔从这一天数起' })),
  ends_on: day
    .nullable()
    .default(null)
    .meta(field('结束日期', { help: '不填则一直重复' })),
  workdays_only: z
    .boolean()
    .default(false)
    .meta(field('非工作日不发起', { kind: 'switch', help: '按工作日历；跳过的这一次不补' })),
  values: z.record(z.string().max(50), z.unknown()).default({}).meta(field('表单内容')),
  status: choice('状态', onOff.names).default(1),
};

export const ScheduleRun = z.object({
  id: int,
  /** The time it was due. */
  due_at: timestamp.meta(field('应发起时间')),
  /** The number of earlier dates on which nothing was begun, reported together. */
  missed: int,
  outcome: z.enum(outcomes).meta(field('结果')),
  message: z.string().meta(field('说明')),
  ticket_id: int.nullable(),
  /** The person who handled a failure, and when; null while it waits for the workflow's administrators. */
  handled_at: timestamp.nullable(),
  handled_by: z.string(),
  /** `again`, `dismiss`. */
  actions: z.array(z.string()),
});
export type ScheduleRun = z.output<typeof ScheduleRun>;

/** Schedules that start a workflow: times, the person in whose name, and the values. */
export const schedules = nounCalls({
  prefix: '/api/workflows/schedules/',
  page,
  noun: '定时发起',
  input: scheduleShape,
  once: { workflow_id: id.meta({ title: '流程', hidden: true }) },
  row: {
    ...z.object(scheduleShape).shape,
    workflow_id: int,
    person: z.string().meta(field('以谁的名义发起', { short: '以谁的名义' })),
    /** 每月 1 日、最后一天 09:00. */
    when: z.string().meta(field('时间')),
    /** Null if no date follows. */
    next_at: timestamp.nullable().meta(field('下次')),
    last: ScheduleRun.pick({ due_at: true, outcome: true, message: true, ticket_id: true })
      .nullable()
      .meta(field('上次结果')),
    /** Failures that are not handled yet. */
    open: int,
  },
  sort: ['name', 'next_at'],
  filters: { workflow_id: id.optional() },
});

export const scheduleCalls = {
  runs: call({
    method: 'GET',
    path: '/api/workflows/schedules/{id}/runs/',
    access: grant('Retrieve', page),
    summary: '定时发起的各次结果',
    params: idParams,
    query: listQuery({ sort: ['due_at'] }),
    reply: listOf(ScheduleRun),
    fresh: true,
  }),
  again: call({
    method: 'POST',
    path: '/api/workflows/schedule_runs/{id}/again/',
    access: grant('Update', page),
    summary: '补发未发起的一次',
    params: idParams,
    reply: z.object({ id: int, ticket_id: int, sn: z.string() }),
    message: '已发起',
  }),
  dismiss: call({
    method: 'POST',
    path: '/api/workflows/schedule_runs/{id}/dismiss/',
    access: grant('Update', page),
    summary: '不再补发',
    params: idParams,
    reply: done,
    message: '已处理，这一次不再补发',
  }),
};

export const noDates = refusal(codes.refused, (when: string) => `按“${when}”以后没有日期，请修改重复方式或结束日期`);
export const daysMissing = refusal(codes.refused, (what: string) => `请选择${what}`);
export const wouldNotStart = refusal(codes.refused, (why: string) => `这样设定发起不了工单：${why}`);
export const stillNot = refusal(codes.refused, (why: string) => `仍不能发起：${why}`);
export const handledAlready = refusal(codes.notNow, (how: string) => `这一次${how}，请刷新查看`);
