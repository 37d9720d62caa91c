import { z } from 'zod';
import { call, everyone } from '#kernel/contract/call.ts';
import { done, idParams, line, phone, sixDigits, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { CommentInput, OrderInput, placeShape } from './report.ts';

const int = z.number().int();
const path = '/api/order/mine/';
const one = `${path}{id}/` as const;
/** The header with a visitor's ticket. */
export const visitorHeader = 'x-visitor';
export const visitorPhotos = 3;
const words = z.string().nullable();

/** An order as a visitor sees it: its state, without names. */
export const VisitorRow = z.object({
  id: int,
  sn: z.string(),
  title: z.string(),
  place: z.string(),
  description: z.string(),
  stage: int,
  appoint_time: words,
  hang_until: words,
  result: z.string(),
  score: int.nullable(),
  photos: int,
  gmt_created: timestamp,
  may: z.array(z.enum(['confirm', 'rework', 'withdraw', 'comment', 'photo'])),
});
export type VisitorRow = z.output<typeof VisitorRow>;

export const visitors = {
  visitor: call({
    method: 'POST',
    path: '/api/order/visitor/',
    access: everyone,
    summary: '访客验证手机',
    body: z.object({
      phone,
      code: sixDigits('请输入 6 位数字验证码').meta(field('验证码')),
    }),
    reply: z.object({ ticket: z.string(), expire: int }),
    shownOnce: true,
  }),
  mine: call({
    method: 'GET',
    path,
    access: everyone,
    summary: '访客的订单',
    reply: z.object({
      value: z.array(VisitorRow),
      categories: z.array(z.object({ id: int, name: z.string() })),
      office_phone: z.string(),
    }),
    fresh: true,
  }),
  place: call({
    method: 'POST',
    path,
    access: everyone,
    summary: '访客报修',
    body: OrderInput.pick({
      title: true,
      category_id: true,
      building: true,
      floor: true,
      room: true,
      place: true,
      description: true,
      contact: true,
      appoint_time: true,
    }).extend({
      label: line(16).optional().meta(field('标签')),
    }),
    reply: z.object({ id: int, sn: z.string() }),
    message: '已提交，受理后会联系您填写的手机号',
  }),
  one: call({
    method: 'GET',
    path: one,
    access: everyone,
    summary: '访客查看订单',
    params: idParams,
    reply: z.object({ value: VisitorRow }),
    fresh: true,
  }),
  state: call({
    method: 'PUT',
    path: `${one}state/`,
    access: everyone,
    summary: '访客确认、返工或撤回',
    params: idParams,
    body: z.object({
      s: z.literal([1, 3, 4], '请选择确认、返工或撤回').meta(field('状态')),
      remark: line(500).default('').meta(field('说明')),
    }),
    reply: done,
    message: '已提交',
  }),
  comment: call({
    method: 'PUT',
    path: `${one}comment/`,
    access: everyone,
    summary: '访客评价',
    params: idParams,
    body: CommentInput,
    reply: done,
    message: '谢谢评价',
  }),
  photo: call({
    method: 'POST',
    path: `${one}photo/`,
    access: everyone,
    summary: '访客上传照片',
    params: idParams,
    upload: 5 * 2 ** 20,
    reply: done,
    message: '照片已上传',
  }),
};

export const LabelPlace = z.object({
  ...z.object(placeShape).shape,
  name: z.string(),
  asset_id: int,
  category_id: int.nullable(),
  category_name: z.string(),
});
export const labels = {
  label: call({
    method: 'GET',
    path: '/api/order/label/{code}/',
    access: everyone,
    summary: '标签对应的位置',
    params: z.object({
      code: z
        .string()
        .regex(/^[a-z2-7]{16}$/i, '标签不完整，请重新扫描')
        .transform((code) => code.toLowerCase()),
    }),
    reply: z.object({ value: LabelPlace }),
  }),
};
