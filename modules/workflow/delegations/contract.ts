import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { dayMs } from '#kernel/contract/moment.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import {
  actions,
  done,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  localMoment,
  name,
  timestamp,
} from '#kernel/contract/shapes.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';

export const unknownDelegate = refusal(
  codes.refused,
  (name: string) => `用户“${name}”不存在或已停用，请重新选择代办人`,
);
export const notOwnDelegation = refusal(codes.refused, () => '代办人不能就是委托人，请选择其他人');
export const periodOver = refusal(codes.refused, (end: string) => `结束时间 ${end} 已经过去，请选择今后的时间`);
export const unknownWorkflow = refusal(codes.refused, () => '所选流程不存在，请刷新后重新选择');
export const overlaps = refusal(
  codes.conflict,
  (start: string, end: string) => `在 ${start} 至 ${end} 之间已有一项范围重叠的委托，请先结束它，或调整时间、流程`,
);
export const goesRound = refusal(
  codes.refused,
  (names: readonly string[]) => `委托会绕成一圈（${names.join(' → ')}），请另选代办人`,
);

export const DelegationInput = z
  .object({
    /** The absent person, when an administrator sets the delegation for somebody else; missing for one's own. */
    delegator: name(50).optional().meta({ title: '委托人' }),
    delegate: name(50).meta({ title: '代办人' }),
    start: localMoment.meta({ title: '开始时间' }),
    end: localMoment.meta({ title: '结束时间' }),
    /** Empty: all workflows. */
    workflow_ids: z.array(id).max(50, '最多 50 个').default([]).meta({ title: '流程' }),
    chain_limit: z.coerce.number().int().min(1, '请填写 1–3').max(3, '请填写 1–3').default(1).meta({ title: '转托' }),
    reason: line(200).default('').meta({ title: '原因' }),
  })
  .refine((given) => given.end > given.start, { path: ['end'], message: '要晚于开始时间' })
  .refine((given) => Date.parse(given.end) - Date.parse(given.start) <= 366 * dayMs, {
    path: ['end'],
    message: '一项委托最长一年',
  });

export const DelegationRow = z.object({
  id: z.number().int(),
  delegator: PersonCard,
  delegate: PersonCard,
  start: timestamp,
  end: timestamp,
  /** Empty: all. */
  workflows: z.array(z.object({ id: z.number().int(), name: z.string() })),
  chain_limit: z.number().int(),
  reason: z.string(),
  state: z.enum(['waiting', 'running', 'over']),
  state_name: z.string(),
  gmt_created: timestamp,
  actions,
});
export type DelegationRow = z.output<typeof DelegationRow>;

export const delegations = {
  list: call({
    method: 'GET',
    path: '/api/accounts/delegation/',
    access: signedIn,
    summary: '我的委托',
    query: listQuery({
      sort: ['start', 'gmt_created'],
      /** `given`: people who decide for me; `taken`: people I decide for; `set`: delegations I made for others. */
      filters: { side: z.enum(['given', 'taken', 'set']).default('given') },
    }),
    reply: listOf(DelegationRow),
    fresh: true,
  }),
  create: call({
    method: 'POST',
    path: '/api/accounts/delegation/',
    access: signedIn,
    summary: '委托他人代办',
    body: DelegationInput,
    /** The time at which it begins; null if it is in effect already. */
    reply: done.extend({ from: timestamp.nullable() }),
    says: ({ from }: { from: string | null }) =>
      from === null
        ? '委托已生效，期间代办人可处理您的待办'
        : `委托已保存，自 ${from.slice(0, 16)} 起生效，期间代办人可处理您的待办`,
  }),
  end: call({
    method: 'DELETE',
    path: '/api/accounts/delegation/{id}/',
    access: signedIn,
    summary: '结束委托',
    params: idParams,
    reply: done,
    message: '委托已结束',
  }),
};
