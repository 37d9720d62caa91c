import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done } from '#kernel/contract/shapes.ts';
import { newsGroups, wayCodes } from './kinds.ts';

export const unknownNews = refusal(codes.invalid, (event: string) => `没有“${event}”这种消息，请刷新页面后重新选择`);

const Hour = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请按“22:00”的格式填写')
  .nullable();
/** Channels by event, named as in `choicesOf`. */
const Chosen = z.record(z.string().max(40), z.array(z.enum(wayCodes)).max(wayCodes.length));
export type Chosen = z.output<typeof Chosen>;
const Group = z.object({
  title: z.enum(newsGroups),
  events: z.array(z.object({ event: z.string(), name: z.string() })),
});
export type NewsGroupChoice = z.output<typeof Group>;
const Habit = z.object({
  events: Chosen.meta({ title: '提醒方式' }),
  quiet_from: Hour.meta({ title: '免打扰开始' }),
  quiet_to: Hour.meta({ title: '免打扰结束' }),
  digest: z.boolean().meta({ title: '每日待办汇总' }),
});

export const preferenceCalls = {
  preference: call({
    method: 'GET',
    path: '/api/msg/preference/',
    access: signedIn,
    summary: '消息提醒设置',
    /**
     * `groups`: the available choices; `defaults`: the channels of events for which I chose none; `open`: channels configured here; `reachable`:
     * those that reach me.
     */
    reply: Habit.extend({
      groups: z.array(Group),
      defaults: Chosen,
      open: z.array(z.enum(wayCodes)),
      reachable: z.array(z.enum(wayCodes)),
    }),
    fresh: true,
  }),
  keepPreference: call({
    method: 'PUT',
    path: '/api/msg/preference/',
    access: signedIn,
    summary: '保存消息提醒设置',
    body: Habit.partial().refine((habit) => !habit.quiet_from === !habit.quiet_to, {
      message: '开始和结束时间请一起填写',
      path: ['quiet_to'],
    }),
    reply: done,
    message: '提醒设置已保存',
    quiet: true,
  }),
};
