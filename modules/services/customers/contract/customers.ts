import { z } from 'zod';
import { call, grant, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { flag, id, idParams, line, name, telephone, text, timestamp, webAddress } from '#kernel/contract/shapes.ts';
import { choice, field, sheetColumns } from '#kernel/contract/titles.ts';
import { creditCode } from '#modules/office/contracts/contract/parties.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { customerLevel, customerStatus, customerType } from './codes.ts';

const int = z.number().int();
const page = 'customer/list';
const said = (max: number, title: string, more = {}) => line(max).default('').meta(field(title, more));
const code = z.coerce.number().int().min(0).max(9).optional();

export const customerInput = {
  name: name(100).meta(field('客户名称', { help: '按营业执照或单位公章上的全称' })),
  code: said(30, '客户编号'),
  credit_code: creditCode.default('').meta({ title: '统一社会信用代码' }),
  type: choice('类型', customerType.names).default(1),
  level: choice('级别', customerLevel.names).default(2),
  status: choice('合作状态', customerStatus.names).default(2),
  owner: id.optional().meta(field('负责人', { help: '不选则为本人' })),
  dept_id: id.optional().meta(field('归属部门', { help: '决定谁能看到；不选则为负责人的部门' })),
  industry: said(50, '行业'),
  source: said(50, '来源'),
  phone: telephone(30).default('').meta({ title: '单位电话' }),
  website: webAddress(200).meta({ title: '网址' }),
  address: said(200, '地址'),
  tags: z
    .array(name(20))
    .max(20, '最多 20 个标签')
    .transform((all) => [...new Set(all)])
    .default([])
    .meta(field('标签', { kind: 'select', multiple: true })),
  follow_days: z
    .int('请填写天数')
    .min(0, '请填写 0–730')
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
  invoice_phone: telephone(30).default('').meta({ title: '注册电话' }),
};
const row = {
  ...customerInput,
  owner: int,
  dept_id: int,
  last_contact_at: timestamp.nullable().meta({ title: '最近联系' }),
  /** Days since the last contact, or since it was added if there was none. */
  idle_days: int.meta({ title: '未联系（天）' }),
  /** The day on which its owner is reminded. */
  follow_at: z.string().nullable().meta({ title: '下次跟进' }),
  owner_alias: z.string().meta({ title: '负责人' }),
  dept_name: z.string().meta({ title: '归属部门' }),
  project_count: int.meta({ title: '项目数' }),
  /** The sum of the contracts that I may read; null if I may read none. */
  contract_amount: z.number().nullable().meta({ title: '合同额' }),
  gmt_created: timestamp,
};

const noun = nounCalls({
  prefix: '/api/customer/',
  page,
  noun: '客户',
  input: customerInput,
  row,
  sort: ['gmt_modified', 'name', 'level', 'last_contact_at'],
  filters: {
    type: code,
    level: code,
    status: code,
    owner: id.meta({ title: '负责人' }).optional(),
    dept_id: id.optional(),
    tag: line(20).optional().meta({ title: '标签' }),
    /** Filters customers without contact for more than this number of days. */
    idle: z.coerce.number().int().min(1).max(3650).optional().meta({ title: '未联系' }),
    /** My own customers that are due for contact. */
    due: flag.optional().meta({ title: '待我跟进' }),
  },
  edit: 'PATCH',
  exports: {
    page,
    title: '客户',
    columns: sheetColumns(row, [
      ...(['name', 'code', 'credit_code', 'type', 'level', 'status', 'owner_alias', 'dept_name', 'tags'] as const),
      ...(['industry', 'source', 'phone', 'website', 'address', 'remark'] as const),
      ...(['project_count', 'contract_amount', 'last_contact_at'] as const),
    ]),
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
        /** The contracts I may read, newest first; null if I may read none. */
        contracts: z
          .array(
            z.object({
              id: int,
              name: z.string().meta(field('合同')),
              contract_no: z.string().meta(field('编号')),
              stage_name: z.string().meta(field('阶段')),
              pay_direction: int,
              amount: z.number().meta(field('金额', { kind: 'money' })),
              sign_date: z.string().nullable().meta(field('签订日期')),
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
  /** Includes customers of other people, with name and department only. */
  similar: call({
    method: 'GET',
    path: '/api/customer/similar/',
    access: grant('Create', page),
    summary: '客户查重',
    query: z.object({ name: line(100).meta({ title: '客户名称' }), credit_code: line(18).default('') }),
    reply: z.array(
      z.object({
        /** Set if I may see it. */
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
