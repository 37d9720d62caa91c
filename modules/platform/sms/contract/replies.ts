import { z } from 'zod';
import { call, everyone, grant, protocolReply } from '#kernel/contract/call.ts';

/** A reply as forwarded by Tencent Cloud. */
const One = z.object({ mobile: z.string().max(20), text: z.string().max(1000) });
/** Replies as forwarded by Alibaba Cloud (SmsUp). */
const Some = z.array(z.object({ phone_number: z.string().max(20), content: z.string().max(1000) })).max(1000);
export type Replies = z.output<typeof One> | z.output<typeof Some>;

export const replies = {
  reply: call({
    method: 'POST',
    path: '/api/sms/replies/',
    access: everyone,
    summary: '接收短信回复',
    query: z.object({ key: z.string().max(100).default('') }),
    body: z.union([One, Some]),
    reply: protocolReply,
    quiet: true,
  }),
  replyAddress: call({
    method: 'GET',
    path: '/api/sms/optout/address/',
    access: grant('chuli', 'sms/logs'),
    summary: '短信回复接收地址',
    reply: z.object({ path: z.string().describe('空为还没有生成') }),
  }),
  renewReplyAddress: call({
    method: 'POST',
    path: '/api/sms/optout/address/',
    access: grant('chuli', 'sms/logs'),
    summary: '更换短信回复接收地址',
    reply: z.object({ path: z.string() }),
    message: '新的接收地址已生成',
  }),
};
