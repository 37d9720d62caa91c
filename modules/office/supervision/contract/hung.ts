import { z } from 'zod';
import { call, fileReply, signedIn } from '#kernel/contract/call.ts';
import { id, idParams, listOf, listQuery, localMoment, name, text } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { opinionType, requestKind } from './codes.ts';
import * as shapes from './shapes.ts';
import { codeOf, files, reason } from './shapes.ts';
import { result, root, step } from './supervise.ts';

const int = z.number().int();
const listing = <R extends z.ZodType, F extends z.ZodRawShape>(path: string, summary: string, row: R, filters: F) =>
  call({
    method: 'GET',
    path: `${root}${path}`,
    access: signedIn,
    summary,
    query: listQuery({ sort: ['id', 'gmt_created'], filters }),
    reply: listOf(row),
    fresh: true,
  });

const opinion = name(1000).meta({ title: '意见' });

const of = { supervise_id: id.optional(), sub_id: id.optional() };
export const progress = {
  list: listing('sub/progress/', '查看进展', shapes.ProgressRow, {
    ...of,
    scope: z.enum(['mine', 'to_check']).optional(),
  }),
  report: call({
    method: 'POST',
    path: `${root}sub/progress/`,
    access: signedIn,
    summary: '反馈进展',
    body: z.object({
      sub_id: id,
      percent: int.min(0).max(100).meta({ title: '完成比例' }),
      content: name(4000).meta({ title: '已完成' }),
      problem: text(2000).default('').meta({ title: '存在问题' }),
      next_plan: text(2000).default('').meta({ title: '下一步' }),
      reason: text(500).default('').meta({ title: '比例下降的原因' }),
      stages: z.array(int.min(1).max(20)).max(20).default([]).meta({ title: '完成的阶段' }),
      is_finish: z
        .boolean()
        .default(false)
        .meta(field('申请完成', { help: '须完成 100%' })),
      files,
    }),
    reply: z.object({ id: int }),
    message: '已反馈，等待督办人审核',
  }),
  check: step('sub/progress/{id}/check/', '审核进展', {
    result,
    opinion: text(1000).default('').meta({ title: '意见' }),
  }),
};

export const requests = {
  list: listing('sub/request/', '查看督办申请', shapes.RequestRow, {
    ...of,
    kind: codeOf(requestKind.names).optional(),
    state: z.coerce.number().int().min(1).max(5).optional(),
    scope: z.enum(['mine', 'to_decide']).optional(),
  }),
  create: call({
    method: 'POST',
    path: `${root}sub/request/`,
    access: signedIn,
    summary: '提交督办申请',
    body: z.object({
      sub_id: id,
      kind: codeOf(requestKind.names).meta({ title: '申请' }),
      reason,
      done_so_far: text(2000).default('').meta({ title: '目前进展' }),
      apply_due: localMoment.optional().meta({ title: '申请延至' }),
      to: id.optional().meta({ title: '建议由谁承办' }),
      files,
    }),
    reply: z.object({ id: int }),
    message: '已提交，等待决定',
  }),
  check: step('sub/request/{id}/check/', '决定申请', {
    result,
    opinion,
    due_at: localMoment.optional().meta({ title: '同意延至' }),
    with_item: z.boolean().default(false).meta({ title: '事项时限一并顺延' }),
  }),
  withdraw: step('sub/request/{id}/withdraw/', '撤回申请', {}),
};

export const opinions = {
  list: listing('sub/opinion/', '查看督办意见', shapes.OpinionRow, of),
  create: call({
    method: 'POST',
    path: `${root}sub/opinion/`,
    access: signedIn,
    summary: '发表督办意见',
    body: z.object({
      supervise_id: id,
      sub_id: id.nullish(),
      type: choice('类型', opinionType.names),
      content: name(2000).meta({ title: '意见' }),
      at_users: z.array(id).max(50).default([]).meta({ title: '提到' }),
    }),
    reply: z.object({ id: int }),
    message: '已发表',
  }),
};

const paper = {
  colour: choice('颜色', { 1: '蓝', 2: '黄', 3: '红' }, { help: '蓝：临期提醒；黄：滞后或办理不力；红：逾期' }),
  content: name(2000).meta({ title: '督办内容' }),
  answer_by: localMoment.meta({ title: '答复时限' }),
};
export const sheets = {
  list: listing('sheet/', '查看督办单', shapes.SheetRow, {
    ...of,
    colour: z.coerce.number().int().min(0).max(3).optional(),
    scope: z.enum(['received', 'unread', 'unanswered']).optional(),
  }),
  issue: call({
    method: 'POST',
    path: `${root}{id}/sheet/`,
    access: signedIn,
    summary: '下发督办单',
    params: idParams,
    body: z.object({
      sub_ids: z.array(id).min(1, '请选择子任务').max(50, '最多 50 项').meta({ title: '子任务' }),
      ...paper,
    }),
    reply: z.array(z.object({ id: int, no: z.string() })),
    message: '督办单已下发',
  }),
  several: call({
    method: 'POST',
    path: `${root}sheet/`,
    access: signedIn,
    summary: '批量下发督办单',
    body: z.object({
      supervise_ids: z.array(id).min(1, '请选择事项').max(50, '一次最多 50 个事项').meta({ title: '事项' }),
      whom: choice('下发给', { 1: '全部未完成的任务', 3: '黄灯和红灯的任务', 4: '红灯的任务' }),
      ...paper,
    }),
    reply: z.array(z.object({ id: int, no: z.string() })),
    message: '督办单已下发',
  }),
  receive: step('sheet/{id}/receive/', '签收督办单', { answer: text(2000).default('').meta({ title: '答复' }) }),
  pdf: call({
    method: 'GET',
    path: `${root}sheet/{id}/pdf/`,
    access: signedIn,
    summary: '打印督办单',
    params: idParams,
    reply: fileReply,
  }),
};
