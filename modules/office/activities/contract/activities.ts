import { z } from 'zod';
import { call, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import {
  day,
  done,
  flag,
  id,
  idParams,
  line,
  localMoment,
  name,
  text,
  version,
  webAddress,
} from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { recordCalls } from '#modules/workflow/records/contract.ts';
import { typeText } from './codes.ts';
import { ActivityDetail, ActivityInput, ActivityRow, freeShape, Guest, Step, Verdict } from './shapes.ts';

const int = z.number().int();
const code = z.coerce.number().int().min(0).max(99).optional();
const page = 'activity/declare';
const one = '/api/activity/{id}/';
const confirm = z.boolean().default(false).meta({ title: '已阅提示' });
const people = (most: number) => int.min(0, '不能小于 0').max(most, '人数过多，请核对');
const period = { start_time: localMoment.optional(), end_time: localMoment.optional() };

const record = recordCalls('/api/activity/', {
  noun: '活动',
  writing: '申报活动',
  page,
  input: ActivityInput,
  once: { confirm },
  row: ActivityRow,
  detail: ActivityDetail,
  sort: ['gmt_created', 'start_time', 'title'],
  filters: {
    type_id: code,
    act_state: code,
    activity_status: code,
    dept_id: id.optional(),
    start: day.optional().meta(field('开始日期从', { short: '从' })),
    end: day.optional().meta(field('开始日期到', { short: '到' })),
    place: line(50).optional(),
    leader: id.optional(),
    foreign: flag.optional().meta({ title: '涉外' }),
    external: flag.optional().meta({ title: '校外嘉宾' }),
    overdue_summary: flag.optional().meta({ title: '总结' }),
  },
  exports: {
    page: 'activity/list',
    title: '活动',
    columns: sheetColumns(ActivityRow.shape, [
      'title',
      { key: 'type_id', show: typeText },
      'dept_name',
      'start_time',
      'end_time',
      'location',
      'in_count',
      'out_count',
      'leader_names',
      'act_state_name',
      'activity_status',
    ]),
  },
});
/** All calls of the record; `update` changes the fields that need no new round. */
export const activities = {
  ...record,
  create: { ...record.create, path: '/api/activity/declare/' },
  update: call({
    method: 'PUT',
    path: `${one}edit/`,
    access: signedIn,
    summary: '修改活动的联系与宣传',
    params: idParams,
    /** The other fields are part of the approval, so sending them is refused by name. */
    body: z.strictObject({ ...freeShape, version }),
    reply: done,
    message: '已保存',
  }),
  again: call({
    ...record.again,
    summary: '修改后重新申报活动，已通过的申请变更',
    body: record.again.body!.extend({ confirm, reason: line(200).default('').meta({ title: '变更原因' }) }),
  }),
};

export const activityCalls = {
  check: call({
    method: 'POST',
    path: '/api/activity/check/',
    access: grant('Create', page),
    summary: '核对活动申报',
    body: ActivityInput.partial().extend({ id: id.optional() }),
    reply: z.object({ verdict: Verdict, steps: z.array(Step), refused: z.string().nullable() }),
    quiet: true,
  }),
  cancel: call({
    method: 'POST',
    path: `${one}cancel/`,
    access: signedIn,
    summary: '取消活动',
    params: idParams,
    body: z.object({ reason: name(200).meta({ title: '取消原因' }) }),
    reply: done,
    message: '活动已取消',
  }),
  summarise: call({
    method: 'PUT',
    path: `${one}summary/`,
    access: signedIn,
    summary: '提交活动总结',
    params: idParams,
    body: z.object({
      summary: text(5000).min(1, '请填写').meta({ title: '总结' }),
      actual_in: people(100_000).meta({ title: '实到校内人数' }),
      actual_out: people(100_000).meta({ title: '实到校外人数' }),
      news_link: webAddress(300).meta({ title: '新闻链接' }),
      no_photos: z.boolean().default(false).meta({ title: '没有照片' }),
      version,
    }),
    reply: done,
    message: '总结已提交',
  }),
  returnSummary: call({
    method: 'POST',
    path: `${one}summary/return/`,
    access: signedIn,
    summary: '退回活动总结',
    params: idParams,
    body: z.object({ reason: name(200).meta({ title: '退回原因' }) }),
    reply: done,
    message: '总结已退回',
  }),
  withdrawChange: call({
    method: 'DELETE',
    path: `${one}change/`,
    access: signedIn,
    summary: '撤回活动变更',
    params: idParams,
    reply: done,
    message: '变更已撤回',
  }),
  changeOf: call({
    method: 'GET',
    path: '/api/activity/change/{id}/',
    access: signedIn,
    summary: '查看活动变更',
    params: idParams,
    reply: z.object({ activity_id: int }),
    fresh: true,
  }),
  sheet: call({
    method: 'GET',
    path: `${one}sheet/`,
    access: signedIn,
    summary: '打印活动审批表',
    params: idParams,
    reply: fileReply,
  }),
  leaders: call({
    method: 'GET',
    path: '/api/activity/leader/',
    access: signedIn,
    summary: '可邀请的校领导',
    query: z.object({ ...period, id: id.optional() }),
    reply: z.object({
      value: z.array(
        z.object({
          id: int,
          username: z.string(),
          alias: z.string(),
          dept_name: z.string(),
          busy: z.array(z.string()),
        }),
      ),
    }),
  }),
  guests: call({
    method: 'GET',
    path: '/api/activity/guests/',
    access: grant('Create', page),
    summary: '以往的嘉宾',
    query: z.object({ search_value: line(50).default('') }),
    reply: z.object({
      value: z.array(
        z.object({
          ...Guest.pick({ name: true, org: true, title: true, nationality: true, topic: true, is_external: true })
            .shape,
          id: int,
          at: z.string(),
          /** The last approver, and whether a background note still holds. */
          approved_by: z.string(),
          noted: z.boolean(),
        }),
      ),
    }),
  }),
};
