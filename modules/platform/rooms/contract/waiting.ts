import { z } from 'zod';
import { call, everyone, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import { done, idParams, localMoment } from '#kernel/contract/shapes.ts';

export const mostWaits = 20;
/** Minutes for which a freed room is reserved for a person on the waiting list. */
export const offerMinutes = 30;

const Waiting = z.object({
  id: z.number().int(),
  room_id: z.number().int().nullable(),
  office_id: z.number().int().nullable(),
  /** Name of the room, or of the office. */
  name: z.string(),
  capacity: z.number().int(),
  start_time: z.string(),
  end_time: z.string(),
  offered_room: z.number().int().nullable(),
  offered_name: z.string(),
  offered_until: z.string().nullable(),
  missed: z.boolean(),
  /** The number of earlier people who wait for an overlapping time. */
  before: z.number().int(),
});
export type Waiting = z.output<typeof Waiting>;

const path = '/api/meet/waiting/';
export const waiting = {
  list: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '我的候补',
    reply: z.object({ value: z.array(Waiting) }),
    fresh: true,
  }),
  wait: call({
    method: 'POST',
    path,
    access: grant('Create', 'meet/list'),
    summary: '候补会议室',
    body: z
      .object({
        room_id: z.int().positive().optional().meta({ title: '会议室' }),
        office_id: z.int().positive().optional().meta({ title: '会务单位' }),
        capacity: z.int().min(1).max(5000).default(1).meta({ title: '至少容纳' }),
        start_time: localMoment.meta({ title: '开始时间' }),
        end_time: localMoment.meta({ title: '结束时间' }),
      })
      .refine(({ room_id: room, office_id: office }) => (room === undefined) !== (office === undefined), {
        path: ['room_id'],
        message: '请选择会议室或会务单位，二者选一',
      })
      .refine(({ start_time, end_time }) => start_time < end_time, { path: ['end_time'], message: '应晚于开始时间' }),
    reply: done,
    message: '已加入候补，有空位时会收到消息',
  }),
  leave: call({
    method: 'DELETE',
    path: `${path}{id}/`,
    access: signedIn,
    summary: '取消候补',
    params: idParams,
    reply: done,
    message: '已取消候补',
  }),
};

const door = '/api/meet/room/{id}/door/';
/** Days without a request after which a door screen's address ends: longer than a summer holiday, so it is probably forgotten somewhere. */
export const doorDays = 120;
/** Door screens. */
export const doors = {
  make: call({
    method: 'POST',
    path: door,
    access: grant('Update', 'meet/room'),
    summary: '生成门牌屏地址',
    params: idParams,
    reply: z.object({ url: z.string(), image: z.string() }),
    message: '已生成，原来的地址即刻失效',
    shownOnce: true,
  }),
  end: call({
    method: 'DELETE',
    path: door,
    access: grant('Update', 'meet/room'),
    summary: '停用门牌屏地址',
    params: idParams,
    reply: done,
    message: '门牌屏地址已失效',
  }),
  page: call({
    method: 'GET',
    path: '/api/meet/door/{code}/',
    access: everyone,
    summary: '门牌页',
    params: z.object({ code: z.string() }),
    reply: fileReply,
    fresh: true,
    notesReading: true,
  }),
};
