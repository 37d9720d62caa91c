import { z } from 'zod';
import { maxMoney, money } from '#kernel/contract/money/money.ts';
import { actions, line, name, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { orderLevel, orderLight, orderSource, orderStage } from './codes.ts';

const int = z.number().int();
const words = z.string().nullable();
export const Material = z
  .object({
    name: name(50).meta(field('材料')),
    spec: line(50).default('').meta(field('规格')),
    qty: z.number().positive('请填写大于 0 的数量').max(1_000_000).multipleOf(0.01).meta(field('数量')),
    price: money.meta(field('单价（元）')),
  })
  .refine(({ qty, price }) => qty * price <= maxMoney, { path: ['price'], message: '金额过大，请核对数量和单价' });
export const materials = z.array(Material).max(50, '一次最多 50 行').optional().meta(field('材料'));
export const OrderRow = z.object({
  id: int,
  version: int,
  sn: z.string().meta(field('单号')),
  ticket_id: int.nullable(),
  title: z.string().meta(field('标题')),
  type_id: int,
  category_id: int,
  category_name: z.string().meta(field('类别')),
  place: z.string().meta(field('地点')),
  building: z.string(),
  level: int.meta(coded('紧急程度', orderLevel.names)),
  source: int.meta(coded('来源', orderSource.names)),
  stage: int.meta(coded('阶段', orderStage.names)),
  state: int,
  act_state: int,
  /** An index of `lights`, by `due_at`. */
  light: int.meta(coded('时限情况', orderLight.names)),
  due_at: words.meta(field('时限')),
  reporter_name: z.string().meta(field('报修人')),
  handler_id: int.nullable(),
  handler_name: z.string().meta(field('办理人')),
  team_name: z.string().meta(field('班组')),
  score: int.nullable().meta(field('评分')),
  reopen_count: int.meta(field('返工')),
  appoint_time: words.meta(field('预约')),
  hang_until: words,
  gmt_created: timestamp.meta(field('报修时间')),
  actions,
});
export type OrderRow = z.output<typeof OrderRow>;

const Comment = z.object({
  score: int,
  speed: int.nullable(),
  quality: int.nullable(),
  attitude: int.nullable(),
  content: z.string(),
  is_addition: z.boolean(),
  at: timestamp,
});
export const OrderEvent = z.object({ id: int, kind: z.string(), who: z.string(), words: z.string(), at: timestamp });
export const LedgerRow = z.object({
  id: int,
  order_id: int.nullable(),
  sn: z.string().meta(field('订单')),
  place: z.string().meta(field('地点')),
  ...Material.shape,
  qty: z.number().meta(field('数量')),
  price: z.number().meta(field('单价（元）', { kind: 'money' })),
  amount: z.number().meta(field('金额', { unit: '元', kind: 'money' })),
  /** The row that this one reverses; and whether it is reversed itself. */
  storno_of: int.nullable(),
  is_void: z.boolean(),
  who: z.string().meta(field('登记人')),
  gmt_created: timestamp.meta(field('登记时间')),
});
export const OrderDetail = OrderRow.extend({
  floor: z.string(),
  room: z.string(),
  description: z.string().meta(field('故障情况')),
  photos: z.array(int),
  asset_id: int.nullable(),
  contact: z.string().meta(field('联系人')),
  /** The full number for the reporter and the handler, else its last digits. */
  phone: z.string().meta(field('联系电话')),
  dept_name: z.string(),
  creator_id: int.nullable(),
  reporter_id: int.nullable(),
  asset_name: z.string().meta(field('资产')),
  /** The telephone of its team, which is always answered. */
  office_phone: z.string().meta(field('受理电话')),
  photo_files: z.array(FileCard),
  result: z.string().meta(field('处理结果')),
  result_files: z.array(FileCard),
  fee: z.number().meta(field('费用')),
  /** 0 not asked, 1 asked, 2 approved, 3 refused. */
  fee_state: int,
  fee_limit: z.number(),
  photo_required: z.boolean(),
  response_due: words.meta(field('应响应')),
  finish_due: words.meta(field('应完工')),
  rework_due: words,
  finish_met: z.boolean().nullable(),
  accept_at: words,
  finish_at: words,
  hang_kind: int.nullable(),
  hang_reason: z.string(),
  auto_confirmed: z.boolean(),
  incident_id: int.nullable(),
  /** The order it was merged into, those merged into it, and earlier ones of the room. */
  /** `seen` is true if the viewer may open it. */
  merged_into: z.object({ id: int, sn: z.string(), seen: z.boolean() }).nullable(),
  merged: z.array(
    z.object({
      id: int,
      sn: z.string(),
      seen: z.boolean(),
      title: z.string(),
      description: z.string(),
      photo_files: z.array(FileCard),
    }),
  ),
  earlier: z.array(z.object({ id: int, sn: z.string(), title: z.string(), gmt_created: timestamp })),
  materials: z.array(LedgerRow),
  materials_sum: z.number(),
  comments: z.array(Comment),
  events: z.array(OrderEvent),
  handlers: z.array(PersonCard),
});
export type OrderDetail = z.output<typeof OrderDetail>;
