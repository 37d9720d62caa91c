import { z } from 'zod';
import { call, grant, grantOverAll } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, done, idParams, line, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

/** A failed background job. */
const Job = z.object({
  id: z.number().int(),
  title: z.string(),
  tries: z.number().int(),
  /** It is not tried any more. */
  dead: z.boolean(),
  /** The time of the next try. */
  due_at: timestamp,
  answer: z.string(),
  gmt_created: timestamp,
  actions,
});
export type Job = z.output<typeof Job>;

/** A kind of background job. */
export const JobKind = z.object({
  name: z.string(),
  title: z.string().meta(field('任务')),
  /** `cron` at times of day, `every` at intervals, `asked` on demand. */
  how: z.enum(['cron', 'every', 'asked']).meta(field('方式')),
  every_seconds: z.number().int().nullable(),
  last_at: timestamp.nullable().meta(field('最近一次')),
  /** Duration of the last run in milliseconds. */
  ms: z.number().int().nullable().meta(field('用时')),
  /** By its schedule, or the due time of its first waiting job. */
  next_at: timestamp.nullable().meta(field('下次')),
  waiting: z.number().int().meta(field('排队')),
  /** The waiting jobs that failed, to be tried again or dead. */
  failed: z.number().int(),
  failed_at: timestamp.nullable(),
  failure: z.string().meta(field('最近的问题')),
  /** The most recent run failed. */
  broken: z.boolean(),
  actions,
});
export type JobKind = z.output<typeof JobKind>;

export const notRunnable = refusal(codes.refused, (title: string) => `“${title}”不是定时任务，不能立即执行`);

export const jobCalls = {
  kinds: call({
    method: 'GET',
    path: '/api/msg/job/',
    access: grantOverAll('Retrieve', 'system/job'),
    summary: '查看后台任务',
    reply: z.object({ value: z.array(JobKind) }),
    fresh: true,
  }),
  runKind: call({
    method: 'POST',
    path: '/api/msg/job/run/',
    access: grantOverAll('chuli', 'system/job'),
    summary: '立即执行定时任务',
    body: z.object({ name: line(100).meta({ title: '任务' }) }),
    reply: done,
    message: '已提交，片刻后执行',
  }),
  jobs: call({
    method: 'GET',
    path: '/api/msg/delivery/job/',
    access: grant('Retrieve', 'system/delivery'),
    summary: '未完成的后台任务',
    query: listQuery({ sort: ['due_at'] }),
    reply: listOf(Job),
    fresh: true,
  }),
  runJob: call({
    method: 'POST',
    path: '/api/msg/delivery/job/{id}/run/',
    access: grant('chuli', 'system/delivery'),
    summary: '重新执行后台任务',
    params: idParams,
    reply: done,
    message: '已重新执行',
  }),
};
