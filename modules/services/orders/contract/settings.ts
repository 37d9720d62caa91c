import { z } from 'zod';
import { call, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import { money } from '#kernel/contract/money/money.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { flag, id, line, name } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { placeShape } from './report.ts';

const int = z.number().int();
const minutes = (title: string, more: object = {}) =>
  z.number().int().min(5, '至少 5 分钟').max(525_600, '最多一年').meta(field(title, more));
const yes = (title: string, help = '') => z.boolean().meta(field(title, { kind: 'switch', ...(help && { help }) }));

/** A kind of fault with its team and time limits; in working minutes, or in minutes of the clock if the team is always on duty. */
export const categoryShape = {
  name: name(30).meta(field('故障类别')),
  team_id: id.meta(field('维修班组')),
  response_0: minutes('普通：响应（分钟）', { group: '时限', help: '从提交到接单' }).default(240),
  finish_0: minutes('普通：完工（分钟）', { help: '从提交到完工，不计挂起' }).default(1440),
  response_1: minutes('加急：响应（分钟）').default(60),
  finish_1: minutes('加急：完工（分钟）').default(480),
  response_2: minutes('特急：响应（分钟）').default(30),
  finish_2: minutes('特急：完工（分钟）').default(240),
  is_always: yes('全天计时', '按钟点计时，不分工作时间').default(false),
  auto_dispatch: yes('自动派单', '不经受理，直接派给班组中在办订单最少的人')
    .meta(field('自动派单', { kind: 'switch', group: '办理' }))
    .default(false),
  photo_required: yes('完工须拍照').default(false),
  fee_limit: money.default(200).meta(field('免批费用（元）', { help: '超过此数须先审批' })),
  for_visitors: yes('访客可报').default(true),
  is_active: yes('启用').default(true),
};
export const categories = nounCalls({
  prefix: '/api/order/category/',
  page: 'order/setting',
  whole: true,
  noun: '故障类别',
  input: categoryShape,
  row: { ...z.object(categoryShape).shape, team_name: z.string() },
  sort: ['id', 'name'],
  filters: { is_active: flag.optional() },
  read: signedIn,
});
export const assetShape = {
  name: name(50).meta(field('名称')),
  ...placeShape,
  category_id: id.nullable().default(null).meta(field('故障类别')),
  asset_no: line(50).default('').meta(field('资产编号')),
  note: line(200).default('').meta(field('备注')),
};
const assetRow = {
  ...z.object(assetShape).shape,
  code: z.string(),
  category_name: z.string().meta(field('故障类别')),
  open_count: int.meta(field('未完订单')),
};
const assetNoun = nounCalls({
  prefix: '/api/order/asset/',
  page: 'order/asset',
  whole: true,
  noun: '资产',
  input: assetShape,
  row: assetRow,
  sort: ['id', 'name', 'building'],
  filters: { building: line(50).optional(), category_id: id.optional() },
  exports: {
    page: 'order/asset',
    title: '资产与标签',
    columns: sheetColumns(assetRow, ['name', 'building', 'floor', 'room', 'category_name', 'asset_no']),
  },
});
export const assets = {
  ...assetNoun,
  labels: call({
    method: 'GET',
    path: '/api/order/asset/labels/',
    access: grant('Retrieve', 'order/asset'),
    summary: '打印资产标签',
    query: z.object({
      ids: line(3000)
        .regex(/^\d{1,9}(,\d{1,9}){0,239}$/, '请选择 1–240 个资产')
        .transform((text) => text.split(',').map(Number))
        .meta(field('资产')),
    }),
    reply: fileReply,
  }),
};
