import { z } from 'zod';
import { call, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import {
  actions,
  day,
  done,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  localMoment,
  name,
  text,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { entryKind } from './contract/codes.ts';
import { dutyStatistics, page, path, planCalls } from './contract/plans.ts';

import { Days, Entry, Share, Shift, Swap } from './contract/shapes.ts';

export { dutyStatistics, page, planCalls };
export type { Entry, Person, Shift, Swap } from './contract/shapes.ts';

const int = z.number().int();
const one = `${path}{id}/` as const;
/** A day of this century, so that the days around it are valid too. */
const someDay = day.refine((value) => value.startsWith('20'), '请选择 2000 至 2099 年的日期');
const month = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, '请按“2026-03”填写月份')
  .meta(field('月份'));
const signature = id.optional().meta(field('手写签名', { help: '可不签；签名随日志存档' }));
const signed = FileCard.nullable();
const people = z.array(name(50)).max(10, '最多 10 人').optional();

export const dutyCalls = {
  roster: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '查看值班表',
    query: z.object({ month, plan: id.optional() }),
    reply: z.object({ days: Days, drafts: int, published: int }),
    fresh: true,
  }),
  make: call({
    method: 'POST',
    path,
    access: grant('Create', page),
    summary: '自动排班',
    body: z.object({
      plan_id: id.meta(field('方案')),
      from: someDay.meta(field('开始日期')),
      to: someDay.meta(field('结束日期')),
      dry_run: z
        .boolean()
        .default(false)
        .meta(field('试算', { hidden: true })),
      keep: z
        .boolean()
        .default(true)
        .meta(field('保留手工安排', { kind: 'switch', help: '已发布的班次不变' })),
    }),
    reply: z.object({ days: Days, gaps: z.array(z.string()), shares: z.array(Share) }),
    message: '排班已生成，核对后发布',
  }),
  today: call({
    method: 'GET',
    path: `${path}today/`,
    access: signedIn,
    summary: '查看今日值班',
    reply: z.object({ now: z.array(Shift), next: z.array(Shift), mine: z.array(Shift) }),
    fresh: true,
  }),
  publish: call({
    method: 'POST',
    path: `${path}publish/`,
    access: grant('Update', page),
    summary: '发布值班表',
    body: z.object({
      month,
      plan_id: id.optional().meta(field('方案')),
      force: z.boolean().default(false).meta(field('缺人也发布')),
    }),
    reply: z.object({ count: int }),
    message: '值班表已发布',
  }),
  pdf: call({
    method: 'GET',
    path: `${path}pdf/`,
    access: signedIn,
    summary: '打印值班表',
    query: z.object({ month, plan: id.optional() }),
    reply: fileReply,
  }),
  swaps: call({
    method: 'GET',
    path: `${path}swap/`,
    access: signedIn,
    summary: '查看换班申请',
    query: listQuery({
      sort: ['gmt_created'],
      filters: { category: z.enum(['mine', 'todo', 'all']).default('mine').meta({ title: '范围' }) },
    }),
    reply: listOf(Swap),
    fresh: true,
  }),
  answerSwap: call({
    method: 'PUT',
    path: `${path}swap/{id}/`,
    access: signedIn,
    summary: '办理换班',
    params: idParams,
    body: z.object({ act: z.enum(['agree', 'decline', 'withdraw', 'confirm']).meta(field('办理')) }),
    reply: z.object({ id: int, state: int }),
    message: '换班已办理',
  }),
  get: call({
    method: 'GET',
    path: one,
    access: signedIn,
    summary: '查看班次',
    params: idParams,
    reply: Shift.extend({
      /** The shift's own entries and those carried over, for viewers who may read the log. */
      log: z.array(Entry),
      handover: z
        .object({ by_name: z.string(), at: timestamp, note: z.string(), open: z.array(int), signature: signed })
        .nullable(),
      taken: z.object({ by_name: z.string(), at: timestamp, note: z.string(), signature: signed }).nullable(),
      changes: z.array(
        z.object({ at: timestamp, by_name: z.string(), was: z.string(), becomes: z.string(), reason: z.string() }),
      ),
      swaps: z.array(Swap),
      actions,
    }),
    fresh: true,
  }),
  change: call({
    method: 'PUT',
    path: one,
    access: grant('Update', page),
    summary: '调整值班人员',
    params: idParams,
    body: z.object({
      lead: people.meta(field('带班领导')),
      staff: people.meta(field('值班员')),
      backup: people.meta(field('备勤')),
      reason: line(200).default('').meta(field('原因')),
      force: z
        .boolean()
        .default(false)
        .meta(field('确认安排', { hidden: true })),
      version,
    }),
    reply: done,
    message: '值班人员已调整',
  }),
  move: call({
    method: 'POST',
    path: `${one}move/`,
    access: grant('Update', page),
    summary: '移动值班人员',
    params: idParams,
    body: z.object({
      user: name(50).meta(field('值班人')),
      to: id.meta(field('移到的班次')),
      with: name(50)
        .optional()
        .meta(field('对换的人', { help: '不填为移过去，原班次空出' })),
      reason: line(200).default('').meta(field('原因')),
      force: z
        .boolean()
        .default(false)
        .meta(field('确认安排', { hidden: true })),
    }),
    reply: done,
    message: '值班人员已移动',
  }),
  cancel: call({
    method: 'POST',
    path: `${one}cancel/`,
    access: grant('Delete', page),
    summary: '取消班次',
    params: idParams,
    body: z.object({
      reason: name(200).meta(field('原因', { help: '值班人员和换班的双方会收到' })),
    }),
    reply: done,
    message: '班次已取消',
  }),
  remove: call({
    method: 'DELETE',
    path: one,
    access: grant('Delete', page),
    summary: '删除班次',
    params: idParams,
    reply: done,
    message: '班次已删除',
  }),
  log: call({
    method: 'POST',
    path: `${one}log/`,
    access: signedIn,
    summary: '记值班日志',
    params: idParams,
    body: z.object({
      kind: choice('类别', entryKind.names).default(9),
      at: localMoment.optional().meta(field('时间', { help: '不填为现在' })),
      content: text(2000)
        .min(1, '请填写')
        .meta(field('情况', { kind: 'textarea' })),
      from: line(100)
        .default('')
        .meta(field('来源', { help: '来电、来访的单位和姓名' })),
      handled: z
        .boolean()
        .default(false)
        .meta(field('已办结', { kind: 'switch' })),
      told: line(100).default('').meta(field('报告了谁')),
      urgent: z
        .boolean()
        .default(false)
        .meta(field('紧急', { kind: 'switch', help: '立即短信告知带班领导和办公室' })),
      files: z.array(id).max(9, '最多 9 张').default([]).meta(field('照片')),
      late_reason: line(200)
        .default('')
        .meta(field('补登原因', { help: '为什么当时没有接班、没有记录' })),
      closes: id.optional().meta(field('办结的事项', { hidden: true })),
    }),
    reply: done,
    message: '已记入值班日志',
  }),
  handOver: call({
    method: 'POST',
    path: `${one}handover/`,
    access: signedIn,
    summary: '交班',
    params: idParams,
    body: z.object({
      open: z.array(id).max(100, '最多 100 项').default([]).meta(field('移交的事项')),
      note: line(500)
        .default('')
        .meta(field('交班说明', { kind: 'textarea' })),
      signature,
    }),
    reply: done,
    message: '已交班',
  }),
  takeOver: call({
    method: 'PUT',
    path: `${one}handover/`,
    access: signedIn,
    summary: '接班',
    params: idParams,
    body: z.object({ result: line(200).default('').meta(field('接班情况')), signature }),
    reply: done,
    message: '已接班',
  }),
  logPdf: call({
    method: 'GET',
    path: `${one}pdf/`,
    access: signedIn,
    summary: '打印值班日志',
    params: idParams,
    reply: fileReply,
  }),
  swap: call({
    method: 'POST',
    path: `${one}swap/`,
    access: signedIn,
    summary: '申请换班',
    params: idParams,
    body: z.object({
      user: name(50)
        .optional()
        .meta(field('值班人', { help: '办公室代换时填写；不填为本人' })),
      with: name(50).meta(field('换给')),
      their_shift: id.optional().meta(field('互换的班次', { help: '不填为请对方替班' })),
      reason: name(200).meta(field('原因')),
    }),
    reply: z.object({ id: int, state: int }),
    message: '换班申请已提交',
  }),
  statistics: dutyStatistics.call,
  plans: planCalls.list,
  addPlan: planCalls.add,
  changePlan: planCalls.change,
  removePlan: planCalls.remove,
};
