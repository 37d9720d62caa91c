import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { done, id, idParams, localMoment, name } from '#kernel/contract/shapes.ts';
import { Alternative, Clash } from '#modules/platform/bookings/contract.ts';
import { Repeat } from './repeat.ts';
import { OpenHours, date } from './shapes.ts';

/** An occupation of a room, as far as the person may know. */
export const Block = z.object({
  /** `meetings`, `activities`, `blackouts`: the module of its record. */
  module: z.string(),
  record_id: z.number().int(),
  start_time: z.string(),
  end_time: z.string(),
  /** The earliest begin of the next one. */
  free_at: z.string(),
  title: z.string(),
  /** Waits for approval. */
  held: z.boolean(),
  mine: z.boolean(),
  /** The page it opens, for people who may see it. */
  path: z.string().nullable(),
  /** The version with which the viewer may move it; null if they may not. */
  movable: z.number().int().nullable(),
});
export type Block = z.output<typeof Block>;
export const DayRoom = z.object({
  id: z.number().int(),
  name: z.string(),
  office_id: z.number().int(),
  office_name: z.string(),
  building: z.string(),
  floor: z.string(),
  capacity: z.number().int(),
  equipment: z.array(z.string()),
  status: z.number().int(),
  open_hours: OpenHours,
  /** Why it is closed all of that day; null if it is open. */
  closed: z.string().nullable(),
  step_min: z.number().int(),
  approves: z.boolean(),
  buffer_minutes: z.number().int(),
  blocks: z.array(Block),
});
export type DayRoom = z.output<typeof DayRoom>;

/** The availability of a room on one date. */
const DateLook = z.object({
  room_id: z.number().int(),
  start_time: z.string(),
  end_time: z.string(),
  state: z.enum(['free', 'clash', 'blackout', 'rules']),
  /** Violated rules of the room, one sentence each. */
  reasons: z.array(z.string()),
  conflicts: z.array(Clash),
  alternatives: z.array(Alternative),
});
export type DateLook = z.output<typeof DateLook>;

const Blackout = z.object({
  id: z.number().int(),
  room_id: z.number().int(),
  room_name: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  reason: z.string(),
  creator_name: z.string(),
});
export type Blackout = z.output<typeof Blackout>;

/** Free and closed times of rooms. */
export const roomTimes = {
  day: call({
    method: 'GET',
    path: '/api/meet/day/',
    access: signedIn,
    summary: '会议室日视图',
    query: z.object({
      date: date.optional().meta({ title: '日期' }),
      office_id: id.optional().meta({ title: '会务单位' }),
    }),
    reply: z.object({ date: z.string(), rooms: z.array(DayRoom) }),
    fresh: true,
  }),
  week: call({
    method: 'GET',
    path: '/api/meet/room/{id}/week/',
    access: signedIn,
    summary: '一间会议室的一周',
    params: idParams,
    query: z.object({ date: date.optional().meta({ title: '日期' }) }),
    /** From Monday; `date` is any day of that week. */
    reply: z.object({ days: z.array(DayRoom.extend({ date: z.string() })) }),
    fresh: true,
  }),
  isApply: call({
    method: 'GET',
    path: '/api/meet/is_apply/',
    access: signedIn,
    summary: '会议室是否可约',
    query: z.object({
      room_id: id.meta({ title: '会议室' }),
      start_time: localMoment.meta({ title: '开始时间' }),
      end_time: localMoment.meta({ title: '结束时间' }),
      /** The meeting being changed, which is no clash with itself. */
      exclude_id: id.optional().meta({ title: '不计入的会议' }),
    }),
    reply: z.object({
      can_apply: z.boolean(),
      approves: z.boolean(),
      /** One sentence each. */
      reasons: z.array(z.string()),
      conflicts: z.array(Clash),
      alternatives: z.array(Alternative),
    }),
    fresh: true,
  }),
  areApply: call({
    method: 'POST',
    path: '/api/meet/is_apply/',
    access: signedIn,
    summary: '多个日期或会议室是否可约',
    body: z
      .object({
        room_ids: z.array(z.int().positive()).min(1).max(10).meta({ title: '会议室' }),
        start_time: localMoment.meta({ title: '开始时间' }),
        end_time: localMoment.meta({ title: '结束时间' }),
        repeat: Repeat.nullable().default(null).meta({ title: '重复' }),
        exclude_id: z.int().positive().optional().meta({ title: '不计入的会议' }),
      })
      .refine(({ start_time, end_time }) => start_time < end_time, { path: ['end_time'], message: '应晚于开始时间' }),
    /** A row for each date and room, by date; `faults` if the repetition itself is invalid. */
    reply: z.object({ faults: z.array(z.string()), value: z.array(DateLook) }),
    quiet: true,
  }),
  blackouts: call({
    method: 'GET',
    path: '/api/meet/blackout/',
    access: signedIn,
    summary: '会议室停用时段',
    query: z.object({ room_id: id.optional().meta({ title: '会议室' }) }),
    reply: z.object({ value: z.array(Blackout) }),
  }),
  close: call({
    method: 'POST',
    path: '/api/meet/blackout/',
    access: grant('Update', 'meet/room'),
    summary: '停用会议室一段时间',
    body: z
      .object({
        room_id: id.meta({ title: '会议室' }),
        start_time: localMoment.meta({ title: '开始时间' }),
        end_time: localMoment.meta({ title: '结束时间' }),
        reason: name(100).meta({ title: '原因' }),
        /** Moves or cancels existing occupations. */
        force: z.boolean().default(false).meta({ title: '改派或取消已有安排' }),
      })
      .refine(({ start_time, end_time }) => start_time < end_time, { path: ['end_time'], message: '应晚于开始时间' }),
    reply: done,
    message: '已停用',
  }),
  open: call({
    method: 'DELETE',
    path: '/api/meet/blackout/{id}/',
    access: grant('Update', 'meet/room'),
    summary: '取消停用时段',
    params: idParams,
    reply: done,
    message: '已恢复开放',
  }),
};

/** Address of a meeting application with room and time filled in. */
export const applyPath = ({
  room_id,
  start_time,
  end_time,
}: {
  room_id: number;
  start_time: string;
  end_time: string;
}) =>
  `/meet/book?${new URLSearchParams({ room_id: String(room_id), start_time: start_time.slice(0, 16), end_time: end_time.slice(0, 16) }).toString()}`;
/** The week of one room. */
export const weekPath = (room: number, date?: string): string => `/meet/week/${room}${date ? `?date=${date}` : ''}`;
