import { z } from 'zod';
import { call, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { dayOr, id, idParams, line, name, partialOf, text, timestamp, webAddress } from '#kernel/contract/shapes.ts';
import { choice, field, type FieldMeta } from '#kernel/contract/titles.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { projectStatus, serviceLevel } from './codes.ts';

const int = z.number().int();
const page = 'customer/project';
const date = (title: string) => dayOr('请选择日期').nullable().default(null).meta({ title });
const several = (title: string, more: Omit<FieldMeta, 'title'> = {}) =>
  z
    .array(id)
    .max(50, '最多 50 人')
    .transform((all) => [...new Set(all)])
    .default([])
    .meta(field(title, more));
/** Fields that can be set for many projects at once. */
const inBatches = {
  status: choice('项目状态', projectStatus.names).default(1),
  service_level: choice('服务级别', serviceLevel.names).default(1),
  manager: id.optional().meta(field('项目负责人', { short: '负责人', help: '不选则为本人' })),
  sms_switch: z
    .boolean()
    .default(false)
    .meta(field('短信告警', { kind: 'switch' })),
  alert_users: several('告警通知人', { help: '单位里收到告警的人' }),
  alert_contacts: several('告警联系人', { help: '客户方收到告警短信的联系人' }),
};
const input = {
  name: name(100).meta({ title: '项目名称' }),
  code: line(30).default('').meta({ title: '项目编号' }),
  ...inBatches,
  members: several('项目成员', { short: '成员' }),
  contract_no: line(40).default('').meta({ title: '合同编号' }),
  url: webAddress(300).meta({ title: '网址' }),
  start_date: date('开始日期'),
  end_date: date('结束日期'),
  domain_expire: date('域名到期'),
  remark: text(1000)
    .default('')
    .meta(field('备注', { kind: 'textarea' })),
};
const noun = nounCalls({
  prefix: '/api/customer/projects/',
  page,
  noun: '项目',
  once: { customer_id: id.meta({ title: '客户' }) },
  input,
  row: {
    ...input,
    manager: int,
    customer_id: int,
    customer_name: z.string().meta({ title: '客户' }),
    manager_alias: z.string().meta(field('项目负责人', { short: '负责人' })),
    gmt_created: timestamp,
  },
  sort: ['gmt_modified', 'name', 'status', 'end_date'],
  filters: {
    customer_id: id.optional(),
    manager: id.optional().meta({ title: '负责人' }),
    status: z.coerce.number().int().min(0).max(9).optional(),
    service_level: z.coerce.number().int().min(0).max(9).optional(),
  },
});

export const projects = {
  ...noun,
  get: call({
    method: 'GET',
    path: '/api/customer/projects/{id}/',
    access: grant('Retrieve', page),
    summary: '查看项目详情',
    params: idParams,
    reply: z.object({
      value: noun.list.reply.shape.value.element.extend({
        /** The manager, the members and the people notified of alarms. */
        people: z.array(PersonCard),
        contacts: z.array(z.object({ id: int, name: z.string(), mobile_masked: z.string() })),
        /** True if contacts were named for alarms and none of them receives any now. */
        silent: z.boolean(),
      }),
    }),
    fresh: true,
  }),
  smsSwitch: call({
    method: 'PUT',
    path: '/api/customer/projects/{id}/sms_switch/',
    access: grant('Update', page),
    summary: '开关短信告警',
    params: idParams,
    /** Toggled if absent. */
    body: z.object({ sms_switch: z.boolean().optional().meta({ title: '短信告警' }) }),
    reply: z.object({ sms_switch: z.boolean() }),
    says: ({ sms_switch }: { sms_switch: boolean }) => `短信告警已${sms_switch ? '开启' : '关闭'}`,
  }),
  batch: call({
    method: 'PUT',
    path: '/api/customer/projects/batch/',
    access: grant('Update', page),
    summary: '批量修改项目',
    body: z.object({
      ids: z
        .array(id)
        .min(1, '请至少选择一个项目')
        .max(100, '一次最多 100 个项目')
        .transform((all) => [...new Set(all)])
        .meta({ title: '项目' }),
      set: z
        .object(partialOf(inBatches))
        .refine((set) => Object.values(set).some((value) => value !== undefined), '请选择要修改的内容')
        .meta({ title: '修改内容' }),
    }),
    reply: z.object({ value: z.array(z.object({ id: int, name: z.string(), ok: z.boolean(), msg: z.string() })) }),
    says: ({ value }: { value: { ok: boolean }[] }) => `已修改 ${value.filter((one) => one.ok).length} 个项目`,
  }),
};
export type ProjectRow = ReplyOf<typeof projects.list>['value'][number];
export type Project = ReplyOf<typeof projects.get>['value'];
