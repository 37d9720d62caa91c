import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { done } from '#kernel/contract/shapes.ts';

/** What people hear of; each may come by other ways besides the box. */
export const events = {
  TODO: '有新的待办',
  RETURNED: '工单退回给我',
  URGE: '有人催办',
  APPROVED: '我发起的工单办结',
  CLOSED: '我发起的工单被关闭',
  REVOKED: '工单被作废',
  WITHDRAWN: '待办被收回',
  CC: '抄送给我',
  MENTION: '评论中提到我',
  DIST: '公文分发给我',
  DIST_UNREAD: '分发的公文快到阅读期限',
  DOC_NOTICE: '公文通知',
  MUST_READ: '有必读的制度文件',
  NOTICE: '通知公告',
  CHASE: '通知待确认提醒',
  DIGEST: '每日待办汇总',
} as const;
export type MessageEvent = keyof typeof events;
const eventCodes = Object.keys(events) as [MessageEvent, ...MessageEvent[]];

/** Ways to a person besides the box, which always gets everything. */
export const ways = { sms: '短信', mail: '邮件' } as const;
export type Way = keyof typeof ways;
const wayCodes = Object.keys(ways) as [Way, ...Way[]];

const Hour = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请按“22:00”的格式填写')
  .nullable();
const Chosen = z.partialRecord(z.enum(eventCodes), z.array(z.enum(wayCodes)).max(wayCodes.length));
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
    /** `open`: ways this office has; `reachable`: those that lead to me. */
    reply: Habit.extend({ open: z.array(z.enum(wayCodes)), reachable: z.array(z.enum(wayCodes)) }),
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
