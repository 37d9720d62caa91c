import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { actions, done, idParams, listOf, listQuery, timestamp } from '#kernel/contract/shapes.ts';

/** Work beside requests that failed. */
const Job = z.object({
  id: z.number().int(),
  title: z.string(),
  tries: z.number().int(),
  /** Nobody tries it any more. */
  dead: z.boolean(),
  /** When it is tried next. */
  due_at: timestamp,
  answer: z.string(),
  gmt_created: timestamp,
  actions,
});
export type Job = z.output<typeof Job>;

export const jobCalls = {
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
