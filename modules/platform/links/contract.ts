import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, id, idParams, line, timestamp } from '#kernel/contract/shapes.ts';

/** The relation of `to` to `from`, and the reverse. */
export const linkTypes = {
  related: ['相关', '相关'],
  source: ['来源', '结果'],
  result: ['结果', '来源'],
  reply: ['答复', '答复的原文'],
  supersede: ['被本件替代', '替代了本件'],
  stamp: ['用印', '用印事项'],
  room: ['会议室', '预订事项'],
  minutes: ['纪要', '会议'],
  photo: ['照片', '拍摄事项'],
  supplement: ['补充协议', '主合同'],
} as const;
export type LinkType = keyof typeof linkTypes;
/** Types that people may choose; the others are made by the modules. */
export const spokenTypes = ['related', 'source', 'result', 'reply', 'supersede'] as const satisfies LinkType[];

export const alreadyLinked = refusal(codes.refused, (title: string) => `与“${title}”已有关联，不用重复添加`);
export const linkKept = refusal(
  codes.refused,
  (type: string, title: string) => `“${type}”关联由“${title}”的内容决定，不能在这里取消；确需改动的请修改该事项`,
);
export const notReplaceable = refusal(
  codes.forbidden,
  (title: string) => `“${title}”是否已被替代由其经办人或管理人确认，请联系他们登记`,
);
export const linkedToItself = refusal(codes.refused, () => '不能与自己关联，请选择另一条记录');

const module = line(30);
const int = z.number().int();
/** A record of any module, as shown to somebody who sees it. */
export const LinkedCard = z.object({
  module: z.string(),
  module_name: z.string(),
  id: int,
  title: z.string(),
  sn: z.string(),
  /** In words, e.g. 已废止. */
  state: z.string(),
  page: z.string(),
});
export type LinkedCard = z.output<typeof LinkedCard>;

export const TimelineRow = z.object({
  at: timestamp,
  who: z.string(),
  what: z.string(),
  record: LinkedCard,
});
export type TimelineRow = z.output<typeof TimelineRow>;

const one = { module, id };

export const links = {
  list: call({
    method: 'GET',
    path: '/api/links/',
    access: signedIn,
    summary: '查看关联事项',
    query: z.object(one),
    reply: z.object({
      /** Only links whose other side the person sees, newest first. */
      value: z.array(
        z.object({
          id: int,
          type: z.string(),
          name: z.string(),
          record: LinkedCard,
          /** The link follows from the records themselves and cannot be removed here. */
          kept: z.boolean(),
        }),
      ),
      /** True if there are older ones that are not shown. */
      more: z.boolean(),
      /** Modules whose records can be linked, with their names. */
      modules: z.array(z.object({ module: z.string(), name: z.string() })),
    }),
    fresh: true,
  }),
  create: call({
    method: 'POST',
    path: '/api/links/',
    access: signedIn,
    summary: '添加关联事项',
    body: z.object({
      from_module: module,
      from_id: id,
      to_module: module.meta({ title: '事项类型' }),
      to_id: id.meta({ title: '事项' }),
      type: z.enum(spokenTypes).default('related').meta({ title: '对方是' }),
    }),
    reply: done,
    message: '已关联',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/links/{id}/',
    access: signedIn,
    summary: '取消关联事项',
    params: idParams,
    reply: done,
    message: '已取消关联',
  }),
  candidates: call({
    method: 'GET',
    path: '/api/links/candidates/',
    access: signedIn,
    summary: '查找可关联的事项',
    query: z.object({ module, search_value: line(100).default('') }),
    reply: z.array(LinkedCard),
  }),
  /** Events of a record and of all records connected with it, as far as the person sees them; newest first. */
  timeline: call({
    method: 'GET',
    path: '/api/links/timeline/',
    access: signedIn,
    summary: '查看事项时间线',
    query: z.object(one),
    reply: z.object({ value: z.array(TimelineRow), records: int, more: z.boolean() }),
    fresh: true,
  }),
};
