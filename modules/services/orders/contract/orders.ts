import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { money } from '#kernel/contract/money/money.ts';
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
  localMoment,
  name,
  partialOf,
  text,
  version,
} from '#kernel/contract/shapes.ts';
import { choice, field, sheetColumns } from '#kernel/contract/titles.ts';
import { approvalCategories } from '#modules/workflow/tickets/contract/approval.ts';
import { acts, hangKind, orderSource, orderStage } from './codes.ts';
import { callNumber, CommentInput, OrderInput, photos, placeShape, reason } from './report.ts';
import { LedgerRow, materials, OrderDetail, OrderRow } from './shapes.ts';

const int = z.number().int();
const path = '/api/order/';
const one = `${path}{id}/` as const;
export const list = 'order/list';
const code = z.coerce.number().int().min(0).max(99).optional();
const Placed = z.object({ id: int, sn: z.string(), stage: int, actions });
const Stood = z.object({ state: int, stage: int, actions });
/** 6 finished, 4 confirmed, 1 back to work, 3 taken back, 5 closed. */
const s = z.coerce.number().int().min(0).max(6).meta(field('状态'));
const remark = text(500).default('').meta(field('说明'));
const result = text(2000)
  .optional()
  .meta(field('处理结果', { kind: 'textarea' }));
/** The result stored for an order finished by `?s=6` alone, which carries none. */
export const finishedBare = '已处理完成，未填写处理结果';
const fee = money.optional().meta(field('费用（元）'));
const handlers = z.array(id).max(20, '最多 20 人').optional().meta(field('办理人'));
const hang_until = localMoment.optional().meta(field('预计恢复时间'));

const changing = {
  params: idParams,
  access: signedIn,
  reply: Stood,
  message: '已提交',
  body: z.object({
    s,
    remark,
    result,
    result_photos: photos.optional().meta({ title: '完工照片' }),
    materials,
    fee,
    version,
  }),
} as const;
const { title: _title, ...hung } = partialOf(OrderInput.shape);
export const orders = {
  list: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '查看订单',
    query: listQuery({
      sort: ['gmt_created', 'due_at', 'appoint_time', 'level'],
      filters: {
        /** `intake`: reported from outside and waiting for the desk. */
        category: z.enum([...approvalCategories, 'intake']).optional(),
        type_id: code.meta({ title: '类型' }),
        category_id: id.optional().meta(field('故障类别', { short: '类别' })),
        stage: code,
        level: code,
        source: code.meta(field('来源')),
        team_id: id.optional(),
        handler_id: id.optional(),
        building: line(50).optional(),
        room: line(50).optional(),
        overdue: flag.optional().meta({ title: '已超时' }),
        rework: flag.optional().meta({ title: '返工过' }),
        open: flag.optional(),
        start: day.optional().meta(field('报修日期从', { short: '从' })),
        end: day.optional().meta(field('报修日期到', { short: '到' })),
      },
    }),
    reply: listOf(OrderRow),
    exports: {
      page: list,
      title: '订单',
      columns: sheetColumns(OrderRow.shape, [
        'sn',
        'title',
        'category_name',
        'place',
        'reporter_name',
        'handler_name',
        'stage',
        { key: 'light', heading: '时限' },
        { key: 'due_at', heading: '时限至' },
        'level',
        'score',
        'gmt_created',
      ]),
    },
  }),
  create: call({
    method: 'POST',
    path,
    access: signedIn,
    summary: '报修',
    body: OrderInput.extend({
      submit: z.boolean().default(true),
      source: choice('来源', { 1: orderSource.names[1], 2: orderSource.names[2] }).default(1),
    }),
    reply: Placed,
    says: ({ stage }: { stage: number }) => (stage === orderStage.draft ? '已保存，还没有提交' : '已提交'),
  }),
  get: call({
    method: 'GET',
    path: one,
    access: signedIn,
    summary: '查看订单详情',
    params: idParams,
    reply: z.object({ value: OrderDetail }),
    fresh: true,
  }),
  act: call({
    method: 'PATCH',
    path: one,
    access: signedIn,
    summary: '办理订单',
    params: idParams,
    body: z.object({
      action: z.enum(acts).default('edit').meta(field('操作')),
      title: name(80).optional().meta(field('标题')),
      ...hung,
      submit: z.boolean().optional(),
      handlers,
      words: text(500)
        .optional()
        .meta(field('说明', { kind: 'textarea' })),
      hang_kind: choice('挂起原因', hangKind.names).optional(),
      hang_until,
      materials,
      storno: id.optional().meta(field('冲销的材料')),
      fee,
      version,
    }),
    reply: Stood,
    message: '已办理',
  }),
  assignMany: call({
    method: 'PUT',
    path: `${path}batch/`,
    access: grant('chuli', list),
    summary: '批量派单',
    body: z.object({
      ids: z.array(id).min(1, '请选择订单').max(50, '一次最多 50 张').meta(field('订单')),
      handlers,
      words: text(500)
        .default('')
        .meta(field('说明', { kind: 'textarea' })),
    }),
    reply: z.object({ value: z.array(z.object({ id: int, ok: z.boolean(), code: int, msg: z.string() })) }),
    message: '派单完成',
  }),
  slip: call({
    method: 'GET',
    path: `${one}slip/`,
    access: signedIn,
    summary: '维修单二维码',
    params: idParams,
    /** A `data:` address of the picture. */
    reply: z.object({ image: z.string() }),
  }),
  remove: call({
    method: 'DELETE',
    path: one,
    access: signedIn,
    summary: '删除订单',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
  comment: call({
    method: 'PUT',
    path: `${one}comment/`,
    access: signedIn,
    summary: '评价订单',
    params: idParams,
    body: CommentInput,
    reply: Stood,
    message: '谢谢评价',
  }),
  state: call({
    method: 'GET',
    path: `${one}state/`,
    access: signedIn,
    summary: '改变订单状态',
    params: idParams,
    query: z.object({ s, remark }),
    reply: Stood,
    message: '已提交',
    writes: true,
  }),
  statePost: call({ ...changing, method: 'POST', path: `${one}state/`, summary: '提交订单状态与结果' }),
  statePut: call({ ...changing, method: 'PUT', path: `${one}state/`, summary: '更新订单状态与结果' }),
  register: call({
    method: 'POST',
    path: `${path}register/`,
    access: grant('Create', 'order/register'),
    summary: '代为登记报修',
    body: OrderInput.extend({
      contact: name(20).meta(field('来电人')),
      phone: callNumber.meta(field('来电号码')),
      reporter: id.nullable().default(null).meta(field('校内人员')),
      handlers,
    }),
    reply: Placed,
    message: '已登记',
  }),
  count: call({
    method: 'GET',
    path: `${path}count/`,
    access: signedIn,
    summary: '订单数量',
    reply: z.object({
      all: int,
      mine: int,
      duty: int,
      overdue: int,
      today: int,
      by_state: z.record(z.string(), int),
      by_stage: z.record(z.string(), int),
    }),
  }),
  handlers: call({
    method: 'GET',
    path: `${one}handlers/`,
    access: grant('chuli', list),
    summary: '可派的办理人',
    params: idParams,
    reply: z.object({
      value: z.array(
        z.object({
          id: int,
          alias: z.string(),
          phone: z.string(),
          open: int,
          today: int,
          skill: int,
          near: z.boolean(),
          in_team: z.boolean(),
        }),
      ),
    }),
  }),
  similar: call({
    method: 'GET',
    path: `${path}similar/`,
    access: signedIn,
    summary: '同处未完的订单',
    query: z.object({ ...placeShape, category_id: id.optional(), id: id.optional(), phone: callNumber.optional() }),
    reply: z.object({
      count: int,
      value: z.array(OrderRow.pick({ id: true, sn: true, title: true, place: true, stage: true, gmt_created: true })),
      /** For registration: the caller with the given number, and the place of their last fault. */
      caller: z
        .object({
          id: int.nullable(),
          name: z.string(),
          category_id: int.nullable(),
          ...z.object(placeShape).shape,
          place: z.string(),
        })
        .nullable(),
    }),
    fresh: true,
  }),
  merge: call({
    method: 'POST',
    path: `${one}merge/`,
    access: grant('chuli', list),
    summary: '合并订单',
    params: idParams,
    body: z.object({ into: id.meta(field('并入的订单')), reason }),
    reply: done,
    message: '已合并',
  }),
  visit: call({
    method: 'POST',
    path: `${one}visit/`,
    access: grant('chuli', list),
    summary: '登记回访',
    params: idParams,
    body: z.object({ words: name(500).meta(field('回访情况', { kind: 'textarea' })) }),
    reply: done,
    message: '回访已登记',
  }),
  materials: call({
    method: 'GET',
    path: `${path}materials/`,
    access: grant('Retrieve', 'order/statistics'),
    summary: '材料台账',
    query: listQuery({ sort: ['gmt_created', 'amount'], filters: { start: day.optional(), end: day.optional() } }),
    reply: listOf(LedgerRow),
    exports: {
      page: 'order/statistics',
      title: '材料台账',
      columns: sheetColumns(LedgerRow.shape, [
        'sn',
        'place',
        'name',
        'spec',
        'qty',
        'price',
        'amount',
        'who',
        'gmt_created',
      ]),
    },
  }),
};
