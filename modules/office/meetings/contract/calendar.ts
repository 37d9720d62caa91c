import { z } from 'zod';
import { call, fileReply, signedIn } from '#kernel/contract/call.ts';
import { daysBetween } from '#kernel/contract/moment.ts';
import { day, id, idParams, localMoment, timestamp } from '#kernel/contract/shapes.ts';

const int = z.number().int();
/** The limit of days in one query. */
export const mostDays = 62;
/** The limit of meetings in one answer. */
export const mostMeetings = 2000;
export const calendarScopes = { mine: '我的', dept: '本部门', all: '全部' } as const;

const span = z.object({ start_time: timestamp, end_time: timestamp });
const Shown = z.object({
  /** Null if the viewer may not open it. */
  id: int.nullable(),
  title: z.string(),
  start_time: timestamp,
  end_time: timestamp,
  room_name: z.string(),
  host_name: z.string(),
  act_state: int,
  meet_status: int,
  mine: z.boolean(),
  /** True if the viewer decides its time and it has not begun; a move is sent with `version`. */
  movable: z.boolean(),
  version: int,
});
export type CalendarMeeting = z.output<typeof Shown>;

/** Meetings in a period, and busy times of people. */
export const calendar = {
  calendar: call({
    method: 'GET',
    path: '/api/meet/calendar/',
    access: signedIn,
    summary: '会议日历',
    query: z
      .object({
        start: day.meta({ title: '开始日期' }),
        end: day.meta({ title: '结束日期' }),
        scope: z
          .enum(Object.keys(calendarScopes) as ['mine', 'dept', 'all'])
          .default('mine')
          .meta({ title: '范围' }),
        office_id: id.optional().meta({ title: '会务单位' }),
        room_id: id.optional().meta({ title: '会议室' }),
      })
      .refine(({ start, end }) => start <= end && daysBetween(start, end) <= mostDays, {
        path: ['end'],
        message: `应不早于开始日期，且最多 ${mostDays} 天`,
      }),
    /** `more` is true if only the first ones are returned. */
    reply: z.object({ value: z.array(Shown), more: z.boolean() }),
    fresh: true,
  }),
  busy: call({
    method: 'POST',
    path: '/api/meet/busy/',
    access: signedIn,
    summary: '人员忙闲',
    body: z
      .object({
        users: z.array(id).min(1).max(200, '最多 200 人').meta({ title: '人员' }),
        start_time: localMoment.meta({ title: '开始时间' }),
        end_time: localMoment.meta({ title: '结束时间' }),
        exclude_id: id.optional().meta({ title: '不计入的会议' }),
        suggest: z.boolean().default(false).meta({ title: '推荐共同空闲时间' }),
      })
      .refine(({ start_time, end_time }) => start_time < end_time, { path: ['end_time'], message: '应晚于开始时间' }),
    /** Each person with their engagements at that time, named if the viewer may know them; `free` lists common free times in working hours. */
    reply: z.object({
      value: z.array(z.object({ user_id: int, alias: z.string(), busy: z.array(span.extend({ label: z.string() })) })),
      free: z.array(span),
    }),
    quiet: true,
  }),
  ics: call({
    method: 'GET',
    path: '/api/meet/{id}/ics/',
    access: signedIn,
    summary: '下载会议日历文件',
    params: idParams,
    reply: fileReply,
  }),
};
