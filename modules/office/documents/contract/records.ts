import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { codes, refusal, unfilled } from '#kernel/contract/refusal.ts';
import { id, idParams, listOf, listQuery, text, timestamp } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';

const int = z.number().int();

export const notPending = refusal(codes.notNow, (who: string) => `“${who}”已经办理，不需要再催办，请刷新查看`);
export const notByText = refusal(codes.refused, () => '涉密公文不发短信，请当面或以保密方式提醒');
export const notToUrge = refusal(
  codes.notNow,
  (who: string) => `“${who}”是您本人或已离开，不发短信催办；已离开的，请联系流程管理员改由他人办理`,
);
export const notReachable = refusal(
  codes.refused,
  (who: string) => `“${who}”没有登记手机号或已退订短信，请用“催办”提醒`,
);

/** A row of the handling record: one task of one person. */
export const DocumentRecord = z.object({
  id: int,
  ticket_id: int,
  document_id: int,
  state_name: z.string(),
  /** The user name. */
  participant: z.string(),
  participant_alias: z.string(),
  /** The person who decided in their place; empty if nobody did. */
  agent_alias: z.string(),
  dept_name: z.string(),
  /** Empty while the task is open. */
  transition_name: z.string(),
  suggestion: z.string(),
  attachments: z.array(FileCard),
  signature: FileCard.nullable(),
  arrived_at: timestamp,
  handled_at: timestamp.nullable(),
  due_at: timestamp.nullable(),
  /** The minutes from arrival to decision, or until now. */
  duration_min: int,
  /** 0 waiting, 1 handled. */
  status: int,
  status_name: z.string(),
  /** True if the time ran out without an answer: `逾期未回复`. */
  overdue: z.boolean(),
  /** The original words, and the time of the correction. */
  corrected: z.object({ before: z.string(), at: timestamp }).nullable(),
  sms_count: int,
  last_sms_at: timestamp.nullable(),
  can_sms: z.boolean(),
  can_edit: z.boolean(),
});
export type DocumentRecord = z.output<typeof DocumentRecord>;

/** The state of a person's task. */
export const handlingState = codeSet({ open: [0, '待处理'], handled: [1, '已处理'] });
const reminding = {
  access: signedIn,
  path: '/api/document/ticket_log/{id}/sms/',
  summary: '短信催办公文',
  params: idParams,
  /** `sent` is 0 if another reminder was sent a moment ago and this one counts as its repetition. */
  reply: z.object({ sent: int, sms_count: int, last_sms_at: timestamp.nullable() }),
  message: '已发送短信提醒',
};

export const documentRecords = {
  ticketLog: call({
    method: 'GET',
    path: '/api/document/ticket_log/',
    access: signedIn,
    summary: '公文办理记录',
    query: listQuery({ sort: ['arrived_at'], filters: { document_id: id } }),
    reply: listOf(DocumentRecord),
    fresh: true,
  }),
  correct: call({
    method: 'PUT',
    path: '/api/document/ticket_log/{id}/',
    access: signedIn,
    summary: '更正办理意见',
    params: idParams,
    body: z.object({ suggestion: text(10_000).min(1, unfilled).meta({ title: '意见' }) }),
    reply: z.object({ id: int }),
    message: '已更正',
  }),
  remind: call({ method: 'GET', ...reminding, writes: true }),
  /** The same as a POST, for callers that avoid a GET with effects. */
  remindByPost: call({ method: 'POST', ...reminding }),
};
