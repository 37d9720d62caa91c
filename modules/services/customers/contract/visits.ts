import { z } from 'zod';
import { call, grant, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { dayOr, id, localMoment, text, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { visitWay } from './codes.ts';

const int = z.number().int();
const page = 'customer/list';

const input = {
  way: choice('方式', visitWay.names).default(2),
  visited_at: localMoment.meta({ title: '跟进时间' }),
  contact_id: id.nullable().default(null).meta({ title: '联系人' }),
  content: text(2000)
    .min(1, unfilled)
    .meta(field('跟进内容', { kind: 'textarea' })),
  next_date: dayOr('请选择日期')
    .nullable()
    .default(null)
    .meta(field('下次跟进', { help: '到那天提醒客户的负责人' })),
};
const noun = nounCalls({
  prefix: '/api/customer/visits/',
  page,
  noun: '跟进记录',
  once: { customer_id: id.meta({ title: '客户' }) },
  input,
  row: {
    ...input,
    customer_id: int,
    customer_name: z.string().meta({ title: '客户' }),
    contact_name: z.string().meta({ title: '联系人' }),
    creator_alias: z.string().meta({ title: '登记人' }),
    gmt_created: timestamp,
  },
  sort: ['visited_at', 'gmt_created'],
  filters: { customer_id: id.optional() },
});
/** Written by the people who manage the customer; the author may correct one within a day. */
export const visits = {
  ...noun,
  add: call({ ...noun.add, access: grant('Update', page) }),
  change: call({ ...noun.change, access: signedIn }),
  remove: call({ ...noun.remove, access: signedIn }),
};
export type VisitRow = ReplyOf<typeof visits.list>['value'][number];
