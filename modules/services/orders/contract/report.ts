import { z } from 'zod';
import { id, line, localMoment, name, personLine, telephone, text } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { orderLevel, orderType, rating } from './codes.ts';

// The input of reporters. The visitors' page loads this, so it imports nothing from other modules.
export const photos = z.array(id).max(9, '最多 9 张照片').default([]).meta(field('照片'));
/** Free format, such as 0551-63600000 转 801. */
export const callNumber = telephone(25).regex(/^[\d+ 转-]{7,25}$/, '请输入手机号或电话号码');
export const reason = name(500).meta(field('原因', { kind: 'textarea' }));

/** The place of a fault. */
export const placeShape = {
  building: line(50).default('').meta(field('楼宇')),
  floor: line(20).default('').meta(field('楼层')),
  room: line(50).default('').meta(field('房间')),
};
/** The fields of a report. */
export const reportShape = {
  title: name(80).meta(field('标题')),
  type_id: choice('类型', orderType.names).default(1),
  category_id: id.meta(field('故障类别', { short: '类别' })),
  ...placeShape,
  place: line(100).default('').meta(field('具体位置')),
  asset_id: id.nullable().default(null).meta(field('资产')),
  description: text(2000)
    .min(1, '请说明故障情况')
    .meta(field('故障情况', { kind: 'textarea' })),
  photos,
  level: choice('紧急程度', orderLevel.names).default(0),
  appoint_time: localMoment.nullable().default(null).meta(field('预约时间')),
};
export const OrderInput = z.object({
  ...reportShape,
  contact: personLine(20).default('').meta(field('联系人')),
  phone: callNumber.or(z.literal('')).default('').meta(field('联系电话')),
});
const score = choice('评分', rating.names);
export const CommentInput = z.object({
  score,
  speed: score.optional().meta(field('响应速度')),
  quality: score.optional().meta(field('维修质量')),
  attitude: score.optional().meta(field('服务态度')),
  content: text(500)
    .default('')
    .meta(field('评价', { kind: 'textarea' })),
});
