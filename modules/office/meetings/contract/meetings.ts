import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { day, done, flag, id, idParams, line, listOf, listQuery, name, version } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { Receipts } from '#modules/platform/people/contract/receipts.ts';
import { recordCalls } from '#modules/workflow/records/contract.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { replyState, scopes } from './codes.ts';
import { AttendRow, ChangeDetail, MeetDetail, MeetInput, MeetRow } from './shapes.ts';

const int = z.number().int();
const path = '/api/meet/' as const;
const one = `${path}{id}/` as const;
const code = z.coerce.number().int().min(0).max(9).optional();
export const filters = {
  type_id: code.meta(field('会议类型', { short: '类型' })),
  act_state: code.meta({ title: '审批状态' }),
  meet_status: code.meta({ title: '会议状态' }),
  office_id: id.optional().meta({ title: '会务单位' }),
  room_id: id.optional().meta({ title: '会议室' }),
  dept_id: id.optional().meta({ title: '主办部门' }),
  start_from: day.optional().meta({ title: '日期自' }),
  start_to: day.optional().meta({ title: '日期至' }),
};
const sort = ['gmt_created', 'start_time'] as const;
const scope = z
  .enum(Object.keys(scopes) as ['this', 'following', 'all'])
  .default('this')
  .meta({ title: '范围' });
const reason = name(200).meta({ title: '原因' });
/** The reason for a cancellation that gives none. */
export const cancelledBare = '未说明原因';
/** Says why an edit has no title, kind or department. */
export const partOfApproval =
  '名称、类型、形式、主办部门和重复是审批的内容，提交后不能直接改；待审的请先撤回，已通过的请取消后用“再次召开”重新申请';
const notice = z.object({ sent: int, skipped: int });
const cancelled = z.object({ meet_status: int, cancelled: int });
const sending = {
  users: z.array(id).max(2000).optional().meta({ title: '人员' }),
  content: line(300).default('').meta({ title: '附言' }),
};

const record = recordCalls(path, {
  noun: '会议',
  writing: '申请会议',
  page: 'meet/list',
  input: MeetInput,
  row: MeetRow,
  detail: MeetDetail,
  sort,
  filters,
});

export const meetCalls = {
  ...record,
  manage: call({
    method: 'GET',
    path: `${path}manage/`,
    access: grant('Retrieve', 'meet/manage'),
    summary: '查看会议台账',
    query: listQuery({
      sort: ['start_time', 'gmt_created'],
      filters: { ...filters, change_pending: flag.optional().meta({ title: '变更' }) },
    }),
    reply: listOf(MeetRow),
    exports: {
      page: 'meet/manage',
      title: '会议台账',
      columns: sheetColumns(MeetRow.shape, [
        'title',
        'type_id',
        'mode',
        'room_name',
        'location',
        'start_time',
        'end_time',
        'host_info',
        'dept_name',
        'asked',
        'coming',
        'excused',
        'unanswered',
        'signed',
        'meet_status',
      ]),
    },
  }),
  attend: call({
    method: 'GET',
    path: `${path}attend/`,
    access: signedIn,
    summary: '查看我的会议',
    query: listQuery({
      sort: ['start_time'],
      filters: {
        /** `unanswered`: what waits for my answer. */
        when: z.enum(['coming', 'past', 'today', 'unanswered']).default('coming').meta({ title: '时间' }),
      },
    }),
    reply: listOf(AttendRow),
    fresh: true,
  }),
  edit: call({
    method: 'PUT',
    path: `${one}edit/`,
    access: signedIn,
    summary: '修改已提交或通过的会议',
    params: idParams,
    body: z.strictObject(
      {
        ...MeetInput.omit({ title: true, type_id: true, dept_id: true, mode: true, repeat: true }).shape,
        scope: scope.meta({ title: '修改范围' }),
        reason: line(200).default('').meta({ title: '修改原因' }),
        /** Notifies attendees of new materials. */
        tell: z.boolean().default(false).meta({ title: '通知材料更新' }),
        version,
      },
      {
        error: (issue) =>
          issue.code === 'unrecognized_keys' && issue.keys.every((key) => key in MeetInput.shape)
            ? partOfApproval
            : undefined,
      },
    ),
    reply: z.object({
      id: int,
      act_state: int,
      change: z.object({ id: int, act_state: int }).nullable(),
      /** Dates of a repeat that were not changed, with the reason. */
      left: z.array(z.object({ start_time: z.string(), reason: z.string() })).default([]),
    }),
    says: ({ change }: { change: { act_state: number } | null }) =>
      change?.act_state === actState.ongoing ? '变更已提交会务审批，批准前仍按原安排' : '已保存',
  }),
  change: call({
    method: 'GET',
    path: `${path}change/{id}/`,
    access: signedIn,
    summary: '查看会议变更',
    params: idParams,
    reply: z.object({ value: ChangeDetail }),
    fresh: true,
  }),
  dropChange: call({
    method: 'DELETE',
    path: `${one}change/`,
    access: signedIn,
    summary: '撤销待审的会议变更',
    params: idParams,
    reply: done,
    message: '变更已撤销，会议按原安排举行',
  }),
  receipts: call({
    method: 'GET',
    path: `${one}notice/`,
    access: signedIn,
    summary: '查看会议回执',
    params: idParams,
    reply: z.object({ receipts: Receipts, urge_wait: int }),
    fresh: true,
  }),
  notice: call({
    method: 'POST',
    path: `${one}notice/`,
    access: signedIn,
    summary: '发送会议通知或催回复',
    params: idParams,
    /** `expand` invites people who have joined the departments since; `urge` reminds those who have not answered by text message. */
    body: z.object({ ...sending, expand: z.boolean().default(false), urge: z.boolean().default(false) }),
    reply: notice,
    says: ({ sent: count }: { sent: number }) => `已通知 ${count} 人`,
  }),
  reply: call({
    method: 'PUT',
    path: `${one}notice/`,
    access: signedIn,
    summary: '回复会议通知',
    params: idParams,
    body: z.object({
      reply: z
        .literal(Object.keys(replyState.names).map(Number).filter(Boolean) as [number, ...number[]])
        .optional()
        .meta({ title: '回执' }),
      substitute_id: id.optional().meta({ title: '替会人' }),
      reason: line(200).default('').meta({ title: '原因' }),
      scope: scope.meta({ title: '用于' }),
      /** Set by the person who was asked to be a substitute. */
      accept: z.boolean().optional().meta({ title: '接受替会' }),
    }),
    reply: done,
    message: '已回复',
  }),
  send: call({
    method: 'POST',
    path: `${one}send/`,
    access: signedIn,
    summary: '通知尚未通知的人员',
    params: idParams,
    body: z.object({ content: sending.content }),
    reply: notice,
    says: ({ sent: count }: { sent: number }) => `已通知 ${count} 人`,
  }),
  sendByGet: call({
    method: 'GET',
    path: `${one}send/`,
    access: signedIn,
    summary: '通知尚未通知的人员',
    params: idParams,
    query: z.object({ content: sending.content }),
    reply: notice,
    writes: true,
  }),
  cancel: call({
    method: 'POST',
    path: `${one}cancel/`,
    access: signedIn,
    summary: '取消会议',
    params: idParams,
    body: z.object({ reason, scope }),
    reply: cancelled,
    message: '会议已取消',
  }),
  cancelByGet: call({
    method: 'GET',
    path: `${one}cancel/`,
    access: signedIn,
    summary: '取消会议',
    params: idParams,
    query: z.object({ reason: reason.default(cancelledBare), scope }),
    reply: cancelled,
    writes: true,
  }),
  displace: call({
    method: 'POST',
    path: `${one}displace/`,
    access: grant('chuli', 'meet/manage'),
    summary: '为更重要的会议让出会议室',
    params: idParams,
    body: z.object({
      for_id: id.meta({ title: '让位给' }),
      reason,
      /** The new room and time; without it the meeting is cancelled. */
      to: MeetInput.pick({ room_id: true, start_time: true, end_time: true }).optional().meta({ title: '改到' }),
    }),
    reply: z.object({ id: int, meet_status: int }),
    message: '已让位并通知有关人员',
  }),
};
