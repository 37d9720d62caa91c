import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { day, done, flag, id, idParams, name, text, version } from '#kernel/contract/shapes.ts';
import { coded } from '#kernel/contract/titles.ts';
import { halves } from './leave.ts';
import { Moved } from './shapes.ts';

/** Positions of an added signer: before mine, beside mine, after mine. */
export const addTypes = ['before', 'parallel', 'after'] as const;
/** The ways added signers count: any one is enough, all at once, one after the other. */
export const addModes = ['any', 'all', 'sequential'] as const;
export const batchActions = ['agree', 'refuse', 'deliver'] as const;
export const mostInBatch = 200;

const ticket = '/api/tickets/{id}/';
const suggestion = text(10_000).default('').meta({ title: '意见' });
const said = text(10_000).min(1, unfilled).meta({ title: '意见' });
const task_no = id.optional();
/** Set to act on somebody else's task as an administrator of the workflow; `task_no` names it if there are several. */
const from_admin = z.union([flag, z.literal([0, 1]).transform((set) => set === 1)]).default(false);
const one = name(50).meta({ title: '用户' });
/** User names as a list, or separated by commas. */
const several = z
  .union([z.array(name(50)), name(2500).transform((names) => names.split(/\s*[,，、]\s*/))])
  .refine((names) => names.length <= 50, '最多 50 人')
  .meta({ title: '用户' });
/** Files of an opinion, uploaded before; and user names of the people it mentions, who may view the ticket from now on. */
export const opinionFiles = z.array(id).max(20, '最多 20 个附件').default([]).meta({ title: '附件' });
export const opinionMentions = several.default([]).meta({ title: '提到的人' });
const some = several.refine((names) => names.length > 0, '请选择用户');

/** Actions on a ticket other than its transitions; the ticket's `transitions` says which are possible now. */
export const ticketActions = {
  release: call({
    method: 'POST',
    path: `${ticket}release/`,
    access: signedIn,
    summary: '退还已接的单',
    params: idParams,
    body: z.object({ suggestion, task_no, version }),
    reply: Moved,
    message: '已退还，其他人可以接单',
  }),
  deliver: call({
    method: 'POST',
    path: `${ticket}deliver/`,
    access: signedIn,
    summary: '转交',
    params: idParams,
    body: z.object({ target_username: one, suggestion, task_no, from_admin, version }),
    reply: Moved,
    message: '已转交',
  }),
  delegate: call({
    method: 'POST',
    path: `${ticket}delegate/`,
    access: signedIn,
    summary: '委派',
    params: idParams,
    body: z.object({ target_username: one, suggestion, task_no, version }),
    reply: Moved,
    message: '已委派，对方回复后会回到您这里',
  }),
  addNode: call({
    method: 'POST',
    path: `${ticket}add_node/`,
    access: signedIn,
    summary: '加签',
    params: idParams,
    body: z.object({
      target_username: some,
      type: z.enum(addTypes).default('before').meta({ title: '加签方式' }),
      mode: z.enum(addModes).default('all').meta({ title: '多人时' }),
      suggestion,
      task_no,
      from_admin,
      version,
    }),
    reply: Moved,
    message: '已加签',
  }),
  addNodeEnd: call({
    method: 'POST',
    path: `${ticket}add_node_end/`,
    access: signedIn,
    summary: '完成加签',
    params: idParams,
    body: z.object({ suggestion, files: opinionFiles, mentions: opinionMentions, task_no, version }),
    reply: Moved,
    message: '已完成',
  }),
  removeNode: call({
    method: 'POST',
    path: `${ticket}remove_node/`,
    access: signedIn,
    summary: '减签',
    params: idParams,
    /** `task_no`: the added signer's, from `added`. */
    body: z.object({ task_no: id.meta({ title: '加签人' }), suggestion, version }),
    reply: Moved,
    message: '已减签',
  }),
  giveBack: call({
    method: 'POST',
    path: `${ticket}return/`,
    access: signedIn,
    summary: '退回',
    params: idParams,
    body: z.object({
      state_id: id.optional().meta({ title: '退回到' }),
      /** Several states instead, each of another branch, from `beside`. */
      state_ids: z.array(id).min(1).max(50, '最多 50 个环节').optional().meta({ title: '退回到' }),
      /** 1: every step again; 2: straight back to me while no key field changes; the workflow's setting if missing. */
      resubmit_mode: z.literal([1, 2]).optional(),
      suggestion: said,
      files: opinionFiles,
      mentions: opinionMentions,
      task_no,
      version,
    }),
    reply: Moved,
    message: '已退回',
  }),
  retreat: call({
    method: 'POST',
    path: `${ticket}retreat/`,
    access: signedIn,
    summary: '撤回',
    params: idParams,
    body: z.object({ suggestion, version }),
    reply: Moved,
    message: '已撤回',
  }),
  suspend: call({
    method: 'POST',
    path: `${ticket}suspend/`,
    access: signedIn,
    summary: '挂起',
    params: idParams,
    body: z.object({ suggestion: said, task_no, version }),
    reply: Moved,
    message: '已挂起，办理时限暂停计算',
  }),
  resume: call({
    method: 'POST',
    path: `${ticket}resume/`,
    access: signedIn,
    summary: '恢复',
    params: idParams,
    body: z.object({ suggestion, task_no, version }),
    reply: Moved,
    message: '已恢复',
  }),
  revoke: call({
    method: 'POST',
    path: `${ticket}revoke/`,
    access: signedIn,
    summary: '作废',
    params: idParams,
    body: z.object({ suggestion: said, version }),
    reply: Moved,
    message: '已作废',
  }),
  applyFinish: call({
    method: 'POST',
    path: `${ticket}apply_finish/`,
    access: signedIn,
    summary: '申请办结',
    params: idParams,
    body: z.object({ suggestion: said, version }),
    reply: Moved,
    message: '已申请办结',
  }),
  endLeave: call({
    method: 'POST',
    path: `${ticket}end_leave/`,
    access: signedIn,
    summary: '提前返岗销假',
    params: idParams,
    /** The first half of a day on which the person works again. */
    body: z.object({
      day: day.meta({ title: '返岗日期' }),
      half: z.enum(['am', 'pm']).default('am').meta(coded('返岗时段', halves)),
      suggestion,
      version,
    }),
    reply: Moved,
    message: '已销假，从返岗时起不再计为不在岗',
  }),
  close: call({
    method: 'POST',
    path: `${ticket}close/`,
    access: signedIn,
    summary: '关闭',
    params: idParams,
    body: z.object({ suggestion, version }),
    reply: Moved,
    message: '已关闭',
  }),
  state: call({
    method: 'PUT',
    path: `${ticket}state/`,
    access: signedIn,
    summary: '调整环节',
    params: idParams,
    body: z.object({
      state_id: id.meta({ title: '调整到' }),
      /** The fate of the other branches, if it runs in several and is moved into one of them. */
      beside: z.enum(['keep', 'end']).optional().meta({ title: '其他分支' }),
      /** The people to handle it there; the state's own people if missing. */
      target_username: several.default([]),
      suggestion: said,
      version,
    }),
    reply: Moved,
    message: '已调整',
  }),
  comment: call({
    method: 'POST',
    path: `${ticket}comments/`,
    access: signedIn,
    summary: '评论',
    params: idParams,
    body: z.object({ suggestion: said, mentions: opinionMentions, files: opinionFiles }),
    reply: done,
    message: '已评论',
  }),
  urge: call({
    method: 'POST',
    path: `${ticket}urge/`,
    access: signedIn,
    summary: '催办',
    params: idParams,
    body: z.object({ suggestion }),
    reply: done,
    message: '已催办',
  }),
  cc: call({
    method: 'POST',
    path: `${ticket}cc/`,
    access: signedIn,
    summary: '抄送',
    params: idParams,
    body: z.object({ target_username: some, suggestion }),
    reply: done,
    message: '已抄送',
  }),
  batch: call({
    method: 'PATCH',
    path: '/api/tickets/batch/',
    access: signedIn,
    summary: '批量处理',
    body: z.object({
      ticket_ids: z
        .array(id)
        .min(1, '请选择工单')
        .max(mostInBatch, `一次最多 ${mostInBatch} 张`)
        .meta({ title: '工单' }),
      action: z.enum(batchActions),
      suggestion,
      /** The new assignee, for `deliver`. */
      target_username: one.optional(),
    }),
    /** One row for each ticket in the requested order; `code` and `msg` as if it had been handled alone. */
    reply: z.object({
      value: z.array(z.object({ id: z.number().int(), ok: z.boolean(), code: z.number().int(), msg: z.string() })),
    }),
    message: '处理完成',
  }),
};
