import { z } from 'zod';
import { call, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { id, idParams, line, personName, phone, telephone, text, timestamp } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'customer/contact';
const said = (max: number, title: string) => line(max).default('').meta({ title });

const mobile = z
  .union([z.literal(''), phone], { error: '请输入 11 位手机号，没有手机则填写电话' })
  .default('')
  .meta(field('手机', { help: '加密保存；手机和电话至少填写一个' }));
const email = z
  .union([z.literal(''), z.email('邮箱格式不正确').max(100, '最多 100 个字')])
  .default('')
  .meta({ title: '邮箱' });

export const contactInput = {
  name: personName(30).meta({ title: '姓名' }),
  mobile,
  phone: telephone(30).default('').meta({ title: '电话' }),
  post: said(50, '职务'),
  dept: said(50, '所在部门'),
  project_id: id
    .nullable()
    .default(null)
    .meta(field('所属项目', { help: '不选则为整个客户的联系人' })),
  gender: z
    .enum(['', '男', '女'])
    .default('')
    .meta(
      field('性别', {
        kind: 'select',
        options: [
          { value: '男', label: '男' },
          { value: '女', label: '女' },
        ],
      }),
    ),
  email,
  wechat: said(50, '微信'),
  is_primary: z
    .boolean()
    .default(false)
    .meta(field('主要联系人', { kind: 'switch', help: '一个客户只有一位' })),
  receive_sms: z
    .boolean()
    .default(false)
    .meta(field('接收短信', { kind: 'switch', help: '可作为告警联系人' })),
  remark: text(500)
    .default('')
    .meta(field('备注', { kind: 'textarea' })),
};
const { mobile: _sealed, ...shown } = contactInput;
const row = {
  ...shown,
  customer_id: int,
  customer_name: z.string().meta({ title: '客户' }),
  project_name: z.string().meta({ title: '所属项目' }),
  mobile_masked: z.string().meta({ title: '手机' }),
  gmt_created: timestamp,
};
const noun = nounCalls({
  prefix: '/api/customer/contacts/',
  page,
  noun: '联系人',
  once: { customer_id: id.meta({ title: '客户' }) },
  input: contactInput,
  row,
  sort: ['gmt_modified', 'name'],
  filters: {
    customer_id: id.optional(),
    project_id: id.optional(),
    receive_sms: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .optional(),
  },
  exports: {
    page,
    title: '联系人',
    columns: sheetColumns(row, [
      ...(['name', 'customer_name', 'project_name', 'dept', 'post', 'mobile_masked'] as const),
      ...(['phone', 'email', 'is_primary', 'receive_sms'] as const),
    ]),
  },
});

export const contacts = {
  ...noun,
  phone: call({
    method: 'POST',
    path: '/api/customer/contacts/{id}/phone/',
    access: grant('Retrieve', page),
    summary: '查看联系人手机号',
    params: idParams,
    reply: z.object({ mobile: z.string() }),
    shownOnce: true,
  }),
};
export type ContactRow = ReplyOf<typeof contacts.list>['value'][number];
