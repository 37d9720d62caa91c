import { z } from 'zod';
import { call, everyone } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { idParams, name, text } from '#kernel/contract/shapes.ts';

/** One sentence for all: whether there is such a ticket or question is not told to those who cannot sign. */
export const notSigned = refusal(codes.refused, () => '签名不正确或已过期，或没有这次询问');
export const answered = refusal(codes.notNow, (at: string) => `这次询问已在 ${at} 回答过，不能重复回答`);
export const tooLate = refusal(codes.notNow, (state: string) => `工单已离开环节“${state}”，回答来晚了`);

/** How another system answers what a state asked it. */
export const answering = {
  callBack: call({
    method: 'POST',
    path: '/api/tickets/{id}/hook_call_back/',
    access: everyone,
    summary: '外部系统回答',
    params: idParams,
    /** Signed with the notice's secret as our own web hooks are (`webhook-id`, `webhook-timestamp`, `webhook-signature`). */
    body: z.object({
      /** As it came in `data.answer`. */
      nonce: z.string().regex(/^[\w-]{32}$/),
      /** Done, or known whom to ask. */
      result: z.boolean(),
      msg: text(1000).default('').meta({ title: '说明' }),
      /** User names, where people are wanted. */
      people: z.array(name(50)).max(50, '最多 50 人').default([]).meta({ title: '办理人' }),
      /** Fields it fills in, where the state lets it. */
      field_value: z.record(z.string().max(50), z.unknown()).default({}),
    }),
    reply: z.object({ id: z.number().int(), act_state: z.number().int() }),
    message: '已收到',
  }),
};
