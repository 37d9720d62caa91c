import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { actions, done, id, idParams, localMoment, timestamp } from '#kernel/contract/shapes.ts';

const path = '/api/meet/{id}/series/' as const;
const int = z.number().int();
const Left = z.object({ start_time: timestamp, reason: z.string() });

/** A repeat: its dates, with those left out and the reasons. */
export const series = {
  get: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '查看重复会议的各次安排',
    params: idParams,
    reply: z.object({
      value: z.array(
        z.object({
          id: int,
          start_time: timestamp,
          end_time: timestamp,
          original_start: timestamp,
          room_name: z.string(),
          meet_status: int,
          act_state: int,
          skipped: z.boolean(),
          /** True if this date was moved alone. */
          moved: z.boolean(),
          reason: z.string(),
        }),
      ),
      /** The rule in words. */
      rule: z.string(),
      actions,
    }),
    fresh: true,
  }),
  book: call({
    method: 'POST',
    path,
    access: signedIn,
    summary: '补约或增加重复会议的日期',
    params: idParams,
    body: z
      .object({
        /** Dates that were left out. */
        ids: z.array(id).max(100).default([]).meta({ title: '未安排的日期' }),
        further: z
          .array(z.object({ start_time: localMoment, end_time: localMoment }))
          .max(50)
          .default([])
          .meta({ title: '增加的日期' }),
      })
      .refine(({ ids, further }) => ids.length + further.length > 0, { path: ['ids'], message: '请选择日期' }),
    reply: z.object({ booked: int, left: z.array(Left) }),
    says: ({ booked, left }: { booked: number; left: object[] }) =>
      left.length === 0 ? `已安排 ${booked} 次` : `已安排 ${booked} 次，${left.length} 次仍不能安排`,
  }),
  keep: call({
    method: 'PUT',
    path: '/api/meet/{id}/keep/',
    access: signedIn,
    summary: '确认仍需召开',
    params: idParams,
    reply: done,
    message: '已确认，本次会议照常举行',
  }),
};
