import { z } from 'zod';
import { call, grant, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { id, idParams, line, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field } from '#kernel/contract/titles.ts';
import { creditCode } from '#modules/contracts/contract/parties.ts';
import { PersonCard } from '#modules/people/contract/cards.ts';
import { levels, statuses, types } from './codes.ts';

const int = z.number().int();
const page = 'customer/list';
const said = (max: number, title: string, more = {}) => line(max).default('').meta(field(title, more));
const code = z.coerce.number().int().min(0).max(9).optional();

const input = {
  name: name(100).meta(field('客户名称', { help: '按营业执照或单位公章上的全称' })),
  code: said(30, '客户编号'),
  credit_code: creditCode.default('').meta({ title: '统一社会信用代码' }),
  type: choice('类型', types).default(1),
  level: choice('级别', levels).default(2),
  status: choice('合作状态', statuses).default(2),
  owner: id.optional().meta(field('负责人', { help: '不选则为本人' })),
  dept_id: id.optional().meta(field('归属部门', { help: '决定谁能看到；不选则为负责人的部门' })),
  industry: said(50, '行业'),
  source: said(50, '来源'),
  phone: said(30, '单位电话'),
  website: said(200, '网址'),
  address: said(200, '地址'),
  tags: z
    .array(name(20))
    .max(20, '最多 20 个标签')
    .transform((all) => [...new Set(all)])
    .default([])
    .meta(field('标签', { kind: 'select', multiple: true })),
  follow_days: z
    .int('请填写天数')
    .min(0)
    .max(730, '最多 730 天')
    .default(90)
    .meta(field('跟进周期（天）', { help: '超过这些天没有联系就提醒负责人，0 为不提醒' })),
  remark: text(1000)
    .default('')
    .meta(field('备注', { kind: 'textarea' })),
  invoice_title: said(100, '发票抬头', { group: '开票信息' }),
  tax_no: said(20, '纳税人识别号'),
  invoice_bank: said(100, '开户银行'),
  invoice_account: said(50, '银行账号'),
  invoice_address: said(200, '注册地址'),
  invoice_phone: said(30, '注册电话'),
};
const words = { type: int, level: int, status: int, owner: int, dept_id: int, tags: z.array(z.string()) };
const texts = ['name', 'code', 'credit_code', 'industry', 'source', 'phone', 'website', 'address', 'remark'] as const;
const bill = [
  'invoice_title',
  'tax_no',
  'invoice_bank',
  'invoice_account',
  'invoice_address',
  'invoice_phone',
] as const;
const strings = <const K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.string()])) as Record<K, z.ZodString>;
const row = {
  ...strings([...texts, ...bill]),
  ...words,
  follow_days: int,
  last_contact_at: timestamp.nullable(),
  /** Days since; since it was added where nobody was in touch. */
  idle_days: int,
  owner_alias: z.string(),
  dept_name: z.string(),
  project_count: int,
  /** Of the contracts that I may read; null where I may read none. */
  contract_amount: z.number().nullable(),
  gmt_created: timestamp,
};

const noun = nounCalls({
  prefix: '/api/customer/',
  page,
  noun: '客户',
  input,
  row,
  sort: ['gmt_modified', 'name', 'level', 'last_contact_at', 'project_count'],
  filters: {
    type: code,
    level: code,
    status: code,
    owner: id.optional(),
    dept_id: id.optional(),
    tag: line(20).optional(),
    /** Not been in touch for more days than this. */
    idle: z.coerce.number().int().min(1).max(3650).optional(),
  },
  edit: 'PATCH',
  exports: {
    page,
    title: '客户',
    columns: [
      { key: 'name', title: '客户名称' },
      { key: 'code', title: '客户编号' },
      { key: 'credit_code', title: '统一社会信用代码' },
      { key: 'type', title: '类型', show: (value: keyof typeof types) => types[value] },
      { key: 'level', title: '级别', show: (value: keyof typeof levels) => levels[value] },
      { key: 'status', title: '合作状态', show: (value: keyof typeof statuses) => statuses[value] },
      { key: 'owner_alias', title: '负责人' },
      { key: 'dept_name', title: '归属部门' },
      { key: 'tags', title: '标签', show: (tags: string[]) => tags.join('、') },
      { key: 'phone', title: '单位电话' },
      { key: 'address', title: '地址' },
      { key: 'project_count', title: '项目数' },
      { key: 'contract_amount', title: '合同额' },
      { key: 'last_contact_at', title: '最近联系' },
    ],
  },
});

export const CustomerOption = z.object({ id: int, name: z.string(), credit_code: z.string() });
export const customers = {
  ...noun,
  get: call({
    method: 'GET',
    path: '/api/customer/{id}/',
    access: grant('Retrieve', page),
    summary: '查看客户详情',
    params: idParams,
    reply: z.object({
      value: noun.list.reply.shape.value.element.extend({
        owner_info: PersonCard.nullable(),
        contact_count: int,
        visit_count: int,
        /** Those I may read, newest first; null where I may read none. */
        contracts: z
          .array(
            z.object({
              id: int,
              name: z.string(),
              contract_no: z.string(),
              stage_name: z.string(),
              pay_direction: int,
              amount: z.number(),
              sign_date: z.string().nullable(),
            }),
          )
          .nullable(),
      }),
    }),
    fresh: true,
  }),
  simple: call({
    method: 'GET',
    path: '/api/customer/simple/',
    access: signedIn,
    summary: '选择客户',
    query: z.object({ search_value: line(100).default('') }),
    reply: z.array(CustomerOption),
  }),
  /** Also of customers that are others': these by name and department alone. */
  similar: call({
    method: 'GET',
    path: '/api/customer/similar/',
    access: grant('Create', page),
    summary: '客户查重',
    query: z.object({ name: line(100).meta({ title: '客户名称' }), credit_code: line(18).default('') }),
    reply: z.array(
      z.object({
        /** Where I may see it. */
        id: int.nullable(),
        name: z.string(),
        dept_name: z.string(),
        same: z.boolean(),
      }),
    ),
    fresh: true,
  }),
};
export type CustomerRow = ReplyOf<typeof customers.list>['value'][number];
export type Customer = ReplyOf<typeof customers.get>['value'];
