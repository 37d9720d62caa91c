import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import {
  actions,
  day,
  done,
  flag,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  name,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns, titledAs } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { stampStatus, stampType } from './seal-codes.ts';

export const stampPage = 'stamp/list';
const int = z.number().int();
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请填写时间，如 08:30');
const hours = z
  .tuple([time, time])
  .refine(([from, to]) => from < to, '开始时间应早于结束时间')
  .nullable();
/** The hours of use on a working day, by half-day; null if it is not used in that half. */
export const OfficeHours = z.object({ 1: hours, 2: hours });
export type OfficeHours = z.output<typeof OfficeHours>;
const username = z.string().trim().max(50);

/** The fields of a seal that its managers write; keeper and status are changed by custody. */
const StampFields = z.object({
  name: name(50).meta(field('印章名称', { short: '印章' })),
  stamp_no: line(30)
    .optional()
    .meta(field('印章编号', { short: '编号' })),
  type: int.min(1).max(9).meta({ title: '印章类型' }),
  dept_id: id.meta({ title: '所属部门' }),
  use_depts: z.array(id).max(200, '最多选择 200 个部门').optional().meta({ title: '可用部门' }),
  place: line(50).optional().meta({ title: '保管地点' }),
  office_hours: OfficeHours.optional().meta({ title: '用印时段' }),
  slot_capacity: int.min(1).max(200).optional().meta({ title: '每半天办理' }),
  shape: line(20).optional().meta({ title: '形状' }),
  size_mm: line(20).optional().meta({ title: '规格（毫米）' }),
  record_no: line(50).optional().meta({ title: '备案号' }),
  enabled_date: day.nullable().optional().meta({ title: '启用日期' }),
  workflow_id: id.nullable().optional().meta({ title: '审批流程' }),
  picture: id.nullable().optional().meta({ title: '印模' }),
});
export const StampInput = StampFields.extend({
  keeper: username.min(1, '请选择保管人').meta({ title: '保管人' }),
  backup: username.nullable().optional().meta({ title: '备岗' }),
  supervisor: username.nullable().optional().meta({ title: '监印人' }),
});
export type StampInput = z.output<typeof StampInput>;
export const StampChanges = StampFields.partial().extend({ version });
export type StampChanges = z.output<typeof StampChanges>;

/** A seal as a list row. `keeper_now` is the person who may use it at this moment. */
export const Stamp = z.object(
  titledAs(StampFields.shape, {
    id: int,
    name: z.string(),
    stamp_no: z.string(),
    type: int.meta(coded('印章类型', stampType.names, { short: '类型' })),
    dept_id: int,
    dept_name: z.string().meta(field('所属部门')),
    keeper_info: PersonCard.meta(field('保管人')),
    keeper_now: PersonCard.meta(field('现保管人')),
    status: int.meta(coded('状态', stampStatus.names)),
    place: z.string(),
    /** The number of applications that wait for it, and of today's slots that are taken. */
    waiting: int.meta(field('待用印')),
    today: int.meta(field('今日预约')),
    slot_capacity: int,
    /** The time of its last inventory; `unseen` if that was not within a quarter. */
    seen_at: timestamp.nullable().meta(field('最近盘点')),
    unseen: z.boolean(),
    /** Shown to those who keep or manage it. */
    picture_info: FileCard.nullable(),
    /** A warning if one person holds two powers over it. */
    warning: z.string(),
    version: int,
    actions,
  }),
);
export type Stamp = z.output<typeof Stamp>;

export const StampDetail = Stamp.extend(
  titledAs(StampFields.shape, {
    backup_info: PersonCard.nullable().meta(field('备岗')),
    supervisor_info: PersonCard.nullable().meta(field('监印人')),
    use_depts: z.array(int),
    use_dept_names: z.array(z.string()).meta(field('可用部门')),
    office_hours: OfficeHours,
    shape: z.string(),
    size_mm: z.string(),
    record_no: z.string(),
    enabled_date: z.string().nullable(),
    workflow_id: int.nullable(),
    gmt_created: timestamp,
    /** Sealings of the last twelve months. */
    months: z.array(z.object({ month: z.string(), count: int, copies: int })),
    /** Kinds of custody events that I may begin now. */
    custody: z.array(int),
    /** Its number as a QR code, for the label. */
    label: z.string(),
  }),
);
export type StampDetail = z.output<typeof StampDetail>;

/** A seal as a choice for applicants; `why` it cannot be chosen now, empty if it can. */
const StampOption = z.object({
  id: int,
  name: z.string(),
  type: int,
  dept_name: z.string(),
  keeper_now: PersonCard,
  place: z.string(),
  status: int,
  workflow_id: int.nullable(),
  why: z.string(),
});
export type StampOption = z.output<typeof StampOption>;

const saved = { reply: done, message: '印章已保存' };
const one = '/api/stamp/{id}/';
const change = {
  access: grant('Update', stampPage),
  summary: '编辑印章',
  params: idParams,
  body: StampChanges,
  ...saved,
};

export const sealCalls = {
  stamps: call({
    method: 'GET',
    path: '/api/stamp/',
    access: grant('Retrieve', stampPage),
    summary: '查看印章',
    query: listQuery({
      sort: ['id', 'name', 'stamp_no', 'type', 'status'],
      filters: {
        type: z.coerce.number().int().min(1).max(9).optional(),
        status: z.coerce.number().int().min(1).max(5).optional(),
        dept: id.optional(),
        unseen: flag.optional().meta({ title: '盘点' }),
        mine: flag.optional().meta({ title: '保管' }),
      },
    }),
    reply: listOf(Stamp),
    exports: {
      page: 'stamp/ledger',
      title: '印章',
      columns: sheetColumns(Stamp.shape, [
        'name',
        'stamp_no',
        'type',
        'dept_name',
        'keeper_info',
        'place',
        'status',
        'seen_at',
      ]),
    },
  }),
  addStamp: call({
    method: 'POST',
    path: '/api/stamp/',
    access: grant('Create', stampPage),
    summary: '登记印章',
    body: StampInput,
    ...saved,
  }),
  stamp: call({
    method: 'GET',
    path: one,
    access: signedIn,
    summary: '查看印章详情',
    params: idParams,
    reply: StampDetail,
    fresh: true,
  }),
  putStamp: call({ method: 'PUT', path: one, ...change }),
  changeStamp: call({ method: 'PATCH', path: one, ...change }),
  removeStamp: call({
    method: 'DELETE',
    path: one,
    access: grant('Delete', stampPage),
    summary: '删除从未使用的印章',
    params: idParams,
    reply: done,
    message: '印章已删除',
  }),
  deptStamps: call({
    method: 'GET',
    path: '/api/stamp/dept_stamp/',
    access: signedIn,
    summary: '查看本部门可用的印章',
    reply: z.object({ value: z.array(StampOption) }),
    fresh: true,
  }),
  keepers: call({
    method: 'GET',
    path: '/api/stamp/manage_user/',
    access: signedIn,
    summary: '查看印章保管人',
    reply: z.object({
      value: z.array(PersonCard.extend({ stamps: z.array(z.object({ id: int, name: z.string() })) })),
    }),
  }),
};
