import { z } from 'zod';
import { call, fileReply, grant, signedIn, type Method } from '#kernel/contract/call.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { day, done, flag, id, idParams, line, listOf, listQuery, name, text } from '#kernel/contract/shapes.ts';
import { itemState, labelOf, outcomes, subState, superviseLevel, superviseLight, superviseSource } from './codes.ts';
import {
  codeOf,
  due,
  files,
  ItemChange,
  ItemDetail,
  ItemInput,
  ItemRow,
  reason,
  SubChange,
  SubInput,
  SubRow,
} from './shapes.ts';

export const root = '/api/supervise/';
export const page = 'supervise/list';
const int = z.number().int();
const value = <R extends z.ZodType>(row: R) => z.object({ value: row });

/** A step of a record; the record's own rules decide who may take it. */
export const step = <B extends z.ZodRawShape, M extends Method = 'PUT'>(
  path: string,
  summary: string,
  body: B,
  method: M = 'PUT' as M,
) =>
  call({
    method,
    path: `${root}${path}`,
    access: signedIn,
    summary,
    params: idParams,
    body: z.object(body),
    reply: z.object({ id: int, status: int }),
    message: `${summary}：已完成`,
  });
export const result = z.literal([1, 2]).meta({ title: '结果' });
const finishing = {
  finish_note: text(2000).default('').meta({ title: '办结说明' }),
  score: z
    .number()
    .min(0)
    .max(100)
    .nullish()
    .meta(field('评分', { help: '0–100 分，可以不评' })),
};
const returned = z.array(id).max(100).default([]).meta({ title: '退回的子任务' });
const lightFilters = { status: codeOf(itemState.names).optional(), light: codeOf(superviseLight.names).optional() };

const finishSays: Readonly<Record<number, string>> = {
  [itemState.running]: '已退回继续办理',
  [itemState.applied]: '已提请办结，由批示领导决定',
  [itemState.finished]: '已办结',
};

/** The number of rows with each light, ignoring the filter by light. */
const lit = { lights: z.record(z.string(), int).optional() };

export const items = {
  list: call({
    method: 'GET',
    path: root,
    access: signedIn,
    summary: '查看督办事项',
    query: listQuery({
      sort: ['id', 'due_at', 'progress', 'light'],
      filters: {
        ...lightFilters,
        category: z.enum(['all', 'mine', 'supervise', 'owner', 'leader', 'dept', 'public']).optional(),
        source: codeOf(superviseSource.names).optional().meta({ title: '来源' }),
        level: codeOf(superviseLevel.names).optional().meta({ title: '级别' }),
        lead_dept: id.optional().meta({ title: '主办部门' }),
        owner: id.optional(),
        supervisor: id.optional(),
        leader: id.optional(),
        due_from: day.optional().meta({ title: '时限自' }),
        due_to: day.optional().meta({ title: '时限至' }),
        overdue: flag.optional(),
        public: flag.optional(),
        source_module: line(30).optional(),
        source_id: id.optional(),
        with_subs: flag.optional(),
      },
    }),
    reply: listOf(ItemRow).extend(lit),
    exports: {
      page,
      title: '督办事项',
      columns: sheetColumns(ItemRow.shape, [
        'sn',
        'title',
        'source',
        'lead_dept_name',
        'owner_info',
        'supervisor_info',
        'first_due_at',
        'due_at',
        { key: 'progress', heading: '认可进度 %' },
        'light',
        'status',
      ]),
    },
  }),
  create: call({
    method: 'POST',
    path: root,
    access: grant('Create', page),
    summary: '督办立项',
    body: ItemInput,
    reply: z.object({ id: int, sn: z.string(), existed: z.boolean() }),
    message: '已立项',
  }),
  get: call({
    method: 'GET',
    path: `${root}{id}/`,
    access: signedIn,
    summary: '查看督办详情',
    params: idParams,
    reply: value(ItemDetail),
    fresh: true,
    notesReading: true,
  }),
  update: step('{id}/', '修改督办事项', ItemChange.shape),
  remove: call({
    method: 'DELETE',
    path: `${root}{id}/`,
    access: signedIn,
    summary: '删除督办事项',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
  pdf: call({
    method: 'GET',
    path: `${root}{id}/pdf/`,
    access: signedIn,
    summary: '打印督办事项单',
    params: idParams,
    reply: fileReply,
  }),
  issue: step('{id}/issue/', '交办', {}),
  applyFinish: step('{id}/apply_finish/', '申请办结', { content: name(2000).meta({ title: '完成情况' }), files }),
  finish: {
    ...step(
      '{id}/finish/',
      '办结',
      { result, ...finishing, reason: text(1000).default('').meta({ title: '原因' }), subs: returned },
      'PATCH',
    ),
    /** For an urgent item the supervisor only proposes completion, so the status stays 申请办结. */
    says: ({ status }: { status: number }) => labelOf(finishSays, status),
  },
  terminate: step('{id}/terminate/', '终止', { reason, files }),
  reopen: step('{id}/reopen/', '回头看', {
    reason,
    due_at: due.meta({ title: '新的时限' }),
    subs: returned.meta({ title: '重新办理的子任务' }),
  }),
};

export const subs = {
  list: call({
    method: 'GET',
    path: `${root}sub/`,
    access: signedIn,
    summary: '查看督办任务',
    query: listQuery({
      sort: ['urgent', 'id', 'due_at', 'progress'],
      filters: {
        ...lightFilters,
        status: codeOf(subState.names).optional(),
        supervise_id: id.optional(),
        dept: id.optional().meta({ title: '承办部门' }),
        due_from: day.optional().meta({ title: '时限自' }),
        due_to: day.optional().meta({ title: '时限至' }),
        /** Only parts that were issued and not cancelled, as the statistics and the bulletin count them. */
        outcome: z.enum(outcomes).optional().meta({ title: '统计口径' }),
        mine: flag.optional(),
        /** Its owner has something to do about it now. */
        todo: flag.optional().meta({ title: '待我办理' }),
        unopen: flag.optional(),
        to_check: flag.optional(),
      },
    }),
    reply: listOf(SubRow).extend(lit),
  }),
  create: call({
    method: 'POST',
    path: `${root}sub/`,
    access: signedIn,
    summary: '新增子任务',
    body: SubInput.extend({ supervise_id: id }),
    reply: done,
    message: '已新增',
  }),
  unopen: call({
    method: 'GET',
    path: `${root}sub/unopen/`,
    access: signedIn,
    summary: '查看未签收的任务',
    query: listQuery({ sort: ['due_at', 'id'] }),
    reply: listOf(SubRow),
  }),
  count: call({
    method: 'GET',
    path: `${root}sub/count/`,
    access: signedIn,
    summary: '督办任务计数',
    reply: z.object({
      all: int,
      unopen: int,
      doing: int,
      to_check: int,
      finished: int,
      overdue: int,
      behind: int,
      near_due: int,
      mine: int,
      requests: int,
      sheets_unread: int,
      to_check_late: int,
    }),
    fresh: true,
  }),
  get: call({
    method: 'GET',
    path: `${root}sub/{id}/`,
    access: signedIn,
    summary: '查看督办任务详情',
    params: idParams,
    reply: value(SubRow),
    fresh: true,
    notesReading: true,
  }),
  update: step('sub/{id}/', '修改子任务', SubChange.shape),
  remove: call({
    method: 'DELETE',
    path: `${root}sub/{id}/`,
    access: signedIn,
    summary: '删除子任务',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
  cancel: step('sub/{id}/cancel/', '取消子任务', { reason }),
};
