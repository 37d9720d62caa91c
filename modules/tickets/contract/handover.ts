import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { absent, codes, refusal } from '#kernel/contract/refusal.ts';
import { id, idParams, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';

export const noReceiver = refusal(
  codes.refused,
  (username: string) => `用户“${username}”不存在或已停用，请重新选择接收人`,
);

/** An open task, without what the ticket says: who hands it over need not be allowed to read it. */
export const OpenTask = z.object({
  id: z.number().int(),
  ticket_id: z.number().int(),
  sn: z.string(),
  workflow_name: z.string(),
  state_name: z.string(),
  opened_at: timestamp,
  due_at: timestamp.nullable(),
});
export type OpenTask = z.output<typeof OpenTask>;

const path = '/api/accounts/users/{id}/tasks/';

export const handover = {
  openTasks: call({
    method: 'GET',
    path,
    access: grant('Update', 'system/user'),
    summary: '用户未办的待办',
    params: idParams,
    query: listQuery({ sort: ['opened_at'] }),
    reply: listOf(OpenTask),
    refuses: [absent],
    fresh: true,
  }),
  handOver: call({
    method: 'POST',
    path,
    access: grant('Update', 'system/user'),
    summary: '移交离岗人员的待办',
    params: idParams,
    body: z.object({
      target_username: name(50).meta({ title: '接收人' }),
      /** All of them unless some are named. */
      ticket_ids: z.array(id).max(200, '一次最多 200 张').default([]).meta({ title: '工单' }),
    }),
    reply: z.object({
      moved: z.number().int(),
      /** What stays, and why. */
      kept: z.array(z.object({ ticket_id: z.number().int(), sn: z.string(), msg: z.string() })),
    }),
    refuses: [absent, noReceiver],
    message: '已移交',
  }),
};
