import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { actions, done, flag, idParams, listOf, listQuery, version } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { OfficeInput, OpenHours } from './shapes.ts';

const page = 'meet/office';
const path = '/api/meet/office/';
const one = `${path}{id}/` as const;

export const OfficeRow = z.object({
  ...OfficeInput.required().shape,
  id: z.number().int(),
  dept_name: z.string().meta(field('所属部门')),
  managers_info: z.array(PersonCard).meta(field('会务人员')),
  open_hours: OpenHours.meta(field('开放时间')),
  room_count: z.number().int().meta(field('会议室')),
  version: z.number().int(),
  actions,
});
export type OfficeRow = z.output<typeof OfficeRow>;
const OfficeChoice = z.object({
  value: z.number().int(),
  label: z.string(),
  rooms: z.array(z.object({ value: z.number().int(), label: z.string(), capacity: z.number().int() })),
});

/** 会务单位: the keepers of rooms, and their rules. */
export const offices = {
  list: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '会务单位',
    query: listQuery({ sort: ['order_id', 'name'], filters: { status: flag.optional() } }),
    reply: listOf(OfficeRow),
  }),
  create: call({
    method: 'POST',
    path,
    access: grant('Create', page),
    summary: '新增会务单位',
    body: OfficeInput,
    reply: done,
    message: '已新增',
  }),
  update: call({
    method: 'PATCH',
    path: one,
    access: grant('Update', page),
    summary: '编辑会务单位',
    params: idParams,
    body: OfficeInput.partial().extend({ version }),
    reply: done,
    message: '已保存',
  }),
  remove: call({
    method: 'DELETE',
    path: one,
    access: grant('Delete', page),
    summary: '删除会务单位',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
  choice: call({
    method: 'GET',
    path: '/api/meet/office/choice/',
    access: signedIn,
    summary: '会务单位和会议室选项',
    reply: z.object({ value: z.array(OfficeChoice) }),
  }),
};
