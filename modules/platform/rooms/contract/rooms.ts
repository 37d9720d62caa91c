import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { actions, done, id, idParams, listOf, listQuery, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { equipment, OpenHours, RoomInput } from './shapes.ts';

const page = 'meet/room';
const path = '/api/meet/room/';
const one = `${path}{id}/` as const;

export const RoomRow = z.object({
  ...RoomInput.required().shape,
  id: z.number().int(),
  office_name: z.string().meta(field('会务单位')),
  managers_info: z.array(PersonCard),
  photos_info: z.array(FileCard),
  /** Names of the departments that may use it. */
  allow_names: z.array(z.string()).meta(field('使用范围')),
  /** The door screen, for the room's keepers; null if there is none. One that was not opened for long has ended. */
  door: z.object({ last_seen: z.string().nullable(), ended: z.boolean() }).nullable(),
  version: z.number().int(),
  actions,
});
export type RoomRow = z.output<typeof RoomRow>;

/** A room for people who want to book it: its rules for them, and its next free time. */
export const RoomCard = RoomRow.extend({
  office: z
    .object({
      name: z.string(),
      phone: z.string(),
      address: z.string(),
      rules_text: z.string(),
      open_hours: OpenHours,
    })
    .meta(field('会务单位')),
  approves: z.boolean().meta(field('审批')),
  may_use: z.boolean(),
  rules: z.array(z.string()).meta(field('规则')),
  next_free: z.object({ start_time: z.string(), end_time: z.string() }).nullable().meta(field('最近空闲')),
});

/** 会议室 for their keepers. */
export const rooms = {
  list: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '会议室',
    query: listQuery({
      sort: ['order_id', 'name', 'capacity'],
      filters: {
        office_id: id.optional().meta({ title: '会务单位' }),
        status: z.coerce.number().int().min(0).max(2).optional().meta({ title: '状态' }),
        capacity: z.coerce.number().int().min(1).max(5000).optional().meta({ title: '至少容纳' }),
        equipment: z.enum(equipment).optional().meta({ title: '设备' }),
      },
    }),
    reply: listOf(RoomRow),
  }),
  get: call({
    method: 'GET',
    path: one,
    access: signedIn,
    summary: '会议室详情',
    params: idParams,
    reply: z.object({ value: RoomCard }),
    fresh: true,
  }),
  create: call({
    method: 'POST',
    path,
    access: grant('Create', page),
    summary: '新增会议室',
    body: RoomInput,
    reply: done,
    message: '已新增',
  }),
  update: call({
    method: 'PATCH',
    path: one,
    access: grant('Update', page),
    summary: '编辑会议室',
    params: idParams,
    body: RoomInput.partial().extend({ version }),
    reply: done,
    message: '已保存',
  }),
  remove: call({
    method: 'DELETE',
    path: one,
    access: grant('Delete', page),
    summary: '删除会议室',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
  simple: call({
    method: 'GET',
    path: '/api/meet/room/simple/',
    access: signedIn,
    summary: '会议室选项',
    query: z.object({ office_id: id.optional().meta({ title: '会务单位' }) }),
    reply: z.object({
      value: z.array(
        z.object({
          value: z.number().int(),
          label: z.string(),
          office_name: z.string(),
          capacity: z.number().int(),
          equipment: z.array(z.string()),
        }),
      ),
    }),
  }),
};
