import { z } from 'zod';
import { call, everyone } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { idParams, name, text } from '#kernel/contract/shapes.ts';

/** The same sentence for all cases: whether such a ticket or question exists is not told to those who cannot sign. */
export const notSigned = refusal(codes.refused, () => '签名不正确或已过期，或没有这次询问');
export const answered = refusal(codes.notNow, (at: string) => `这次询问已在 ${at} 回答过，不能重复回答`);
export const tooLate = refusal(codes.notNow, (state: string) => `工单已离开环节“${state}”，回答来晚了`);

/** The call by which another system answers a state's question. */
export const answering = {
  callBack: call({
    method: 'POST',
    path: '/api/tickets/{id}/hook_call_back/',
    access: everyone,
    summary: '外部系统回答',
    params: idParams,
    /** Signed with the notice's secret, as our own web hooks are (`webhook-id`, `webhook-timestamp`, `webhook-signature`). */
    body: z.object({
      /** The value received in `data.answer`. */
      nonce: z.string().regex(/^[\w-]{32}$/),
      /** True if it is done, or the people are known. */
      result: z.boolean(),
      msg: text(1000).default('').meta({ title: '说明' }),
      /** User names, if people are asked for. */
      people: z.array(name(50)).max(50, '最多 50 人').default([]).meta({ title: '办理人' }),
      /** Fields that it fills in, if the state allows it. */
      field_value: z.record(z.string().max(50), z.unknown()).default({}),
    }),
    reply: z.object({ id: z.number().int(), act_state: z.number().int() }),
    message: '已收到',
  }),
};
